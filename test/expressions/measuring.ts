import { Worker } from 'node:worker_threads'
import { pause } from '../support/time.js'

/** An expression, with what is made of it for a text: all its matches, or the first. */
export interface Timed {
  readonly source: string
  readonly flags: string
}

/** An expression for the worker. */
export interface Order extends Timed {
  /** Every head at its whole length, not only those that a short one shows to be hard. */
  readonly all: boolean
  /** The worker counts here the heads that it has come to. */
  readonly count: SharedArrayBuffer
}

export interface Measured {
  /** Whether a head took longer than `LIMIT_MS`, in proportion to its length. */
  readonly slow: boolean
  /** For the head that took longest; Infinity for one that did not come to an end. */
  readonly ms: number
  readonly head: string
}

/** Characters of a head. */
export const LENGTH = 64 * 1024
/** Milliseconds for a head. */
export const LIMIT_MS = 10
/** One head never takes as long, in milliseconds. */
const HANGS_MS = 2_000

/** Measures expressions in a thread of its own, which is ended when one does not come to an end. */
export class Measuring {
  readonly #hangsMs: number
  #worker: Worker | null = null

  constructor(hangsMs = HANGS_MS) {
    this.#hangsMs = hangsMs
  }

  async measure({ source, flags }: Timed, { all = false }: { readonly all?: boolean } = {}): Promise<Measured> {
    this.#worker ??= new Worker(new URL('./measuring-worker.js', import.meta.url))
    const count = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
    const worker = this.#worker
    const answer = new Promise<Measured>((resolve) => worker.once('message', (result: Measured) => resolve(result)))
    worker.postMessage({ source, flags, all, count } satisfies Order)
    const result = await Promise.race([answer, this.#stuck(new Int32Array(count))])
    if (typeof result !== 'number') return result
    await this.close()
    return { slow: true, ms: Infinity, head: `head ${result}` }
  }

  /** Resolves with the number of the head at which the worker stays. */
  async #stuck(count: Int32Array): Promise<number> {
    for (let last = -1; ;) {
      const now = Atomics.load(count, 0)
      if (now === last) return now
      last = now
      await pause(this.#hangsMs)
    }
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
    this.#worker = null
  }
}
