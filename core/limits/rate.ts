import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Clock } from '../clock.js'
import { Problem } from '../problems/problem.js'
import { recentlyUsed, type Recent } from '../recent.js'

const WINDOW_SECONDS = 60
const MOST_TRACKED = 100_000

/** The state of one limit after a request, as the X-RateLimit headers say it. */
export interface RateState {
  readonly limit: number
  readonly remaining: number
  /** Unix seconds; waiting until then is always enough. */
  readonly reset: number
}

/** Counts requests in a minute that starts with the first one. One point a request; shared stores come behind the same calls. */
export interface RateLimit {
  /** Takes a point; `exceeded` when there was none left. */
  consume(id: string, limit: number): Promise<{ state: RateState; exceeded: boolean; waitSeconds: number }>
  /** The state without taking a point. */
  peek(id: string, limit: number): Promise<RateState>
}

/** The limit in this process's memory, bounded in how many ids it follows. */
export class MemoryRateLimit implements RateLimit {
  readonly #clock: Clock
  /** One limiter for each distinct limit: `points` belongs to the limiter, not to the call. */
  readonly #limiters = new Map<number, RateLimiterMemory>()
  readonly #tracked: Recent<RateLimiterMemory>

  constructor(clock: Clock) {
    this.#clock = clock
    this.#tracked = recentlyUsed(MOST_TRACKED, {
      dispose: (limiter, id, reason) => {
        if (reason === 'evict') void limiter.delete(id)
      },
    })
  }

  async consume(id: string, limit: number): Promise<{ state: RateState; exceeded: boolean; waitSeconds: number }> {
    const limiter = this.#limiter(limit)
    this.#tracked.set(id, limiter)
    try {
      return { state: this.#state(await limiter.consume(id), limit), exceeded: false, waitSeconds: 0 }
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      return { state: this.#state(refusal, limit), exceeded: true, waitSeconds: Math.max(1, Math.ceil(inWindow(refusal) / 1000)) }
    }
  }

  async peek(id: string, limit: number): Promise<RateState> {
    const now = await this.#limiter(limit).get(id)
    return now === null ? { limit, remaining: limit, reset: Math.ceil(this.#clock.now() / 1000) + WINDOW_SECONDS } : this.#state(now, limit)
  }

  #limiter(limit: number): RateLimiterMemory {
    let limiter = this.#limiters.get(limit)
    if (limiter === undefined) {
      limiter = new RateLimiterMemory({ points: limit, duration: WINDOW_SECONDS, keyPrefix: '' })
      this.#limiters.set(limit, limiter)
    }
    return limiter
  }

  #state(result: RateLimiterRes, limit: number): RateState {
    return {
      limit,
      remaining: Math.max(0, limit - result.consumedPoints),
      reset: Math.ceil((this.#clock.now() + inWindow(result)) / 1000),
    }
  }
}

/** Milliseconds until the window ends; never more than it is long, though the wall clock jumped back. */
function inWindow({ msBeforeNext }: RateLimiterRes): number {
  return Math.min(WINDOW_SECONDS * 1000, Math.max(0, msBeforeNext))
}

/** The refusal of a request over its limit. */
export function rateLimited(limit: number, waitSeconds: number, whose: 'key' | 'address'): Problem {
  return new Problem('rate-limited', `This ${whose} may make ${limit} requests a minute; wait ${waitSeconds} seconds.`, {
    retryAfterSeconds: waitSeconds,
  })
}
