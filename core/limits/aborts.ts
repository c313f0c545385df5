import type { Clock } from '../clock.js'
import { Problem } from '../problems/problem.js'
import { recentlyUsed, type Recent } from '../recent.js'

/** Aborts are counted in windows of this many milliseconds; a window begins with its first abort. */
export const ABORT_WINDOW_MS = 60_000
const MOST_ACCOUNTS = 100_000

/** Limits calls that were given up before their answer, or failed at a limit of time or memory: work done for nothing must not be free without end. */
export interface AbortLimit {
  /** Counts one such call of an account. */
  count(account: string): void
  /** Rejects with `rate-limited` when the account gave up too many calls within a minute. */
  refuse(account: string): Promise<void>
}

/** Aborts of one account in a window that runs. */
export interface AbortWindow {
  readonly count: number
  /** Monotonic milliseconds. */
  readonly until: number
}

/** The abort limit in this process's memory. */
export class MemoryAbortLimit implements AbortLimit {
  readonly #most: number
  readonly #windows: Recent<AbortWindow>
  readonly #clock: Clock

  constructor(clock: Clock, most: number) {
    this.#clock = clock
    this.#most = most
    this.#windows = recentlyUsed(MOST_ACCOUNTS, { ttl: ABORT_WINDOW_MS, perf: { now: () => clock.monotonic() } })
  }

  count(account: string): void {
    const { count, until } = this.window(account) ?? { count: 0, until: this.#clock.monotonic() + ABORT_WINDOW_MS }
    this.#windows.set(account, { count: count + 1, until })
  }

  refuse(account: string): Promise<void> {
    const window = this.window(account)
    if (window === null || window.count <= this.#most) return Promise.resolve()
    return Promise.reject(tooManyAborts(this.#most, window.until - this.#clock.monotonic()))
  }

  /** What was counted in the window that runs, or null. */
  window(account: string): AbortWindow | null {
    const window = this.#windows.get(account)
    return window === undefined || window.until <= this.#clock.monotonic() ? null : window
  }
}

/** The refusal of an account that gave up too many calls; `leftMs` until its window ends. */
export function tooManyAborts(most: number, leftMs: number): Problem {
  const seconds = Math.max(1, Math.ceil(leftMs / 1000))
  return new Problem(
    'rate-limited',
    `This account gave up more than ${most} calls within a minute, or sent what ran into limits of time or memory; wait ${seconds} seconds. Calls with an Idempotency-Key are never given up.`,
    { retryAfterSeconds: seconds },
  )
}
