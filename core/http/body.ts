import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../problems/problem.js'
import type { CutReason, Holding } from '../limits/byte-budget.js'
import { GrowingBuffer } from '../runtime/growing-buffer.js'
import { boundedResponse } from './bounded-response.js'
import { parseObject } from './json.js'

/** A body above this many bytes is collected in memory that can be transferred to another thread. */
const MOVABLE = 1024 * 1024

/** Bytes after which other work of the event loop has its turn: a fast caller sends megabytes in one. */
const TURN_BYTES = 128 << 10

interface Exchanged {
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

/** A received body: its bytes, or a buffer that can be transferred to another thread. */
type ReceivedBody = { readonly bytes: Buffer } | { readonly moved: { readonly buffer: ArrayBuffer; readonly length: number } }

/**
 * Reads a request's body as a JSON object of at most `mostValues` values; an empty body is `{}`. Throws
 * `unsupported-media-type`, `payload-too-large`, `malformed-request`.
 */
export async function readJson(
  exchanged: Exchanged,
  { limit, mostValues }: { readonly limit: number; readonly mostValues: number },
): Promise<Record<string, unknown>> {
  const body = await receive(exchanged, limit)
  const bytes = 'bytes' in body ? body.bytes : Buffer.from(body.moved.buffer, 0, body.moved.length)
  return bytes.length === 0 ? {} : parseObject(bytes, mostValues)
}

/**
 * Receives a request's body, which must be JSON or empty. Throws `unsupported-media-type`, `payload-too-large`,
 * `malformed-request`, and `overloaded` where the account, the address or the gateway has no room for it.
 * Reads the bytes itself because that costs a tenth of a body parser on the busiest path.
 */
export function receive({ req: request, res }: Exchanged, limit: number): Promise<ReceivedBody> {
  const declared = request.headers['content-length']
  const type = request.headers['content-type']
  const encoding = request.headers['content-encoding']
  const empty = declared === '0' || (declared === undefined && request.headers['transfer-encoding'] === undefined)
  if (empty) return Promise.resolve({ bytes: Buffer.alloc(0) })
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new Problem('unsupported-media-type', `The body is compressed (Content-Encoding: ${printable(encoding)}); send it uncompressed.`)
  if (!isJson(type))
    throw new Problem(
      'unsupported-media-type',
      `The body must have Content-Type: application/json, not ${type === undefined ? 'none' : printable(type)}.`,
    )
  if (declared !== undefined && Number(declared) > limit) throw tooLarge(limit)
  // A body that arrived together with its headers needs no accounting.
  if (request.complete && request.readableLength <= TURN_BYTES) {
    const read: unknown = request.read()
    const bytes = Buffer.isBuffer(read) ? read : Buffer.alloc(0)
    if (bytes.length > limit) throw tooLarge(limit)
    return Promise.resolve({ bytes })
  }
  const holding = request.complete ? null : (boundedResponse({ res })?.holding ?? null)
  if (declared !== undefined) holding?.assertRoom(Number(declared))
  return collect(request, limit, holding)
}

function isJson(type: string | undefined): boolean {
  if (type === 'application/json') return true
  const [media = '', ...parameters] = (type ?? '').toLowerCase().split(';')
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='))
  if (charset !== undefined && !['utf-8', 'utf8', '"utf-8"'].includes(charset.slice(8))) return false
  return media.trim() === 'application/json' || media.trim().endsWith('+json')
}

function collect(request: IncomingMessage, limit: number, holding: Holding | null): Promise<ReceivedBody> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0)
    let size = 0
    let inTurn = 0
    let growing: GrowingBuffer | null = null
    let refused = false
    const goOn = (): void => {
      if (!refused) request.resume()
    }
    const refuse = (problem: Error): void => {
      refused = true
      request.pause()
      holding?.rest()
      bytes = Buffer.alloc(0)
      growing?.free()
      growing = null
      reject(problem)
    }
    const take = (chunk: Buffer): void => {
      holding?.add(chunk.length)
      holding?.moved(chunk.length)
      const before = size
      size += chunk.length
      if (size > limit) throw tooLarge(limit)
      if (growing === null && size > MOVABLE) {
        growing = new GrowingBuffer(limit)
        growing.append(bytes.subarray(0, before))
        bytes = Buffer.alloc(0)
      }
      if (growing !== null) growing.append(chunk)
      else if (before === 0) bytes = chunk
      else bytes = appended(bytes, before, chunk)
    }
    holding?.waitFor('in', { cut: (reason) => refuse(cutOff(reason)) })
    request.on('data', (chunk: Buffer) => {
      if (refused) return
      inTurn += chunk.length
      if (inTurn >= TURN_BYTES) {
        inTurn = 0
        request.pause()
        setImmediate(goOn)
      }
      try {
        take(chunk)
      } catch (error) {
        refuse(error instanceof Error ? error : new Error(String(error), { cause: error }))
      }
    })
    request.on('end', () => {
      if (refused) return
      holding?.rest()
      const whole = growing
      // Ownership passes to the reader.
      growing = null
      if (whole !== null) resolve({ moved: { buffer: whole.buffer, length: size } })
      else resolve({ bytes: bytes.subarray(0, size) })
    })
    request.on('error', (error) => refuse(new Problem('malformed-request', 'The body ended before it was complete.', { cause: error })))
    request.on('close', () => {
      if (!request.complete) refuse(new Problem('malformed-request', 'The body ended before it was complete.'))
    })
  })
}

/** Appends a chunk after the first `length` bytes, in a buffer that doubles: at most twice the bytes are allocated. */
function appended(bytes: Buffer, length: number, chunk: Buffer): Buffer {
  const needed = length + chunk.length
  let room = bytes
  if (needed > bytes.length) {
    room = Buffer.allocUnsafeSlow(Math.max(needed, 2 * length))
    bytes.copy(room, 0, 0, length)
  }
  chunk.copy(room, length)
  return room
}

function cutOff(reason: CutReason): Problem {
  switch (reason) {
    case 'slow':
      return new Problem('malformed-request', 'The body arrived too slowly: less than 1 KiB a second over 30 seconds.', {
        action: 'Send the whole body again, without long pauses.',
      })
    case 'room':
      return new Problem('overloaded', 'The gateway needed the memory of this body, which arrived too slowly. Nothing was charged.', {
        retryAfterSeconds: 2,
      })
    case 'stopping':
      return new Problem('overloaded', 'The gateway is stopping; send the request again, to another replica if there is one.', {
        retryAfterSeconds: 2,
      })
  }
}

function tooLarge(limit: number): Problem {
  return new Problem('payload-too-large', `The body is larger than the ${limit} bytes this endpoint accepts.`)
}

/** A header's value shortened and made printable, for messages. */
export function printable(text: string): string {
  return text.slice(0, 60).replace(/[^\x20-\x7e]/g, '?')
}
