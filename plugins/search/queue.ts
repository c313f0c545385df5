import { Fault, resource } from '../../core/sdk/index.js'

/** More waiting searches are sent to the next vendor instead. */
const MOST_WAITING = 5

/** A queue that runs one task at a time, with a pause after each. */
export class Queue {
  #last: Promise<void> = Promise.resolve()
  #waiting = 0

  /** Runs the work in turn. Throws a `busy` Fault when the queue is full, and the signal's reason when aborted while waiting. */
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

/** The single queue of all DuckDuckGo searches, since it blocks addresses with frequent requests. */
export const duckduckgoQueue = resource<Queue>({ id: 'search.duckduckgo-queue', open: () => Promise.resolve(new Queue()) })
