import type { Clock } from '../clock.js'
import { recentlyUsed } from '../recent.js'
import { admits, arrivalAhead, monotonicUs, outcomeAhead, partsAhead, REQUEST, stateAhead, type ArrivalTime } from './gcra.js'
import { MOST_TRACKED, type RateLimit, type RateOutcome, type RateState } from './rate.js'

/**
 * The limit without windows (GCRA), in this process's memory: requests come back one by one, 60 s / limit apart, up to `limit` of them.
 * A refused request costs nothing. Counted by the monotonic clock, so that a wall clock that jumps changes Reset alone.
 */
export class MemorySmoothLimit implements RateLimit {
  readonly #clock: Clock
  /** In monotonic microseconds. */
  readonly #arrivals = recentlyUsed<ArrivalTime>(MOST_TRACKED)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  consume(id: string, limit: number): Promise<RateOutcome> {
    const now = monotonicUs(this.#clock)
    const before = this.#ahead(id, limit, now)
    const admitted = admits(before, limit)
    const after = admitted ? before + REQUEST : before
    if (admitted) this.#arrivals.set(id, arrivalAhead(after, now, limit))
    return Promise.resolve(outcomeAhead(after, limit, { admitted, unixUs: this.#unixUs() }))
  }

  peek(id: string, limit: number): Promise<RateState> {
    return Promise.resolve(stateAhead(this.#ahead(id, limit, monotonicUs(this.#clock)), limit, this.#unixUs()))
  }

  #ahead(id: string, limit: number, now: number): number {
    const arrival = this.#arrivals.get(id)
    return arrival === undefined ? 0 : partsAhead(arrival, now, limit)
  }

  #unixUs(): number {
    return this.#clock.now() * 1000
  }
}
