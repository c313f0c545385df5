import { Problem } from '../problems/problem.js'
import type { Clock } from '../runtime/clock.js'
import { type Recent, recentlyUsed } from '../runtime/recent.js'
import { type EventCount, EventLimit, type EventLimitOptions } from './event-limit.js'

const WINDOW_SECONDS = 60
const MOST_ACCOUNTS = 100_000

/** Use that vendors charge for: tokens of models, input and output together, and calls that vendors answered. */
export interface VendorUse {
  readonly tokens: number
  readonly calls: number
}

/** A limit that each paid call of an account passes. */
export interface AccountLimit {
  /** Throws, or rejects with, a Problem that says how long to wait. */
  refuse(account: string): void | Promise<void>
}

/**
 * Limits per account the vendor use of calls that are not charged: `limits.unpaid_tokens` and
 * `limits.unpaid_vendor_calls` a minute, over all replicas.
 */
export class UnpaidUse implements AccountLimit {
  readonly #tokens: Minutes
  readonly #calls: Minutes

  constructor(clock: Clock, most: VendorUse, shared: EventLimitOptions['shared'] = null) {
    const minutes = (name: string, allowed: number): Minutes =>
      new Minutes(new EventLimit({ name, clock, allowed, windowSeconds: WINDOW_SECONDS, shared }), { clock, allowed })
    this.#tokens = minutes('unpaid-tokens', most.tokens)
    this.#calls = minutes('unpaid-calls', most.calls)
  }

  /** Counts the vendor use of one call of an account. */
  count(account: string, { tokens, calls }: VendorUse): void {
    if (tokens > 0) void this.#tokens.count(account, tokens)
    if (calls > 0) void this.#calls.count(account, calls)
  }

  /** Throws, or rejects with, `rate-limited` while the account has used more than a minute allows. */
  refuse(account: string): void | Promise<void> {
    const tokens = this.#tokens.waitSeconds(account)
    const calls = this.#calls.waitSeconds(account)
    if (typeof tokens === 'number' && typeof calls === 'number') return this.#assertWithin(tokens, calls)
    return Promise.all([tokens, calls]).then(([first, second]) => this.#assertWithin(first, second))
  }

  #assertWithin(tokens: number, calls: number): void {
    if (tokens > 0) throw refusal(`${this.#tokens.allowed} tokens of language models`, 'limits.unpaid_tokens', tokens)
    if (calls > 0) throw refusal(`${this.#calls.allowed} calls that vendors charge for`, 'limits.unpaid_vendor_calls', calls)
  }
}

function refusal(what: string, setting: string, seconds: number): Problem {
  return new Problem(
    'rate-limited',
    `Calls of this account that were not charged used more than ${what} within a minute (${setting}); wait ${seconds} seconds.`,
    { retryAfterSeconds: seconds, action: `Send calls that can succeed, or ask the operator for a higher ${setting}.` },
  )
}

/**
 * Amounts by account and minute. Concurrent calls can use many times a minute's limit before the first of them is
 * counted: the excess that this process counted is counted again in the next minute, so that the limit applies on
 * average.
 */
class Minutes {
  readonly allowed: number
  readonly #clock: Clock
  readonly #events: EventLimit
  /** Excess that this process counted in the latest minute of an account. */
  readonly #carried: Recent<number> = recentlyUsed(MOST_ACCOUNTS)

  constructor(events: EventLimit, { clock, allowed }: { readonly clock: Clock; readonly allowed: number }) {
    this.#events = events
    this.#clock = clock
    this.allowed = allowed
  }

  async count(account: string, amount: number): Promise<EventCount> {
    const counted = await this.#events.count(account, amount)
    const over = Math.min(amount, counted.over)
    if (over > 0) this.#carried.set(account, (this.#carried.get(account) ?? 0) + over)
    return counted
  }

  /** Seconds until the account is within its limit, 0 when it is; a promise when the count must be read. */
  waitSeconds(account: string): number | Promise<number> {
    const counted = this.#events.current(account)
    if (counted !== null && !(counted instanceof Promise)) return this.#secondsOf(account, counted)
    if (counted === null && !this.#carried.has(account)) return 0
    return Promise.resolve(counted).then(async (count) => this.#secondsOf(account, count ?? (await this.#countCarried(account))))
  }

  #secondsOf(account: string, counted: EventCount | null): number {
    if (counted?.exceeded !== true) return 0
    const further = Math.max(0, Math.ceil((this.#carried.get(account) ?? 0) / this.allowed) - 1)
    return Math.max(1, Math.ceil((counted.until - this.#clock.monotonic()) / 1000)) + further * WINDOW_SECONDS
  }

  /** Counts the excess of the last minute in the one that begins; null without any. */
  async #countCarried(account: string): Promise<EventCount | null> {
    const carried = this.#carried.get(account)
    if (carried === undefined) return null
    this.#carried.delete(account)
    return await this.count(account, carried)
  }
}

/** Bounds unpaid work: limits calls aborted before their answer, or failed at a deadline or a time or memory limit. */
export class AbortLimit implements AccountLimit {
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
