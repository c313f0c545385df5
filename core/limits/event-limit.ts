import { RateLimiterMemory, RateLimiterRedis, type RateLimiterAbstract, type RateLimiterRes } from 'rate-limiter-flexible'
import type { Clock } from '../runtime/clock.js'
import { recentlyUsed } from '../runtime/recent.js'
import { LimiterClient } from '../redis/limiter-client.js'
import type { RedisLink } from '../redis/types.js'

/** How long a shared count is used without reading it again, in milliseconds. */
const FRESH_MS = 1_000
const MOST_IDS = 100_000

export interface EventLimitOptions {
  /** Part of the key names in Redis. */
  readonly name: string
  readonly clock: Clock
  /** Events of one id that a window may hold, or the sum of their amounts. */
  readonly allowed: number
  readonly windowSeconds: number
  /** Shares counts between replicas; null counts in this process's memory only. */
  readonly shared: {
    readonly link: RedisLink
    /** Number of running replicas, at least 1: without Redis each allows its share. */
    readonly replicas: () => number
  } | null
}

/** The count of an id in the current window. */
export interface EventCount {
  /** True when more than allowed. */
  readonly exceeded: boolean
  /** How many more, over all replicas. */
  readonly over: number
  /** When the window ends; monotonic milliseconds. */
  readonly until: number
}

interface ReadCount extends EventCount {
  readonly readAt: number
}

/** Counts events by id in windows that begin with the first event, shared through Redis; tracks at most 100,000 ids. */
export class EventLimit {
  readonly #options: EventLimitOptions
  readonly #memory: RateLimiterMemory
  readonly #limiter: RateLimiterAbstract
  readonly #known = recentlyUsed<ReadCount>(MOST_IDS, {
    dispose: (_, id, reason) => void (reason === 'evict' && this.#memory.delete(id)),
  })

  constructor(options: EventLimitOptions) {
    const { name, allowed, windowSeconds, shared } = options
    const limits = { keyPrefix: `capstan:${name}`, points: allowed + 1, duration: windowSeconds }
    this.#options = options
    this.#memory = new RateLimiterMemory(limits)
    this.#limiter =
      shared === null
        ? this.#memory
        : new RateLimiterRedis({ ...limits, storeClient: new LimiterClient(shared.link), insuranceLimiter: this.#memory })
  }

  /** Counts one event, or `amount`; returns the new count. Never rejects. */
  async count(id: string, amount = 1): Promise<EventCount> {
    return await this.#query(id, (limiter) => limiter.penalty(id, amount))
  }

  /** The count over all replicas, at most a second old; a promise when it must be read. Never rejects. */
  current(id: string): EventCount | null | Promise<EventCount | null> {
    const known = this.#known.get(id)
    if (known !== undefined && this.#options.clock.monotonic() - known.readAt < FRESH_MS) return this.#running(known)
    return this.#query(id, (limiter) => limiter.get(id)).then((count) => this.#running(count))
  }

  /** The count last read by this process. */
  known(id: string): EventCount | null {
    return this.#running(this.#known.get(id))
  }

  #running(known: ReadCount | undefined): EventCount | null {
    return known === undefined || known.until <= this.#options.clock.monotonic() ? null : known
  }

  async #query(id: string, command: (limiter: RateLimiterAbstract) => Promise<RateLimiterRes | null>): Promise<ReadCount> {
    const { clock, allowed, windowSeconds, shared } = this.#options
    // The library's fallback while Redis does not answer.
    if (shared !== null) this.#memory.points = Math.ceil(allowed / Math.max(1, shared.replicas())) + 1
    const readAt = clock.monotonic()
    const counted = await command(this.#limiter)
    // The library uses the wall clock, which may be set back.
    const leftMs = counted === null ? 0 : Math.min(windowSeconds * 1000, Math.max(0, counted.msBeforeNext))
    const over = Math.max(0, (counted?.consumedPoints ?? 0) - allowed)
    return this.#remember(id, { exceeded: counted?.remainingPoints === 0, over, until: readAt + leftMs, readAt })
  }

  /** Replies may arrive in any order, and a count never falls within its window. */
  #remember(id: string, latest: ReadCount): ReadCount {
    const before = this.#known.get(id)
    const stillExceeded = before !== undefined && before.exceeded && !latest.exceeded && before.until > latest.readAt
    const known = stillExceeded ? { ...before, readAt: latest.readAt } : latest
    this.#known.set(id, known)
    return known
  }
}
