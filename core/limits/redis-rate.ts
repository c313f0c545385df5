import { integers, NOW, script } from '../redis/types.js'
import { type RateOutcome, type RateState, TrackedIds } from './rate.js'
import {
  LocalShare,
  PLACE,
  placeArgs,
  placeTaken,
  type PlaceOrder,
  type SharedRateLimit,
  type SharedRateDeps,
  type Taken,
} from './shared-rate.js'

const WINDOW_MS = 60_000

/**
 * Takes a point of a window and, if there was one and `most` is not 0, a place among the running calls, in one step.
 * The window's end is stored beside its count, so that every replica and every reply names the same one. The replica
 * sends the count it last read: when Redis has a lower one it has lost its data (FLUSHALL, failover), and continues
 * from the known count. Of two windows that overlap the one that ends first counts.
 * KEYS window, places. ARGV limit, window ms, most, place, lease ms, known used, known end. Reply: used, ms left, end
 * in Unix ms, place (1 taken, 0 full, -1 not requested), running.
 */
const TAKE = script(`${NOW}
local longest = now + ARGV[2]
local window = redis.call('HMGET', KEYS[1], 'used', 'ends')
local used, ends = tonumber(window[1] or 0), tonumber(window[2] or 0)
if ends <= now or ends > longest then used, ends = 0, 0 end
local knownUsed, knownEnds = tonumber(ARGV[6]), tonumber(ARGV[7])
local runs = knownEnds > now and knownEnds <= longest
if runs and (ends == 0 or knownEnds < ends) then
  used, ends = used + knownUsed, knownEnds
elseif runs and knownEnds == ends then
  used = math.max(used, knownUsed)
elseif ends == 0 then
  ends = longest
end
used = used + 1
redis.call('HSET', KEYS[1], 'used', used, 'ends', string.format('%.0f', ends))
redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', ends))
local admitted = used <= tonumber(ARGV[1])
${PLACE}
return {used, ends - now, ends, place, running}
`)

/** KEYS window. Reply: used, end in Unix ms; both 0 when there is no window. */
const PEEK = script(`${NOW}
local window = redis.call('HMGET', KEYS[1], 'used', 'ends')
if not window[1] or tonumber(window[2]) <= now then return {0, 0} end
return {tonumber(window[1]), tonumber(window[2])}
`)

/** A window as last read from Redis. */
interface RateWindow {
  readonly used: number
  /** Unix milliseconds by the server's clock. */
  readonly ends: number
  /** Its end in monotonic milliseconds. */
  readonly until: number
}

/**
 * A limit that replicas share, exact over all of them. While Redis does not answer, each admits its share. Counts are
 * not merged afterwards: at worst a key gets one window more.
 */
export class RedisRateLimit implements SharedRateLimit {
  readonly #parts: SharedRateDeps
  readonly #alone: LocalShare
  /** Requests in a window known to be used up are refused without a round trip. */
  readonly #known = new TrackedIds<RateWindow>()

  constructor(parts: SharedRateDeps) {
    this.#parts = parts
    this.#alone = new LocalShare(parts)
  }

  async consume(id: string, limit: number): Promise<RateOutcome> {
    return await this.take(id, limit, null)
  }

  async take(id: string, limit: number, place: PlaceOrder | null): Promise<Taken> {
    const spent = this.#spent(id, limit)
    if (spent !== null) return { ...spent, place: null }
    const { link, clock } = this.#parts
    // Measured before the command, so that the known window never outlasts the real one.
    const sentAt = clock.monotonic()
    const known = this.#known.get(id)
    const args = [limit, WINDOW_MS, ...placeArgs(place), known?.used ?? 0, known?.ends ?? 0]
    const reply = integers(await link.run(TAKE, [windowKey(id), place?.set ?? windowKey(id)], args), 5)
    if (reply === null) return { ...(await this.#alone.consume(id, limit)), place: null }
    const [used = 0, left = 0, ends = 0, state = -1, running = 0] = reply
    this.#remember(id, { used, ends, until: sentAt + left })
    const exceeded = used > limit
    return {
      state: { limit, remaining: Math.max(0, limit - used), reset: Math.ceil(ends / 1000) },
      exceeded,
      waitSeconds: exceeded ? seconds(left) : 0,
      place: placeTaken(state, running),
    }
  }

  async peek(id: string, limit: number): Promise<RateState> {
    const spent = this.#spent(id, limit)
    if (spent !== null) return spent.state
    const { link, clock } = this.#parts
    const reply = integers(await link.run(PEEK, [windowKey(id)], []), 2)
    if (reply === null) return await this.#alone.peek(id, limit)
    const [used = 0, ends = 0] = reply
    const reset = Math.ceil((ends === 0 ? clock.now() + WINDOW_MS : ends) / 1000)
    return { limit, remaining: Math.max(0, limit - used), reset }
  }

  /** The refusal of a request in a window known to be used up, or null. */
  #spent(id: string, limit: number): RateOutcome | null {
    const known = this.#known.get(id)
    if (known === undefined || known.used < limit) return null
    const left = known.until - this.#parts.clock.monotonic()
    if (left <= 0) return null
    return { state: { limit, remaining: 0, reset: Math.ceil(known.ends / 1000) }, exceeded: true, waitSeconds: seconds(left) }
  }

  /** Replies to concurrent commands may arrive in any order. */
  #remember(id: string, latest: RateWindow): void {
    const known = this.#known.get(id)
    if (known === undefined || known.ends !== latest.ends || known.used < latest.used) this.#known.set(id, latest)
  }
}

/** Hash tag: keys of one id share a slot in a Redis cluster. */
function windowKey(id: string): string {
  return `capstan:{${id}}:rate`
}

function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}
