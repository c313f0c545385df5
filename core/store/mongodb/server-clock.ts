import type { Clock } from '../../runtime/clock.js'

/** The caller's clock; a simulated one also says what the server's clock shows. */
export type CallerClock = Pick<Clock, 'now'> & Partial<Pick<Clock, 'monotonic'>> & { readonly serverTime?: () => number }

/** Differences below this, in ms, may be those of the round trip that measured them. */
const NOISE_MS = 1000

/** Without a clock to compare, a caller's time within this of the server's, in ms, is a reading of a wrong clock; beyond it is no reading at all. */
const READING_MS = 1_800_000

/**
 * The database server's clock, by which holds, locks and leases of all gateways are judged: a gateway whose own clock is wrong, or jumps,
 * neither undoes the work of others nor loses its own. Measured at the start and with every renewal of the lease; between, the monotonic
 * clock counts.
 */
export class ServerClock {
  readonly #caller: CallerClock | null
  #server = 0
  #monotonic = 0

  constructor(caller: CallerClock | null) {
    this.#caller = caller
    this.measured(caller?.serverTime?.() ?? caller?.now() ?? Date.now())
  }

  /** True when the server's time is simulated, and asking the server would say something else. */
  get simulated(): boolean {
    return this.#caller?.serverTime !== undefined
  }

  /** What the server's clock shows now, in Unix ms. */
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

  /** What is to be added to the times of a caller who read `now` from its clock, in ms. */
  shift(now: number): number {
    if (this.#caller === null) {
      const apart = this.now() - now
      return Math.abs(apart) < NOISE_MS || Math.abs(apart) > READING_MS ? 0 : Math.round(apart)
    }
    const apart = this.now() - this.#caller.now()
    return Math.abs(apart) < NOISE_MS ? 0 : Math.round(apart)
  }

  /** A caller's reading of its clock, as the server's clock would show it. */
  correct(now: number): number {
    return now + this.shift(now)
  }
}
