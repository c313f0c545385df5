import { Problem } from '../problems/problem.js'
import { rateLimited, type RateLimit, type RateState } from './rate.js'
import { RunningByKey } from '../runtime/running.js'

/** The result of admitting a call, with the state of the rate limit. */
export type EntryResult =
  | { readonly rate: RateState; readonly refusal: null; /** Releases the place. Idempotent. */ leave(): void }
  | { readonly rate: RateState; readonly refusal: Problem }

/** Admits calls by key: takes a point of the key's limit and a place among its running calls together. */
export interface Concurrency {
  /** Refuses with `rate-limited` (no place is taken then) or `too-many-in-flight` (the point is spent). */
  enter(key: string, limit: number): Promise<EntryResult>
  /** Stops background work. */
  close(): void
}

/** Calls in flight for each key of this process. */
export class KeyConcurrency implements Concurrency {
  readonly #rates: RateLimit
  readonly #most: number
  readonly #running = new RunningByKey()

  constructor(rates: RateLimit, most: number) {
    this.#rates = rates
    this.#most = most
  }

  async enter(key: string, limit: number): Promise<EntryResult> {
    const { state, exceeded, waitSeconds } = await this.#rates.consume(rateId(key), limit)
    if (exceeded) return { rate: state, refusal: rateLimited(limit, waitSeconds, 'key') }
    const running = this.#running.of(key)
    if (running >= this.#most) return { rate: state, refusal: tooManyInFlight(running, this.#most) }
    return { rate: state, refusal: null, leave: this.#running.add(key) }
  }

  close(): void {
    // All state is in memory.
  }
}

/** The id under which all requests of a key are counted. */
export function rateId(key: string): string {
  return `key:${key}`
}

/** The refusal of a call when the key has as many running as allowed. */
export function tooManyInFlight(running: number, most: number): Problem {
  return new Problem(
    'too-many-in-flight',
    `This key has ${running} calls running and may have ${most} (concurrency limit limits.key_concurrency).`,
    { retryAfterSeconds: 1 },
  )
}
