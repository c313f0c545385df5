import type { Clock } from '../runtime/clock.js'
import type { RedisLink } from '../redis/types.js'
import type { RateLimit, RateOutcome, RateState } from './rate.js'

/** A place among the running calls, requested together with a point. */
export interface PlaceOrder {
  /** The sorted set of running calls. */
  readonly set: string
  readonly id: string
  readonly most: number
  /** Life of a place that is not renewed, in milliseconds. */
  readonly leaseMs: number
}

/** A taken point, and the result for the place: null when none was requested, or Redis did not answer. */
export interface Taken extends RateOutcome {
  readonly place: { readonly taken: boolean; readonly running: number } | null
}

/** A limit that replicas share. Without Redis each admits its share; replicas restore counts that Redis lost. */
export interface SharedRateLimit extends RateLimit {
  /** Takes a point and a place in one round trip; none when the limit is known to be used up. */
  take(id: string, limit: number, place: PlaceOrder | null): Promise<Taken>
}

export interface SharedRateDeps {
  readonly link: RedisLink
  readonly clock: Clock
  /** Counts while Redis does not answer. */
  readonly local: RateLimit
  /** Number of running replicas, at least 1: without Redis each admits its share. */
  readonly replicas: () => number
}

/**
 * Lua that follows taking a point: if `admitted` and `most` is not 0, takes a place among the running calls. Expects
 * `now` (Unix ms), `admitted`, KEYS[2] places and ARGV[3] to [5] of `placeArgs`; sets `place` (1 taken, 0 full, -1 not
 * requested) and `running`.
 */
export const PLACE = `
local most, place, running = tonumber(ARGV[3]), -1, 0
if admitted and most > 0 then
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', string.format('%.0f', now))
  place, running = 0, redis.call('ZCARD', KEYS[2])
  if running < most then
    redis.call('ZADD', KEYS[2], string.format('%.0f', now + ARGV[5]), ARGV[4])
    redis.call('PEXPIRE', KEYS[2], ARGV[5])
    place, running = 1, running + 1
  end
end
`

/** ARGV[3] to [5] for `PLACE`: most, place, lease ms. */
export function placeArgs(place: PlaceOrder | null): (string | number)[] {
  return place === null ? [0, '', 0] : [place.most, place.id, place.leaseMs]
}

/** The result of `PLACE`. */
export function placeTaken(place: number, running: number): Taken['place'] {
  return place === -1 ? null : { taken: place === 1, running }
}

/** A replica's share of a limit, `limit / replicas` rounded up, used without Redis; states show the whole limit. */
export class LocalShare implements RateLimit {
  readonly #local: RateLimit
  readonly #replicas: () => number

  constructor({ local, replicas }: Pick<SharedRateDeps, 'local' | 'replicas'>) {
    this.#local = local
    this.#replicas = replicas
  }

  async consume(id: string, limit: number): Promise<RateOutcome> {
    const { state, ...outcome } = await this.#local.consume(id, this.#of(limit))
    return { ...outcome, state: { ...state, limit } }
  }

  async peek(id: string, limit: number): Promise<RateState> {
    return { ...(await this.#local.peek(id, this.#of(limit))), limit }
  }

  #of(limit: number): number {
    return Math.ceil(limit / Math.max(1, this.#replicas()))
  }
}
