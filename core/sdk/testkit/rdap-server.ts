import { deliverHttp, Faults, type ServerFault } from './faults.js'
import { httpServer, type Running } from './servers.js'

/** One answer: an object is sent as RDAP JSON with status 200. */
export interface RdapReply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** Sent instead of JSON. */
  readonly body?: string | Uint8Array
}

/** An RDAP server that also serves a bootstrap file which names it. */
export interface RdapServer extends Running {
  /** Base before `domain/NAME`, with its slash. */
  readonly base: string
  /** Address of the bootstrap file (RFC 9224). */
  readonly bootstrap: string
  /** Requested paths, in order. */
  readonly requests: string[]
  fail(...faults: readonly ServerFault[]): void
  failAlways(fault: ServerFault | null): void
}

export interface RdapServerOptions {
  /** Answers by domain as A-labels; every other one is 404. */
  readonly domains?: Readonly<Record<string, RdapReply>>
  /** TLDs that the bootstrap file names, default `test`. */
  readonly tlds?: readonly string[]
  /** The services of the bootstrap file, in place of those made from `tlds`. */
  readonly services?: (base: string) => unknown
  /** Host name in addresses, if a name server of the test resolves it; default the address. */
  readonly name?: string
  /** Address to listen on, default `127.0.0.1`. */
  readonly host?: string
  /** Milliseconds before every answer. */
  readonly delayMs?: number
}

/** A domain object (RFC 9083 5.3) with only its name, to be extended by tests. */
export function rdapDomain(name: string, more: Readonly<Record<string, unknown>> = {}): RdapReply {
  return { json: { rdapConformance: ['rdap_level_0'], objectClassName: 'domain', ldhName: name.toUpperCase(), ...more } }
}

/** An RDAP server on loopback (RFC 7480, RFC 9082, RFC 9083), with its bootstrap file. */
export async function rdapServer(options: RdapServerOptions = {}): Promise<RdapServer> {
  const { domains = {}, tlds = ['test'], host, name, delayMs } = options
  const faults = new Faults()
  const requests: string[] = []
  const server = await httpServer((request, response) => {
    const path = request.url ?? ''
    requests.push(path)
    const { status = 200, headers, json, body } = path === '/dns.json' ? list() : replyTo(path)
    const answer = {
      headers: { 'content-type': body === undefined ? 'application/rdap+json' : 'text/html', ...headers },
      body: Buffer.from(body ?? JSON.stringify(json ?? {})),
    }
    const deliver = (): void => deliverHttp(response, status, answer, faults.take())
    if (delayMs === undefined) deliver()
    else setTimeout(deliver, delayMs)
  }, host)
  const url = name === undefined ? server.url : `http://${name}:${String(server.port)}`
  const base = `${url}/rdap/`
  const list = (): RdapReply => ({
    json: { version: '1.0', publication: '2026-01-02T03:04:05Z', services: options.services?.(base) ?? [[tlds, [base]]] },
    headers: { 'content-type': 'application/json' },
  })
  const replyTo = (path: string): RdapReply => {
    const domain = /^\/rdap\/domain\/([^/?]+)$/.exec(path)?.[1] ?? ''
    const known = Object.hasOwn(domains, domain) ? domains[domain] : undefined
    return known ?? { status: 404, json: { errorCode: 404, title: 'Not Found', description: ['No such domain.'] } }
  }
  return { ...server, base, bootstrap: `${url}/dns.json`, requests, fail: faults.fail, failAlways: faults.failAlways }
}
