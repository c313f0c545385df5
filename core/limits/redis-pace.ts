import { ulid } from '../runtime/id.js'
import type { Clock } from '../runtime/clock.js'
import { integers, NOW, type RedisLink, script } from '../redis/types.js'
import type { Pace } from '../sdk/index.js'
import { PLACE } from './shared-rate.js'
import { LocalTurns, type Turn, type TurnOrder, type VendorTurns } from './vendor-pace.js'

/**
 * Takes a place among the concurrent requests, if they are bounded, and a turn: `per` ms after the request that many
 * places before it. When the turn would come too late, neither is taken. Clocks of replicas need not agree.
 * KEYS starts, places. ARGV requests, per ms, most at once (0: unbounded), place, lease ms, longest wait ms.
 * Reply: taken (1 yes, 0 all places are taken, -1 too late), wait in ms.
 */
const TAKE = script(`${NOW}
local admitted = true
${PLACE}
if place == 0 then return {0, 0} end
local wait = 0
if redis.call('LLEN', KEYS[1]) >= tonumber(ARGV[1]) then
  wait = math.max(0, math.ceil(tonumber(redis.call('LINDEX', KEYS[1], -ARGV[1])) + ARGV[2] - now))
end
if wait > tonumber(ARGV[6]) then
  if place == 1 then redis.call('ZREM', KEYS[2], ARGV[4]) end
  return {-1, wait}
end
redis.call('RPUSH', KEYS[1], string.format('%.0f', now + wait))
redis.call('LTRIM', KEYS[1], -ARGV[1], -1)
redis.call('PEXPIRE', KEYS[1], math.ceil(wait + ARGV[2]))
return {1, wait}
`)

interface RedisTurnsDeps {
  readonly link: RedisLink
  readonly clock: Clock
  readonly local: LocalTurns
  /** Number of running replicas, at least 1: without Redis each takes its share. */
  readonly replicas: () => number
}

/** Turns that replicas share. Without Redis each continues at its share of the pace, after its own earlier requests. */
export class RedisTurns implements VendorTurns {
  readonly #parts: RedisTurnsDeps

  constructor(parts: RedisTurnsDeps) {
    this.#parts = parts
  }

  async take(id: string, pace: Pace, order: TurnOrder): Promise<Turn> {
    const { link, clock, local } = this.#parts
    // Hash tag: keys of one vendor share a slot in a Redis cluster.
    const [starts, places] = [`capstan:{pace:${id}}:starts`, `capstan:{pace:${id}}:places`]
    const { requests, perMs, concurrent = 0 } = pace
    const place = ulid(clock.now())
    const args = [requests, perMs, concurrent, place, Math.ceil(order.leaseMs), Math.floor(order.mostMs)]
    const reply = integers(await link.run(TAKE, [starts, places], args), 2)
    if (reply === null) return await local.take(id, this.#share(pace), order)
    const [taken = 0, waitMs = 0] = reply
    if (taken === 0) return { taken: 'full' }
    if (taken === -1) return { taken: 'late', waitMs }
    const left = local.begin(id, pace, waitMs)
    let held = concurrent > 0
    const leave = (): void => {
      left()
      // The link never rejects, and a place that is not released expires with its lease.
      if (held) void link.call('ZREM', places, place)
      held = false
    }
    return { taken: 'yes', waitMs, leave }
  }

  #share({ requests, perMs, concurrent }: Pace): Pace {
    const of = (most: number): number => Math.ceil(most / Math.max(1, this.#parts.replicas()))
    return { requests: of(requests), perMs, ...(concurrent === undefined ? {} : { concurrent: of(concurrent) }) }
  }
}

/** The turns of this gateway: shared through Redis when there is a link, else its own. */
export function vendorTurns({
  link,
  clock,
  replicas,
}: Omit<RedisTurnsDeps, 'link' | 'local'> & { readonly link: RedisLink | null }): VendorTurns {
  const local = new LocalTurns(clock)
  return link === null ? local : new RedisTurns({ link, clock, local, replicas })
}
