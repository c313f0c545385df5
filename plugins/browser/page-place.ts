import type { FreshPages } from './fresh-pages.js'
import type { FairQueue } from '../_shared/fair-queue.js'

/** What page work receives beside its browser. */
export interface PageSlot {
  /** Empty pages of the browser; null when it is opened for one page only. */
  readonly fresh: FreshPages | null
  /** The place of the page is released when this settles, not with the result of the work. It must not reject. */
  readonly afterwards: (rest: Promise<void>) => void
  /** Runs work that the open page only waits for. Its place is released meanwhile and taken again afterwards, unless too many do so. */
  readonly releaseWhile: <T>(work: () => Promise<T>) => Promise<T>
}

/** A place in a queue, held for one page. */
export class PagePlace {
  readonly #queue: FairQueue
  readonly #caller: string
  readonly #signal: AbortSignal
  #leave: (() => void) | null

  private constructor(queue: FairQueue, caller: string, signal: AbortSignal, leave: () => void) {
    this.#queue = queue
    this.#caller = caller
    this.#signal = signal
    this.#leave = leave
  }

  /** Waits for a place. Rejects as `FairQueue.take`. */
  static async take(queue: FairQueue, caller: string, signal: AbortSignal): Promise<PagePlace> {
    return new PagePlace(queue, caller, signal, await queue.take(caller, signal))
  }

  /**
   * Runs work without the place, unless too many do so. Rejects as the work, or with a `busy` Fault when the call
   * ends before a place is free again.
   */
  async releaseWhile<T>(work: () => Promise<T>): Promise<T> {
    const comeBack = this.#queue.goAway(this.#caller)
    if (comeBack === null) return await work()
    this.leave()
    try {
      return await work()
    } finally {
      this.#leave = await this.#queue.take(this.#caller, this.#signal, { returning: true }).finally(comeBack)
    }
  }

  /** Releases the place, if held. */
  leave(): void {
    const leave = this.#leave
    this.#leave = null
    leave?.()
  }
}
