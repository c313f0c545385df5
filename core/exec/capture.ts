import type { Readable } from 'node:stream'

/** Captures the beginning of a stream. */
export class Capture {
  readonly #max: number
  readonly #parts: Buffer[] = []
  #kept = 0
  #seen = 0
  /** True once the stream has ended or failed. */
  readonly ended: Promise<void>

  /** Keeps `max` bytes, reads and drops the rest; calls `onLimit` once after `limit` bytes. */
  constructor(stream: Readable, limits: { max: number; limit: number; onLimit: () => void }) {
    this.#max = limits.max
    stream.on('data', (chunk: Buffer) => {
      const before = this.#seen
      this.#seen += chunk.length
      const part = chunk.subarray(0, this.#max - this.#kept)
      this.#kept += part.length
      if (part.length > 0) this.#parts.push(Buffer.from(part))
      if (before <= limits.limit && this.#seen > limits.limit) limits.onLimit()
    })
    this.ended = new Promise((resolve) => {
      stream.once('close', resolve)
      // A killed child's pipe may break; what was read before is kept.
      stream.once('error', () => resolve())
    })
  }

  get cut(): boolean {
    return this.#seen > this.#kept
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts)
  }
}
