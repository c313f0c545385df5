import { Fault } from '../../../../core/sdk/index.js'
import type { Cancel } from '../../../../core/runtime/cancel.js'

interface Waiting {
  readonly until: number
  readonly resume: () => void
}

/**
 * The simulated time of one fixture case: it stops while the provider does anything but wait, and then jumps to the end of the shortest
 * wait.
 */
export class ScriptedTime {
  readonly #cancel: Cancel
  readonly #waiting: Waiting[] = []
  #now = 0
  #running = 0
  #passing = false

  constructor(cancel: Cancel) {
    this.#cancel = cancel
  }

  timeLeft(): number {
    return Math.max(0, this.#cancel.timeLeft() - this.#now)
  }

  /** Work during which no wait ends. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#running++
    try {
      return await work()
    } finally {
      this.#running--
    }
  }

  /** A wait beyond the deadline is a `busy` Fault, as in the waterfall for a try that took too long. */
  async wait(ms: number): Promise<void> {
    const left = this.timeLeft()
    await new Promise<void>((resume) => {
      this.#waiting.push({ until: this.#now + ms, resume })
      void this.#pass()
    })
    if (ms >= left) throw new Fault('busy', 'The provider took too long.')
  }

  async #pass(): Promise<void> {
    if (this.#passing) return
    this.#passing = true
    while (this.#waiting.length > 0) {
      do await new Promise<void>((resolve) => setImmediate(resolve))
      while (this.#running > 0)
      const [next] = this.#waiting.sort((one, other) => one.until - other.until).splice(0, 1)
      if (next === undefined) break
      this.#now = Math.max(this.#now, next.until)
      next.resume()
    }
    this.#passing = false
  }
}

/** Clean-ups of a provider. */
export class ScriptedCleanUps<Context> {
  readonly #left = new Set<(context: Context) => Promise<unknown>>()

  add(work: (context: Context) => Promise<unknown>): () => void {
    this.#left.add(work)
    return () => void this.#left.delete(work)
  }

  /** Runs the clean-ups that were not withdrawn, and returns their number. Faults of the vendor are ignored; rejects with any other error. */
  async run(context: Context): Promise<number> {
    let count = 0
    for (const work of this.#left) {
      this.#left.delete(work)
      count++
      try {
        await work(context)
      } catch (error) {
        if (!Fault.is(error)) throw error
      }
    }
    return count
  }
}
