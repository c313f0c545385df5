import { GrowingBuffer } from '../runtime/growing-buffer.js'

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
