import type { Clock } from './clock.js'

/** Clocks that have parted by more than this, in milliseconds, at once or little by little, have jumped. */
const MOST_DRIFT_MS = 5_000

/** Notices a wall clock that was set, for work whose mistakes cannot be taken back. */
export class ClockJumps {
  readonly #clock: Clock
  #lead: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#lead = this.#measure()
  }

  /** Milliseconds by which the wall clock jumped since the last jump that was told, negative for backwards; 0 when it did not. */
  look(): number {
    const lead = this.#measure()
    const ms = Math.round(lead - this.#lead)
    if (Math.abs(ms) <= MOST_DRIFT_MS) return 0
    this.#lead = lead
    return ms
  }

  /** By how much the wall clock is ahead of the one that never jumps. */
  #measure(): number {
    return this.#clock.now() - this.#clock.monotonic()
  }
}
