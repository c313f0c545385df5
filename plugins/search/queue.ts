import { Fault, resource } from '../../core/sdk/index.js'

/** More waiting searches than this are sent to the next vendor instead. */
const MOST_WAITING = 5

/** A queue in which one piece of work is done at a time, with a pause after each. */
export class Queue {
  #last: Promise<void> = Promise.resolve()
  #waiting = 0

  /** Does the work when its turn comes. Throws a `busy` Fault when the queue is long, and the signal's reason when stopped while waiting. */
  async run<T>(pauseMs: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MOST_WAITING) throw new Fault('busy', 'Too many searches are waiting for their turn.', { retryAfterSeconds: 2 })
    this.#waiting++
    const before = this.#last
    let leave = (): void => undefined
    this.#last = new Promise((resolve) => {
      leave = resolve
    })
    try {
      await before
      signal.throwIfAborted()
      return await work()
    } finally {
      this.#waiting--
      setTimeout(leave, pauseMs).unref()
    }
  }
}

/** The one queue of all searches at DuckDuckGo, which blocks addresses that ask quickly. */
export const duckduckgoQueue = resource<Queue>({ id: 'search.duckduckgo-queue', open: () => Promise.resolve(new Queue()) })
