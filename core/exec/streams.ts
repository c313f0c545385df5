import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ExecOptions } from '../sdk/index.js'

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

/** The transfer of a program's standard input. */
interface Feed {
  /** Rejects with the error of the source. A program that closes its input before the end is not a failure. */
  settled(): Promise<void>
}

/** Writes a program's standard input; calls back when the source fails, since a partial input is useless. */
export function feed(stdin: Writable, data: ExecOptions['stdin'], onFailure: () => void): Feed {
  if (data === undefined || data instanceof Uint8Array) {
    stdin.end(data ?? Buffer.alloc(0))
    return { settled: () => Promise.resolve() }
  }
  let failure: { readonly error: unknown } | null = null
  const source = async function* (): AsyncGenerator<Uint8Array> {
    const pieces = data[Symbol.asyncIterator]()
    const next = async (): Promise<IteratorResult<Uint8Array>> => {
      try {
        return await pieces.next()
      } catch (error) {
        failure = { error }
        onFailure()
        return { done: true, value: undefined }
      }
    }
    try {
      for (let step = await next(); step.done !== true; step = await next()) yield step.value
    } finally {
      await pieces.return?.()
    }
  }
  // Errors of the pipe itself show in the end of the program.
  const done = pipeline(Readable.from(source()), stdin).catch(() => undefined)
  return {
    settled: async () => {
      stdin.destroy()
      await done
      if (failure !== null) throw failure.error
    },
  }
}
