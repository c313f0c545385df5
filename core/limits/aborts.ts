import type { Clock } from '../runtime/clock.js'
import { Problem } from '../problems/problem.js'
import { EventLimit, type EventCount, type EventLimitOptions } from './event-limit.js'

const WINDOW_SECONDS = 60

/** Bounds unpaid work: limits calls aborted before their answer, or failed at a deadline or a time or memory limit. */
export class AbortLimit {
  readonly #clock: Clock
  readonly #most: number
  readonly #events: EventLimit

  /** Allows `most` in a minute that begins with an account's first, over all replicas. */
  constructor(clock: Clock, most: number, shared: EventLimitOptions['shared'] = null) {
    this.#clock = clock
    this.#most = most
    this.#events = new EventLimit({ name: 'aborts', clock, allowed: most, windowSeconds: WINDOW_SECONDS, shared })
  }

  /** Counts one such call of an account. */
  count(account: string): void {
    void this.#events.count(account)
  }

  /** Throws, or rejects with, `rate-limited` when the account aborted too many calls within a minute. */
  refuse(account: string): void | Promise<void> {
    const counted = this.#events.current(account)
    return counted instanceof Promise ? counted.then((count) => this.#assertFew(count)) : this.#assertFew(counted)
  }

  #assertFew(counted: EventCount | null): void {
    if (counted?.exceeded !== true) return
    const seconds = Math.max(1, Math.ceil((counted.until - this.#clock.monotonic()) / 1000))
    throw new Problem(
      'rate-limited',
      `This account aborted more than ${this.#most} calls within a minute, or sent calls that failed at their deadline or at a time or memory limit; wait ${seconds} seconds. Calls with an Idempotency-Key are never aborted.`,
      { retryAfterSeconds: seconds },
    )
  }
}
