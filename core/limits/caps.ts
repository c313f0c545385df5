import type { Clock } from '../runtime/clock.js'
import { recentlyUsed, type Recent } from '../runtime/recent.js'

/** Most counts tracked; beyond, the least recently used one is dropped. */
export const MOST_CAPS = 100_000

/** An amount to take from a cap. */
export interface CapOrder {
  /** The count, already a digest; its `windowMs` never changes. */
  readonly id: string
  readonly most: number
  /** Windows are counted from the Unix epoch, so that days are those of UTC. */
  readonly windowMs: number
  /** 0 only reads. */
  readonly amount: number
}

export interface CapOutcome {
  readonly taken: boolean
  /** Left after that, never negative. */
  readonly left: number
  /** The number of the window. */
  readonly window: number
  /** Unix milliseconds. */
  readonly endsAt: number
  /** Until then, in milliseconds. */
  readonly leftMs: number
}

/** A taken amount to return. */
export type CapReturn = Pick<CapOrder, 'id' | 'windowMs' | 'amount'> & Pick<CapOutcome, 'window'>

/** Counts of caps by window. */
export interface CapCounts {
  take(order: CapOrder): Promise<CapOutcome>
  giveBack(taken: CapReturn): Promise<void>
}

interface WindowCount {
  window: number
  used: number
}

/** Counts in this process's memory. */
export class MemoryCaps implements CapCounts {
  readonly #clock: Clock
  readonly #counts: Recent<WindowCount> = recentlyUsed(MOST_CAPS)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  take({ id, most, windowMs, amount }: CapOrder): Promise<CapOutcome> {
    const now = this.#clock.now()
    const count = this.#counts.get(id) ?? { window: 0, used: 0 }
    const window = Math.floor(now / windowMs)
    // A clock that was set back does not reset a count.
    if (window > count.window) Object.assign(count, { window, used: 0 })
    const taken = amount > 0 && count.used + amount <= most
    if (taken) {
      count.used += amount
      this.#counts.set(id, count)
    }
    const endsAt = (count.window + 1) * windowMs
    return Promise.resolve({
      taken,
      left: Math.max(0, most - count.used),
      window: count.window,
      endsAt,
      leftMs: Math.max(0, endsAt - now),
    })
  }

  giveBack({ id, window, amount }: CapReturn): Promise<void> {
    const count = this.#counts.get(id)
    if (count?.window === window) count.used = Math.max(0, count.used - amount)
    return Promise.resolve()
  }
}
