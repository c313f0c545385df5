import { difference } from './expected.js'
import { bytesOf, type FixtureRequest } from './fixture.js'

/** A request as the replay server received it. */
export interface Received {
  readonly method: string
  /** Below the address of the case. */
  readonly path: string
  /** One of the vendor's further hosts, or null for its base address. */
  readonly host: string | null
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** How a request differs from the recorded one, or null. `basePath` is the path of the vendor's address, which a fixture may leave out. */
export function requestFault(expected: FixtureRequest, received: Received, basePath: string): string | null {
  const line = `${expected.method} ${expected.path}`
  if (received.method !== expected.method) return `${line}: the method was ${received.method}`
  if ((expected.host ?? null) !== received.host)
    return `${line}: it went to ${received.host ?? 'the base address'}, not to ${expected.host ?? 'the base address'}`
  if (received.path !== expected.path && received.path !== basePath + expected.path) return `${line}: the path was ${received.path}`
  const query = difference(texts(expected.query ?? {}), fieldsOf(received.query))
  if (query !== null) return `${line}: query${query}`
  for (const [name, value] of Object.entries(expected.headers ?? {}))
    if (received.headers[name.toLowerCase()] !== value)
      return `${line}: header ${name} was ${JSON.stringify(received.headers[name.toLowerCase()] ?? null)}, expected ${JSON.stringify(value)}`
  const body = bodyFault(expected, received)
  return body === null ? null : `${line}: ${body}`
}

function bodyFault(expected: FixtureRequest, { headers, body }: Received): string | null {
  const type = String(headers['content-type'] ?? '')
  if (expected.json !== undefined) return difference(expected.json, json(body), 'json')
  if (expected.form !== undefined) return difference(expected.form, Object.fromEntries(new URLSearchParams(body.toString())), 'form')
  if (expected.multipart !== undefined) return partsFault(expected.multipart, body, type)
  if (expected.text !== undefined || expected.base64 !== undefined)
    return body.equals(bytesOf(expected)) ? null : `the body was ${body.toString().slice(0, 200)}`
  return body.length === 0 ? null : `a body was sent and none is recorded: ${body.toString().slice(0, 200)}`
}

function partsFault(expected: NonNullable<FixtureRequest['multipart']>, body: Buffer, type: string): string | null {
  const boundary = /boundary="?([^";]+)/.exec(type)?.[1]
  if (boundary === undefined) return `the body is not multipart but ${type === '' ? 'untyped' : type}`
  const parts = body.toString('latin1').split(`--${boundary}`).slice(1, -1)
  if (parts.length !== expected.length) return `the form has ${String(parts.length)} parts, expected ${String(expected.length)}`
  for (const [index, part] of expected.entries()) {
    const [head = '', ...rest] = (parts[index] ?? '').split('\r\n\r\n')
    const data = Buffer.from(rest.join('\r\n\r\n').replace(/\r\n$/, ''), 'latin1')
    const name = / name="([^"]*)"/.exec(head)?.[1]
    const filename = / filename="([^"]*)"/.exec(head)?.[1]
    const contentType = /content-type: *(\S+)/i.exec(head)?.[1]
    if (name !== part.name) return `part ${String(index + 1)} is called ${name ?? 'nothing'}, expected ${part.name}`
    if (part.filename !== undefined && filename !== part.filename)
      return `part ${part.name} has the file name ${filename ?? 'none'}, expected ${part.filename}`
    if (part.contentType !== undefined && contentType !== part.contentType)
      return `part ${part.name} is of type ${contentType ?? 'none'}, expected ${part.contentType}`
    if ((part.text !== undefined || part.base64 !== undefined) && !data.equals(bytesOf(part)))
      return `part ${part.name} is ${JSON.stringify(data.toString().slice(0, 200))}`
  }
  return null
}

/** Query fields as text; repeated ones as lists. */
function fieldsOf(query: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => [name, query.getAll(name).length > 1 ? query.getAll(name) : (query.get(name) ?? '')]),
  )
}

function texts(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      Array.isArray(value) ? (value.length > 1 ? value.map(String) : String(value[0])) : String(value),
    ]),
  )
}

function json(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return `${body.toString().slice(0, 100)} (not JSON)`
  }
}
