import type { Clock } from '../clock.js'
import { Problem } from '../problems/problem.js'
import { recentlyUsed, type Recent } from '../recent.js'

const WINDOW_MS = 60_000

/** Counts calls that were given up before their answer: work done for nothing must not be free without end. */
export class AbortLimit {
  readonly #most: number
  readonly #counts: Recent<{ count: number; until: number }>
  readonly #clock: Clock

  constructor(clock: Clock, most: number) {
    this.#clock = clock
    this.#most = most
    this.#counts = recentlyUsed(100_000, { ttl: WINDOW_MS, perf: { now: () => clock.monotonic() } })
  }

  count(key: string): void {
    const known = this.#counts.get(key)
    if (known === undefined) this.#counts.set(key, { count: 1, until: this.#clock.monotonic() + WINDOW_MS })
    else known.count++
  }

  /** Throws `rate-limited` when the key gave up too many calls within a minute. */
  refuse(key: string): void {
    const known = this.#counts.get(key)
    if (known === undefined || known.count <= this.#most) return
    const seconds = Math.max(1, Math.ceil((known.until - this.#clock.monotonic()) / 1000))
    throw new Problem(
      'rate-limited',
      `This key gave up more than ${this.#most} calls within a minute; wait ${seconds} seconds or send an Idempotency-Key.`,
      {
        retryAfterSeconds: seconds,
      },
    )
  }
}
