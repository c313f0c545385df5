import { Fault } from '../../core/sdk/index.js'

interface FairQueueOptions {
  /** How many may run at once. */
  readonly places: number
  /** How many of one caller may run at once, default all. A value below `places` reserves some for others. */
  readonly perCaller?: number
  /** How many may wait. */
  readonly waiting: number
  /** How many of one caller may wait, default all. */
  readonly waitingPerCaller?: number
  /** The error message when too many wait. */
  readonly full: string
  /** The error message when a wait was ended. */
  readonly late: string
}

interface Waiter {
  readonly caller: string
  readonly enter: () => void
}

/** A bounded number of places. A free place goes to the caller with the fewest, then to the first in line. */
export class FairQueue {
  readonly #options: FairQueueOptions
  readonly #running = new Map<string, number>()
  readonly #queue: Waiter[] = []
  /** Callers who have released their place for a while. */
  readonly #away: string[] = []
  #total = 0

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  /** Places in use. */
  get running(): number {
    return this.#total
  }

  /**
   * Takes a place, waiting if needed; the returned function releases it. Rejects with a `busy` Fault when too many
   * wait or the signal is aborted first. With `returning`, a former holder waits ahead of the others, regardless of
   * the queue limit.
   */
  async take(caller: string, signal: AbortSignal, { returning = false }: { readonly returning?: boolean } = {}): Promise<() => void> {
    if (this.#admits(caller)) this.#enter(caller)
    else await this.#wait(caller, signal, returning)
    return () => this.#leave(caller)
  }

  /**
   * Registers that a caller holding a place is about to release it and come back; the returned function ends that.
   * Null when too many of this caller (half the places) or of all callers (all places) are away already: the caller
   * then keeps its place.
   */
  goAway(caller: string): (() => void) | null {
    const { places } = this.#options
    const own = this.#away.filter((each) => each === caller).length
    if (this.#away.length >= places || own >= Math.max(1, Math.floor(places / 2))) return null
    this.#away.push(caller)
    return () => void this.#away.splice(this.#away.indexOf(caller), 1)
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

  #wait(caller: string, signal: AbortSignal, returning: boolean): Promise<void> {
    const { waiting, waitingPerCaller = Infinity, full } = this.#options
    const own = this.#queue.filter((waiter) => waiter.caller === caller).length
    if (!returning && (this.#queue.length >= waiting || own >= waitingPerCaller))
      return Promise.reject(new Fault('busy', full, { retryAfterSeconds: 5 }))
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
        reject(new Fault('busy', this.#options.late))
      }
      const remove = (): void => {
        signal.removeEventListener('abort', leave)
        const place = this.#queue.indexOf(waiter)
        if (place !== -1) this.#queue.splice(place, 1)
      }
      if (signal.aborted) return leave()
      if (returning) this.#queue.unshift(waiter)
      else this.#queue.push(waiter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }
}
