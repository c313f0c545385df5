/** A host that the operator configured, and its port. */
export interface ServiceHost {
  readonly host: string
  readonly port: number
}

/** Parses `host[:port]`. Throws a RangeError that names the setting when it is invalid. */
export function readServiceHost(text: string, setting: string, defaultPort: number): ServiceHost {
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-f:.]+(?:%[\w.-]+)?)\]|([\w.-]+))(?::(\d{1,5}))?$/i.exec(text) ?? []
  const port = digits === undefined ? defaultPort : Number(digits)
  const host = bracketed ?? plain
  if (host === undefined || port < 1 || port > 65_535) throw new RangeError(`${setting} is not host:port`)
  return { host, port }
}
