import { Fault } from '../sdk/index.js'
import type { Cancel } from '../cancel.js'

/** The time of one fixture case: waits pass at once and are taken off what is left of it. */
export class ScriptedTime {
  readonly #cancel: Cancel
  #waited = 0

  constructor(cancel: Cancel) {
    this.#cancel = cancel
  }

  timeLeft(): number {
    return Math.max(0, this.#cancel.timeLeft() - this.#waited)
  }

  /** A wait beyond the end is the end: a `busy` Fault, as the waterfall makes of a try that took too long. */
  async wait(ms: number): Promise<void> {
    await Promise.resolve()
    const left = this.timeLeft()
    this.#waited += ms
    if (ms >= left) throw new Fault('busy', 'The provider took too long.')
  }
}

/** Work a provider left behind its try. */
export class ScriptedCleanUps<Context> {
  readonly #left = new Set<(context: Context) => Promise<unknown>>()

  add(work: (context: Context) => Promise<unknown>): () => void {
    this.#left.add(work)
    return () => void this.#left.delete(work)
  }

  /** Does what was not withdrawn, and answers how much that was. What the vendor makes of it is nobody's concern; rejects with anything else. */
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
