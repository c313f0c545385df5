import { randomBytes } from 'node:crypto'
import { Fault, type Call, type Part } from '../sdk/index.js'

export interface Body {
  /** Null for a request without a body. */
  readonly data: string | Buffer | null
  /** Empty for a request without a body. */
  readonly contentType: string
}

const NONE: Body = { data: null, contentType: '' }

/** The body of a call; `signed` is what signing adds to a JSON body. */
export function requestBody(call: Call, signed: Readonly<Record<string, unknown>> | undefined): Body {
  if (call.json !== undefined || (signed !== undefined && carriesNothing(call))) {
    return { data: JSON.stringify(signed === undefined ? call.json : { ...fields(call.json), ...signed }), contentType: 'application/json' }
  }
  if (call.form !== undefined) return { data: new URLSearchParams(call.form).toString(), contentType: 'application/x-www-form-urlencoded' }
  if (call.multipart !== undefined) return multipart(call.multipart)
  if (call.bytes !== undefined) return { data: buffer(call.bytes.data), contentType: call.bytes.contentType }
  return NONE
}

/** The method of a call: GET without a body, else POST, unless it names one. */
export function methodOf(call: Call): NonNullable<Call['method']> {
  return (
    call.method ??
    (call.json === undefined && call.form === undefined && call.multipart === undefined && call.bytes === undefined ? 'GET' : 'POST')
  )
}

function carriesNothing(call: Call): boolean {
  const method = methodOf(call)
  return (method === 'POST' || method === 'PUT') && call.form === undefined && call.multipart === undefined && call.bytes === undefined
}

function fields(json: unknown): object {
  if (json === undefined) return {}
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json
  throw new Fault('broken', 'the adapter built an invalid request', {
    internal: 'signing adds fields to a JSON body, so Call.json must be an object',
  })
}

/** A form of parts (RFC 7578), names escaped as browsers do. */
function multipart(parts: readonly Part[]): Body {
  const boundary = `----part-${randomBytes(16).toString('hex')}`
  const chunks: Buffer[] = []
  for (const { name, data, filename, contentType } of parts) {
    const file = filename === undefined ? '' : `; filename="${escape(filename)}"`
    const type = contentType ?? (filename === undefined ? '' : 'application/octet-stream')
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${escape(name)}"${file}\r\n${type === '' ? '' : `content-type: ${type.replace(/[\r\n]/g, '')}\r\n`}\r\n`
    chunks.push(Buffer.from(head), typeof data === 'string' ? Buffer.from(data) : buffer(data), Buffer.from('\r\n'))
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`))
  return { data: Buffer.concat(chunks), contentType: `multipart/form-data; boundary=${boundary}` }
}

function escape(text: string): string {
  return text.replace(/["\r\n]/g, (sign) => (sign === '"' ? '%22' : sign === '\r' ? '%0D' : '%0A'))
}

function buffer(data: Uint8Array): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength)
}
