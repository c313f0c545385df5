import { RateLimiterMemory, RateLimiterRedis, type RateLimiterAbstract, type RateLimiterRes } from 'rate-limiter-flexible'
import type { Clock } from '../runtime/clock.js'
import { recentlyUsed } from '../runtime/recent.js'
import { LimiterClient } from '../redis/limiter-client.js'
import type { RedisLink } from '../redis/types.js'

/** How long a count that replicas share is used without asking again, in milliseconds. */
const FRESH_MS = 1_000
const MOST_IDS = 100_000

export interface EventLimitOptions {
  /** Stands in the names of keys in Redis. */
  readonly name: string
  readonly clock: Clock
  /** Events of one id that a window may hold, or the sum of their amounts. */
  readonly allowed: number
  readonly windowSeconds: number
  /** What replicas share; null counts in this process's memory alone. */
  readonly shared: {
    readonly link: RedisLink
    /** Replicas that run, at least 1: while Redis does not answer each allows its share. */
    readonly replicas: () => number
  } | null
}

/** What was counted for an id in the window that runs. */
export interface EventCount {
  /** More than are allowed. */
  readonly exceeded: boolean
  /** How many more, over all replicas. */
  readonly over: number
  /** When the window ends; monotonic milliseconds. */
  readonly until: number
}

interface Known extends EventCount {
  readonly askedAt: number
}

/** Counts events by id in windows that begin with the first event, over all replicas where there is a Redis. At most 100,000 ids are followed here. */
export class EventLimit {
  readonly #options: EventLimitOptions
  readonly #memory: RateLimiterMemory
  readonly #limiter: RateLimiterAbstract
  readonly #known = recentlyUsed<Known>(MOST_IDS, { dispose: (_, id, reason) => void (reason === 'evict' && this.#memory.delete(id)) })

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

  /** Counts one event, or so many; what is then counted. Never rejects. */
  async count(id: string, amount = 1): Promise<EventCount> {
    return await this.#ask(id, (limiter) => limiter.penalty(id, amount))
  }

  /** What was counted, at most a second ago over all replicas; a promise where the limiter is asked. Never rejects. */
  look(id: string): EventCount | null | Promise<EventCount | null> {
    const known = this.#known.get(id)
    if (known !== undefined && this.#options.clock.monotonic() - known.askedAt < FRESH_MS) return this.#running(known)
    return this.#ask(id, (limiter) => limiter.get(id)).then((asked) => this.#running(asked))
  }

  /** What was counted as this process last learnt, without asking. */
  known(id: string): EventCount | null {
    return this.#running(this.#known.get(id))
  }

  #running(known: Known | undefined): EventCount | null {
    return known === undefined || known.until <= this.#options.clock.monotonic() ? null : known
  }

  async #ask(id: string, question: (limiter: RateLimiterAbstract) => Promise<RateLimiterRes | null>): Promise<Known> {
    const { clock, allowed, windowSeconds, shared } = this.#options
    // What the library falls back on, when Redis does not answer.
    if (shared !== null) this.#memory.points = Math.ceil(allowed / Math.max(1, shared.replicas())) + 1
    const askedAt = clock.monotonic()
    const counted = await question(this.#limiter)
    // The library goes by the wall clock, which may be set back.
    const leftMs = counted === null ? 0 : Math.min(windowSeconds * 1000, Math.max(0, counted.msBeforeNext))
    const over = Math.max(0, (counted?.consumedPoints ?? 0) - allowed)
    return this.#learn(id, { exceeded: counted?.remainingPoints === 0, over, until: askedAt + leftMs, askedAt })
  }

  /** Replies may come in any order, and a count never falls within its window. */
  #learn(id: string, told: Known): Known {
    const before = this.#known.get(id)
    const stands = before !== undefined && before.exceeded && !told.exceeded && before.until > told.askedAt
    const known = stands ? { ...before, askedAt: told.askedAt } : told
    this.#known.set(id, known)
    return known
  }
}
