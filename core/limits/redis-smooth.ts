import { recentlyUsed } from '../recent.js'
import { integers, NOW, script } from '../redis/script.js'
import { admits, arrivalAhead, monotonicUs, notBefore, outcomeAhead, partsAhead, REQUEST, stateAhead, type ArrivalTime } from './gcra.js'
import { MOST_TRACKED, type RateOutcome, type RateState } from './rate.js'
import {
  LocalShare,
  PLACE,
  placeArgs,
  placeTaken,
  type PlaceOrder,
  type SharedRateLimit,
  type SharedRateParts,
  type Taken,
} from './shared-rate.js'

/**
 * Lua that puts the server's time, in Unix microseconds, into `us`, and into `parts` how far the arrival time lies ahead of it, in parts of
 * 1/limit µs (gcra.ts): the one that is kept or the one the replica knows, whichever is later, because a server that knows less has lost its
 * memory (FLUSHALL, failover). None lies more than a minute ahead but by a clock that was set back: up to one request more it counts as a
 * minute, beyond that as now, so that nobody is told to wait longer.
 * KEYS arrival. ARGV limit, parts of a request, -, -, -, known us, known part.
 */
const AHEAD = `${NOW}
local us = time[1] * 1000000 + time[2]
local limit, request = tonumber(ARGV[1]), tonumber(ARGV[2])
local full = limit * request
local function ahead(whole, part)
  local parts = (tonumber(whole or 0) - us) * limit + math.min(tonumber(part or 0), limit - 1)
  if parts < 0 or parts > full + request then return 0 end
  return math.min(parts, full)
end
local kept = redis.call('HMGET', KEYS[1], 'us', 'part')
local parts = math.max(ahead(kept[1], kept[2]), ahead(ARGV[6], ARGV[7]))
`

/**
 * Takes a point and, if there was one and `most` is not 0, a place among the running calls, in one step. A refused request changes nothing.
 * KEYS arrival, places. ARGV as above, with most, place, lease ms in the middle. Reply: admitted (1 or 0), parts ahead, server's time in
 * Unix µs, place (1 taken, 0 full, -1 not asked for), running.
 */
const TAKE = script(`${AHEAD}
local admitted = parts + request <= full
if admitted then
  parts = parts + request
  local whole = us + math.floor(parts / limit)
  redis.call('HSET', KEYS[1], 'us', string.format('%.0f', whole), 'part', string.format('%.0f', parts % limit))
  redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', math.floor(whole / 1000) + 1))
end
${PLACE}
return {admitted and 1 or 0, parts, us, place, running}
`)

/** Reply: parts ahead, server's time in Unix µs. */
const PEEK = script(`${AHEAD}
return {parts, us}
`)

/** An arrival time as Redis last told of it, by the server's clock. */
interface Known {
  readonly at: ArrivalTime
  /** Microseconds from the monotonic clock of this process to the server's clock: at most, and at least. */
  readonly most: number
  readonly least: number
}

/**
 * The limit without windows (GCRA) that replicas share, exact over all of them by Redis's clock. While Redis does not answer each admits its
 * share. Counts are not merged afterwards: at worst a key has one whole limit more a minute.
 */
export class RedisSmoothLimit implements SharedRateLimit {
  readonly #parts: SharedRateParts
  readonly #alone: LocalShare
  /** Requests that are known to come too early are refused without asking. */
  readonly #known = recentlyUsed<Known>(MOST_TRACKED)

  constructor(parts: SharedRateParts) {
    this.#parts = parts
    this.#alone = new LocalShare(parts)
  }

  async consume(id: string, limit: number): Promise<RateOutcome> {
    return await this.take(id, limit, null)
  }

  async take(id: string, limit: number, place: PlaceOrder | null): Promise<Taken> {
    const early = this.#early(id, limit)
    if (early !== null) return { ...early, place: null }
    const { link, clock } = this.#parts
    const known = this.#known.get(id)?.at ?? NOTHING
    const asked = monotonicUs(clock)
    const reply = integers(await link.run(TAKE, [arrivalKey(id), place?.set ?? arrivalKey(id)], argsOf(limit, place, known)), 5)
    if (reply === null) return { ...(await this.#alone.consume(id, limit)), place: null }
    const [admitted = 0, parts = 0, us = 0, state = -1, running = 0] = reply
    const at = arrivalAhead(parts, us, limit)
    this.#learn(id, { at, most: us - asked, least: us - monotonicUs(clock) }, known)
    return { ...outcomeAhead(parts, limit, { admitted: admitted === 1, unixUs: us }), place: placeTaken(state, running) }
  }

  async peek(id: string, limit: number): Promise<RateState> {
    const early = this.#early(id, limit)
    if (early !== null) return early.state
    const known = this.#known.get(id)?.at ?? NOTHING
    const reply = integers(await this.#parts.link.run(PEEK, [arrivalKey(id)], argsOf(limit, null, known)), 2)
    if (reply === null) return await this.#alone.peek(id, limit)
    const [parts = 0, us = 0] = reply
    return stateAhead(parts, limit, us)
  }

  /** The refusal of a request that comes too early even if the server's clock is as far as it can be, or null; the wait is enough if it is not. */
  #early(id: string, limit: number): RateOutcome | null {
    const known = this.#known.get(id)
    if (known === undefined) return null
    const now = monotonicUs(this.#parts.clock)
    if (admits(partsAhead(known.at, now + known.most, limit), limit)) return null
    const unixUs = now + known.least
    return outcomeAhead(partsAhead(known.at, unixUs, limit), limit, { admitted: false, unixUs })
  }

  /** Replies to questions asked at once may come in any order. One before what Redis was reminded of is by a clock that was set back. */
  #learn(id: string, told: Known, reminded: ArrivalTime): void {
    const known = this.#known.get(id)
    if (known === undefined || notBefore(told.at, known.at) || !notBefore(told.at, reminded)) this.#known.set(id, told)
  }
}

const NOTHING: ArrivalTime = { us: 0, part: 0 }

function argsOf(limit: number, place: PlaceOrder | null, known: ArrivalTime): (string | number)[] {
  return [limit, REQUEST, ...placeArgs(place), known.us, known.part]
}

/** The braces keep what belongs to one id in one place should Redis be divided. Windows have another name, so that neither misreads the other. */
function arrivalKey(id: string): string {
  return `capstan:{${id}}:smooth`
}
