import type { Clock } from '../runtime/clock.js'
import { NOW, type RedisLink, script } from '../redis/types.js'
import { rateId, tooManyInFlight, type Concurrency, type EntryResult } from './concurrency.js'
import { rateLimited } from './rate.js'
import type { SharedRateLimit } from './shared-rate.js'
import { RunningByKey } from '../runtime/running.js'

/** Life of a place that is not renewed, in milliseconds: places of a dead replica expire after it. */
const LEASE_MS = 20_000
/** Renewals per lease: three may fail. */
const BEATS = 4
/** Places of one key released by one command; more expire with their lease. */
const MOST_RETURNED = 1_000

/** Renews the lease of places, also of those that Redis has lost. KEYS places. ARGV lease ms, place, place… */
const RENEW = script(`${NOW}
local ends = string.format('%.0f', now + ARGV[1])
for index = 2, #ARGV do redis.call('ZADD', KEYS[1], ends, ARGV[index]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return #ARGV - 1
`)

interface RedisConcurrencyDeps {
  readonly link: RedisLink
  readonly clock: Clock
  readonly rates: SharedRateLimit
  /** Calls that one key may have running over all replicas. */
  readonly most: number
  /** Number of running replicas, at least 1: without Redis each admits its share. */
  readonly replicas: () => number
  /** This replica. */
  readonly instance: string
}

interface HeldPlace {
  readonly key: string
  /** When it was taken or released; monotonic milliseconds. */
  readonly since: number
}

/**
 * Calls in flight of each key over all replicas: a sorted set of calls by the end of their lease. Taking a place shares
 * the request's one round trip, releasing it is not awaited, and long calls renew theirs, so that places of a dead
 * replica expire within a lease. While Redis does not answer, each replica admits its share.
 */
export class RedisConcurrency implements Concurrency {
  readonly #parts: RedisConcurrencyDeps
  readonly #running = new RunningByKey()
  /** Places of calls running here, whether or not Redis has them. */
  readonly #held = new Map<string, HeldPlace>()
  /** Places of ended calls that Redis may still have, because it did not answer their release. */
  readonly #stale = new Map<string, HeldPlace>()
  readonly #stop: () => void
  #count = 0

  constructor(parts: RedisConcurrencyDeps) {
    this.#parts = parts
    this.#stop = parts.clock.every(LEASE_MS / BEATS, () => void this.#beat())
  }

  async enter(key: string, limit: number): Promise<EntryResult> {
    const { rates, most, instance, clock } = this.#parts
    const id = `${instance}:${++this.#count}`
    const place = { set: placesKey(key), id, most, leaseMs: LEASE_MS }
    const taken = await rates.take(rateId(key), limit, place)
    if (taken.exceeded) return { rate: taken.state, refusal: rateLimited(limit, taken.waitSeconds, 'key') }
    const held = { key, since: clock.monotonic() }
    const refusal = taken.place === null ? this.#alone(key) : taken.place.taken ? null : tooManyInFlight(taken.place.running, most)
    if (refusal !== null) {
      // The command may have taken the place although its reply came too late.
      if (taken.place === null) this.#stale.set(id, held)
      return { rate: taken.state, refusal }
    }
    this.#held.set(id, held)
    const out = this.#running.add(key)
    return {
      rate: taken.state,
      refusal: null,
      leave: () => {
        if (!this.#held.delete(id)) return
        out()
        void this.#release(key, [id], clock.monotonic())
      },
    }
  }

  /** Stops renewing. Calls that still run lose their places within a lease. */
  close(): void {
    this.#stop()
  }

  #alone(key: string) {
    const { most, replicas } = this.#parts
    const share = Math.ceil(most / Math.max(1, replicas()))
    const running = this.#running.of(key)
    return running < share ? null : tooManyInFlight(running, share)
  }

  async #release(key: string, ids: readonly string[], since: number): Promise<void> {
    const reply = await this.#parts.link.call('ZREM', placesKey(key), ...ids)
    for (const id of ids) {
      if (reply === null) this.#stale.set(id, { key, since })
      else this.#stale.delete(id)
    }
  }

  async #beat(): Promise<void> {
    const { link, clock } = this.#parts
    const now = clock.monotonic()
    for (const [id, { since }] of this.#stale) if (now - since >= LEASE_MS) this.#stale.delete(id)
    if (!link.state().shared) return
    const lasting = [...this.#held].filter(([, { since }]) => now - since >= LEASE_MS / BEATS)
    const renewals = [...byKey(lasting)].map(([key, ids]) => link.run(RENEW, [placesKey(key)], [LEASE_MS, ...ids]))
    const returns = [...byKey(this.#stale)].map(([key, ids]) => this.#release(key, ids.slice(0, MOST_RETURNED), now))
    await Promise.all([...renewals, ...returns])
  }
}

function byKey(places: Iterable<[string, HeldPlace]>): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const [id, { key }] of places) {
    const ids = groups.get(key)
    if (ids === undefined) groups.set(key, [id])
    else ids.push(id)
  }
  return groups
}

function placesKey(key: string): string {
  return `capstan:{${rateId(key)}}:calls`
}
