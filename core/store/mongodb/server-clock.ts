import type { Clock } from '../../runtime/clock.js'

/** The caller's clock; a simulated one also has the server's time. */
export type CallerClock = Pick<Clock, 'now'> & Partial<Pick<Clock, 'monotonic'>> & { readonly serverTime?: () => number }

/** Differences below this, in ms, may come from the round trip that measured them. */
const NOISE_MS = 1000

/** Without a caller's clock, a time within this of the server's (ms) is corrected; others are no clock readings. */
const READING_MS = 1_800_000

/**
 * The database server's clock, which decides about holds, locks and leases of all gateways: a gateway whose own clock
 * is wrong or jumps neither undoes the work of others nor loses its own. Measured at the start and with every renewal
 * of the lease; in between the monotonic clock counts.
 */
export class ServerClock {
  readonly #caller: CallerClock | null
  #server = 0
  #monotonic = 0

  constructor(caller: CallerClock | null) {
    this.#caller = caller
    this.measured(caller?.serverTime?.() ?? caller?.now() ?? Date.now())
  }

  /** True when the server's time is simulated: the real server's time differs. */
  get simulated(): boolean {
    return this.#caller?.serverTime !== undefined
  }

  /** Sets the server's current time, in Unix ms. */
  measured(time: number): void {
    this.#server = time
    this.#monotonic = this.monotonic()
  }

  monotonic(): number {
    return this.#caller?.monotonic?.() ?? performance.now()
  }

  /** The server's time, in Unix ms. */
  now(): number {
    return this.#caller?.serverTime?.() ?? this.#server + this.monotonic() - this.#monotonic
  }

  /** The correction, in ms, for the times of a caller whose clock showed `now`. */
  shift(now: number): number {
    if (this.#caller === null) {
      const apart = this.now() - now
      return Math.abs(apart) < NOISE_MS || Math.abs(apart) > READING_MS ? 0 : Math.round(apart)
    }
    const apart = this.now() - this.#caller.now()
    return Math.abs(apart) < NOISE_MS ? 0 : Math.round(apart)
  }

  /** Converts a time of the caller's clock to the server's clock. */
  correct(now: number): number {
    return now + this.shift(now)
  }
}
