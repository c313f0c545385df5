import { difference } from './expected.js'
import { bytesFault, type FixtureRequest } from './fixture.js'

/** A request as the replay server received it. */
export interface Received {
  readonly method: string
  /** Below the address of the case. */
  readonly path: string
  /** One of the vendor's further hosts, or null for its base address. */
  readonly host: string | null
  /** The whole address if it came from the vendor's reply, else null. */
  readonly address: string | null
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** How a request differs from the recorded one, or null. `basePath` is the path of the vendor's address, which a fixture may omit. */
export function requestFault(expected: FixtureRequest, received: Received, basePath: string): string | null {
  const { path = '', address = null } = expected
  const line = `${expected.method} ${address ?? path}`
  if (received.method !== expected.method) return `${line}: the method was ${received.method}`
  if (address !== received.address) return `${line}: the address was ${received.address ?? received.path}`
  if (address !== null) return headersFault(expected, received, line) ?? bodyLine(expected, received, line)
  if ((expected.host ?? null) !== received.host)
    return `${line}: it went to ${received.host ?? 'the base address'}, not to ${expected.host ?? 'the base address'}`
  if (received.path !== path && received.path !== basePath + path) return `${line}: the path was ${received.path}`
  const query = difference(texts(expected.query ?? {}), fieldsOf(received.query))
  if (query !== null) return `${line}: query${query}`
  return headersFault(expected, received, line) ?? bodyLine(expected, received, line)
}

function headersFault(expected: FixtureRequest, received: Received, line: string): string | null {
  for (const [name, value] of Object.entries(expected.headers ?? {}))
    if (received.headers[name.toLowerCase()] !== value)
      return `${line}: header ${name} was ${JSON.stringify(received.headers[name.toLowerCase()] ?? null)}, expected ${JSON.stringify(value)}`
  return null
}

function bodyLine(expected: FixtureRequest, received: Received, line: string): string | null {
  const body = bodyFault(expected, received)
  return body === null ? null : `${line}: ${body}`
}

function bodyFault(expected: FixtureRequest, { headers, body }: Received): string | null {
  const type = String(headers['content-type'] ?? '')
  if (expected.json !== undefined) return difference(expected.json, json(body), 'json')
  if (expected.form !== undefined) return difference(expected.form, Object.fromEntries(new URLSearchParams(body.toString())), 'form')
  if (expected.multipart !== undefined) return partsFault(expected.multipart, body, type)
  const found = bytesFault(expected, body)
  return found === null ? null : `the body was ${found}`
}

function partsFault(expected: NonNullable<FixtureRequest['multipart']>, body: Buffer, type: string): string | null {
  const boundary = /boundary="?([^";]+)/.exec(type)?.[1]
  if (boundary === undefined) return `the body is not multipart but ${type === '' ? 'untyped' : type}`
  const parts = body.toString('latin1').split(`--${boundary}`).slice(1, -1)
  for (const [index, part] of expected.entries()) {
    const sent = parts[index]
    if (sent === undefined) break
    const found = partFault(part, sent, index + 1)
    if (found !== null) return found
  }
  return parts.length === expected.length ? null : `the form has ${String(parts.length)} parts, expected ${String(expected.length)}`
}

function partFault(expected: NonNullable<FixtureRequest['multipart']>[number], sent: string, place: number): string | null {
  const [head = '', ...rest] = sent.split('\r\n\r\n')
  const name = / name="([^"]*)"/.exec(head)?.[1] ?? 'nothing'
  if (name !== expected.name) return `part ${String(place)} is named ${name}, expected ${expected.name}`
  const filename = / filename="([^"]*)"/.exec(head)?.[1] ?? 'none'
  if (filename !== (expected.filename ?? 'none'))
    return `part ${name} has the file name ${filename}, expected ${expected.filename ?? 'none'}`
  const contentType = /content-type: *(\S+)/i.exec(head)?.[1] ?? 'none'
  // A file without a type is sent as application/octet-stream.
  const usual = expected.filename === undefined ? 'none' : 'application/octet-stream'
  if (contentType !== (expected.contentType ?? usual))
    return `part ${name} is of type ${contentType}, expected ${expected.contentType ?? usual}`
  const found = bytesFault(expected, Buffer.from(rest.join('\r\n\r\n').replace(/\r\n$/, ''), 'latin1'))
  return found === null ? null : `part ${name} is ${found}`
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
