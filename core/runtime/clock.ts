/** The gateway's source of time, replaceable in tests. */
export interface Clock {
  /** Wall clock, Unix milliseconds. */
  now(): number
  /** Milliseconds of the monotonic clock, for durations. */
  monotonic(): number
  /** Calls back once after `ms` milliseconds; the returned function cancels it. Never keeps the process alive. */
  after(ms: number, callback: () => void): () => void
  /** Calls back every `ms` milliseconds; the returned function stops it. Never keeps the process alive. */
  every(ms: number, callback: () => void): () => void
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
  every: (ms, callback) => {
    const timer = setInterval(callback, ms)
    timer.unref()
    return () => clearInterval(timer)
  },
}

/** A drift above this many milliseconds, sudden or gradual, counts as a clock jump. */
const MOST_DRIFT_MS = 5_000

/** Detects changes of the wall clock, for work that cannot be undone. */
export class ClockJumps {
  readonly #clock: Clock
  #lead: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#lead = this.#measure()
  }

  /** Milliseconds of a wall clock's jump since the last reported one, negative for backwards; 0 without one. */
  detect(): number {
    const lead = this.#measure()
    const ms = Math.round(lead - this.#lead)
    if (Math.abs(ms) <= MOST_DRIFT_MS) return 0
    this.#lead = lead
    return ms
  }

  /** Milliseconds by which the wall clock is ahead of the monotonic clock. */
  #measure(): number {
    return this.#clock.now() - this.#clock.monotonic()
  }
}
