import type { RateLimiterRes } from 'rate-limiter-flexible'
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import type { Clock } from '../runtime/clock.js'
import { Problem } from '../problems/problem.js'
import { TrackedIds } from './tracked.js'

const WINDOW_SECONDS = 60

/** The state of one limit after a request, for the X-RateLimit headers. */
export interface RateState {
  readonly limit: number
  readonly remaining: number
  /** Unix seconds; waiting until then is always enough. */
  readonly reset: number
}

/** The result of taking a point. */
export interface RateOutcome {
  readonly state: RateState
  readonly exceeded: boolean
  /** Whole seconds until a request may be admitted when exceeded, else 0. */
  readonly waitSeconds: number
}

/** A limit of requests a minute, one point each; in memory or shared by replicas. */
export interface RateLimit {
  /** Takes a point; `exceeded` when there was none left. */
  consume(id: string, limit: number): Promise<RateOutcome>
  /** The state without taking a point. */
  peek(id: string, limit: number): Promise<RateState>
}

/** Counts requests in a minute that starts with the first, in this process's memory, for a bounded number of ids. */
export class MemoryRateLimit implements RateLimit {
  readonly #clock: Clock
  /** Counts only. The limit comes with each call, so that it may change within a window. */
  readonly #counter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS, keyPrefix: '' })
  readonly #tracked: TrackedIds<true>

  constructor(clock: Clock) {
    this.#clock = clock
    this.#tracked = new TrackedIds((id) => void this.#counter.delete(id))
  }

  async consume(id: string, limit: number): Promise<RateOutcome> {
    this.#tracked.set(id, true)
    const result = await this.#counter.consume(id)
    const exceeded = result.consumedPoints > limit
    const waitSeconds = exceeded ? Math.max(1, Math.ceil(inWindow(result) / 1000)) : 0
    return { state: this.#state(result, limit), exceeded, waitSeconds }
  }

  async peek(id: string, limit: number): Promise<RateState> {
    const now = await this.#counter.get(id)
    return now === null ? { limit, remaining: limit, reset: Math.ceil(this.#clock.now() / 1000) + WINDOW_SECONDS } : this.#state(now, limit)
  }

  #state(result: RateLimiterRes, limit: number): RateState {
    return {
      limit,
      remaining: Math.max(0, limit - result.consumedPoints),
      reset: Math.ceil((this.#clock.now() + inWindow(result)) / 1000),
    }
  }
}

/** Milliseconds until the window ends; at most its length, even when the wall clock jumped back. */
function inWindow({ msBeforeNext }: RateLimiterRes): number {
  return Math.min(WINDOW_SECONDS * 1000, Math.max(0, msBeforeNext))
}

/** The refusal of a request over its limit. */
export function rateLimited(limit: number, waitSeconds: number, whose: 'key' | 'address'): Problem {
  return new Problem('rate-limited', `This ${whose} may make ${limit} requests a minute; wait ${waitSeconds} seconds.`, {
    retryAfterSeconds: waitSeconds,
  })
}
