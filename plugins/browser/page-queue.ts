import { Fault } from '../../core/sdk/index.js'

export interface PageQueueOptions {
  /** How many may run at once. */
  readonly places: number
  /** How many of one caller may run at once, default all. */
  readonly perCaller?: number
  /** How many may wait. */
  readonly waiting: number
  /** How many of one caller may wait, default all. */
  readonly waitingPerCaller?: number
  /** What a caller is told when too many wait. */
  readonly full: string
}

interface Waiter {
  readonly caller: string
  readonly enter: () => void
}

/** A bounded number of places. A free one goes to the caller who has the fewest, among equals to who came first. */
export class PageQueue {
  readonly #options: PageQueueOptions
  readonly #running = new Map<string, number>()
  readonly #queue: Waiter[] = []
  #total = 0

  constructor(options: PageQueueOptions) {
    this.#options = options
  }

  /** Places that are taken. */
  get running(): number {
    return this.#total
  }

  /**
   * Takes a place, waiting for one if needed; the returned function gives it back. Rejects with a `busy` Fault when too many wait, and
   * when the signal is aborted first.
   */
  async take(caller: string, signal: AbortSignal): Promise<() => void> {
    if (this.#admits(caller)) this.#enter(caller)
    else await this.#wait(caller, signal)
    return () => this.#leave(caller)
  }

  #admits(caller: string): boolean {
    const { places, perCaller = Infinity } = this.#options
    return this.#total < places && this.#of(caller) < perCaller
  }

  #of(caller: string): number {
    return this.#running.get(caller) ?? 0
  }

  #enter(caller: string): void {
    this.#total += 1
    this.#running.set(caller, this.#of(caller) + 1)
  }

  #leave(caller: string): void {
    this.#total -= 1
    const left = this.#of(caller) - 1
    if (left > 0) this.#running.set(caller, left)
    else this.#running.delete(caller)
    const next = this.#queue
      .filter((waiter) => this.#admits(waiter.caller))
      .reduce<Waiter | null>((best, waiter) => this.#first(best, waiter), null)
    next?.enter()
  }

  #first(best: Waiter | null, waiter: Waiter): Waiter {
    return best === null || this.#of(waiter.caller) < this.#of(best.caller) ? waiter : best
  }

  #wait(caller: string, signal: AbortSignal): Promise<void> {
    const { waiting, waitingPerCaller = Infinity, full } = this.#options
    const own = this.#queue.filter((waiter) => waiter.caller === caller).length
    if (this.#queue.length >= waiting || own >= waitingPerCaller) return Promise.reject(new Fault('busy', full, { retryAfterSeconds: 5 }))
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        caller,
        enter: () => {
          remove()
          this.#enter(caller)
          resolve()
        },
      }
      const leave = (): void => {
        remove()
        reject(new Fault('busy', 'the browser had no free page in time'))
      }
      const remove = (): void => {
        signal.removeEventListener('abort', leave)
        const place = this.#queue.indexOf(waiter)
        if (place !== -1) this.#queue.splice(place, 1)
      }
      if (signal.aborted) return leave()
      this.#queue.push(waiter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }
}
