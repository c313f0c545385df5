import type { IncomingMessage } from 'node:http'
import { Problem } from '../problems/problem.js'
import { parseObject } from './json.js'

/** A request's body as an object, and how long it was. */
export interface JsonBody {
  readonly value: Record<string, unknown>
  readonly bytes: number
}

/**
 * Reads a request's body as a JSON object; an empty body is `{}`. Throws `unsupported-media-type`, `payload-too-large`,
 * `malformed-request`. Reads the bytes itself because that costs a tenth of a body parser on the busiest path.
 */
export async function readJson(request: IncomingMessage, limit: number): Promise<JsonBody> {
  const declared = request.headers['content-length']
  const type = request.headers['content-type']
  const encoding = request.headers['content-encoding']
  const empty = declared === '0' || (declared === undefined && request.headers['transfer-encoding'] === undefined)
  if (empty) return { value: {}, bytes: 0 }
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new Problem('unsupported-media-type', `The body is compressed (Content-Encoding: ${printable(encoding)}); send it as it is.`)
  if (!isJson(type))
    throw new Problem(
      'unsupported-media-type',
      `The body must have Content-Type: application/json, not ${type === undefined ? 'none' : printable(type)}.`,
    )
  if (declared !== undefined && Number(declared) > limit) throw tooLarge(limit)
  const bytes = await collect(request, limit)
  return { value: bytes.length === 0 ? {} : parseObject(bytes), bytes: bytes.length }
}

function isJson(type: string | undefined): boolean {
  if (type === 'application/json') return true
  const [media = '', ...parameters] = (type ?? '').toLowerCase().split(';')
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='))
  if (charset !== undefined && !['utf-8', 'utf8', '"utf-8"'].includes(charset.slice(8))) return false
  return media.trim() === 'application/json' || media.trim().endsWith('+json')
}

function collect(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) return void chunks.push(chunk)
      request.pause()
      reject(tooLarge(limit))
    })
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)))
    request.on('error', (error) => reject(new Problem('malformed-request', 'The body ended before it was complete.', { cause: error })))
    request.on('close', () => {
      if (!request.complete) reject(new Problem('malformed-request', 'The body ended before it was complete.'))
    })
  })
}

function tooLarge(limit: number): Problem {
  return new Problem('payload-too-large', `The body is larger than the ${limit} bytes this endpoint takes.`)
}

function printable(text: string): string {
  return text.slice(0, 60).replace(/[^\x20-\x7e]/g, '?')
}
