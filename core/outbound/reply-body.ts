import { TextDecoder } from 'node:util'
import { GrowingBuffer } from '../runtime/growing-buffer.js'
import type { Call } from '../sdk/index.js'
import { overLimit } from '../sdk/json-structure.js'

/** Media type and character set of a content-type header, both in lower case, empty when absent (RFC 9110 8.3). */
export function mediaType(header: string | undefined): { contentType: string; charset: string } {
  if (header === 'application/json') return { contentType: header, charset: '' }
  const [type = '', ...parameters] = (header ?? '').split(';')
  const contentType = type.trim().toLowerCase()
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/i.exec(parameter)?.[1])
    .find((value) => value !== undefined)
  return { contentType: /^[\w.+-]+\/[\w.+-]+$/.test(contentType) ? contentType : '', charset: (charset ?? '').toLowerCase() }
}

/** Above this many bytes a body is joined in memory that can be transferred to another thread. */
const MOVABLE = 1024 * 1024

/**
 * Joins the chunks of a body. With a content-length each is copied as it arrives: joining megabytes at the end would block the event loop
 * for tens of milliseconds. A body of one chunk is not copied.
 */
export class JoinedBody {
  readonly #named: number
  readonly #movable: boolean
  #joined: GrowingBuffer | FixedBuffer | null = null
  #length = 0
  #chunks: Uint8Array[] = []

  /**
   * `named` is the content-length, 0 when there is none or the body is decoded; more may arrive. A large body that another thread will read
   * is `movable`. Others are not: V8 counts the growth of a buffer until the next full collection, so that each 30 MiB of pages would cause
   * one of 50 ms.
   */
  constructor(named: number, { movable = false } = {}) {
    this.#named = named
    this.#movable = movable && named > MOVABLE
  }

