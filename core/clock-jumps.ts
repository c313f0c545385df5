import type { Clock } from './clock.js'

/** Clocks that part by more than this between two looks, in milliseconds, have jumped; slower ones are being corrected. */
const MOST_DRIFT_MS = 5_000

/** Notices a wall clock that was set, for work whose mistakes cannot be taken back. */
export class ClockJumps {
  readonly #clock: Clock
  #lead: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#lead = this.#measure()
  }

  /** Milliseconds by which the wall clock jumped since the last look, negative for backwards; 0 when it did not. */
  look(): number {
    const lead = this.#measure()
    const ms = Math.round(lead - this.#lead)
    this.#lead = lead
    return Math.abs(ms) > MOST_DRIFT_MS ? ms : 0
  }

  /** By how much the wall clock is ahead of the one that never jumps. */
  #measure(): number {
    return this.#clock.now() - this.#clock.monotonic()
  }
}