  add(chunk: Uint8Array): void {
    if (chunk.length >= this.#named || this.#chunks.length > 0) return void this.#chunks.push(chunk)
    this.#joined ??= this.#movable ? new GrowingBuffer(this.#named) : new FixedBuffer(this.#named)
    if (this.#length + chunk.length > this.#named) return void this.#chunks.push(chunk)
    this.#joined.append(chunk)
    this.#length += chunk.length
  }

  /** All of it. */
  bytes(): Uint8Array {
    const all = this.#joined === null ? this.#chunks : [this.#joined.filled(), ...this.#chunks]
    const [only] = all
    return all.length === 1 && only !== undefined ? only : Buffer.concat(all)
  }
}

/** A buffer of fixed size that is filled in order. */
class FixedBuffer {
  readonly #bytes: Buffer
  #length = 0

  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafeSlow(size)
  }

  append(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  filled(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}

/** The content-length of a body that is not decoded, when it is at most `most`; else 0. */
export function namedLength(headers: Readonly<Record<string, string>>, most: number): number {
  const named = headers['content-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : 0
  return Number.isSafeInteger(named) && named > 0 && named <= most ? named : 0
}

/** A text without these has none of the keys below; searching for them first is ten times as fast as the pattern. */
const SUSPECTS = ['__proto__', '\\u00', 'constructor']
const KEYS =
  /"(?:_|\\u005[fF]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[fF])(?:t|\\u0074)(?:o|\\u006[fF])(?:_|\\u005[fF]){2}"\s*:|"(?:c|\\u0063)(?:o|\\u006[fF])(?:n|\\u006[eE])(?:s|\\u0073)(?:t|\\u0074)(?:r|\\u0072)(?:u|\\u0075)(?:c|\\u0063)(?:t|\\u0074)(?:o|\\u006[fF])(?:r|\\u0072)"\s*:/

/** Parses JSON and removes keys that could pollute prototypes: `__proto__`, and a `constructor` with a `prototype`. Throws a SyntaxError. */
function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return SUSPECTS.some((sign) => text.includes(sign)) && KEYS.test(text) ? cleaned(value) : value
}

function cleaned(root: unknown): unknown {
  const queue: unknown[] = [root]
  for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
    if (typeof value !== 'object' || value === null) continue
    if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__')
    if (hasPrototype(value)) Reflect.deleteProperty(value, 'constructor')
    for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) queue.push(inner)
  }
  return root
}

function hasPrototype(value: object): boolean {
  const own: unknown = Object.getOwnPropertyDescriptor(value, 'constructor')?.value
  return typeof own === 'object' && own !== null && Object.hasOwn(own, 'prototype')
}

/** Limits of a vendor's JSON reply: more than any real one has, and few enough to transfer from a thread. */
const REPLY_LIMITS = { parts: 100_000, depth: 500 }
/** Replies above one of these are parsed in a worker. */
const SMALL = { bytes: 512 * 1024, parts: 10_000 }

/** A body in the requested form, or as a vendor's own reader gets it: JSON where it was JSON, else text, else bytes. */
export interface ReadBody {
  readonly body: unknown
  /** False when the reply could not be read in the requested form. */
  readonly fits: boolean
}

/** How a reply's bytes are to be read. */
export interface ReplyForm {
  /** The header Content-Type. */
  readonly header: string | undefined
  readonly reads: NonNullable<Call['reads']>
  /** The status is one of success. */
  readonly ok: boolean
}

/** True for a reply that takes too long to parse on the main thread; replies read as bytes are not parsed. */
export function isLargeReply(bytes: Uint8Array, { header, reads, ok }: ReplyForm): boolean {
  if (bytes.length <= SMALL.parts) return false
  if (reads === 'bytes' && (ok || !/^text\/|[/+]json$/.test(mediaType(header).contentType))) return false
  if (bytes.length > SMALL.bytes) return true
  return overLimit(bytes, { parts: SMALL.parts, depth: REPLY_LIMITS.depth }) !== null
}

/**
 * Parses a reply's bytes. Never throws: an invalid reply still has a body, for the vendor's own reader of errors. `release` is called
 * before JSON is parsed, when the bytes are no longer needed.
 */
export function readBody(bytes: Uint8Array, { header, reads, ok }: ReplyForm, release: () => void = () => undefined): ReadBody {
  const { contentType, charset } = mediaType(header)
  const json = /[/+]json$/.test(contentType)
  if (reads === 'json') return asJson(bytes, charset, release)
  if (ok && reads === 'bytes') return { body: bytes, fits: true }
  if (ok && reads === 'ndjson') return asLines(bytes, charset)
  if (!ok && json) return { ...asJson(bytes, charset, release), fits: true }
  if (reads === 'bytes' && !contentType.startsWith('text/')) return { body: bytes, fits: true }
  return { body: text(bytes, charset), fits: true }
}

function asJson(bytes: Uint8Array, charset: string, release: () => void): ReadBody {
  if (isTooMuch(bytes)) return { body: null, fits: false }
  const source = text(bytes, charset)
  if (source.trim() === '') return { body: null, fits: bytes.length === 0 }
  release()
  try {
    return { body: parseJson(source), fits: true }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { body: source, fits: false }
  }
}

function asLines(bytes: Uint8Array, charset: string): ReadBody {
  if (isTooMuch(bytes)) return { body: null, fits: false }
  const source = text(bytes, charset)
  try {
    const lines = source.split('\n').filter((line) => line.trim() !== '')
    return { body: lines.map(parseJson), fits: true }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { body: source, fits: false }
  }
}

/** JSON with more values than any vendor's reply has, which would take long to build. Correct in every encoding that preserves ASCII. */
function isTooMuch(bytes: Uint8Array): boolean {
  return overLimit(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), REPLY_LIMITS) !== null
}

function text(bytes: Uint8Array, charset: string): string {
  if (charset === '' || charset === 'utf-8' || charset === 'utf8') {
    const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
    return source.startsWith('\ufeff') ? source.slice(1) : source
  }
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return new TextDecoder('utf-8').decode(bytes)
  }
}
