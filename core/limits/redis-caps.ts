import type { Clock } from '../runtime/clock.js'
import { recentlyUsed, type Recent } from '../runtime/recent.js'
import { integers, NOW, type RedisLink, script } from '../redis/types.js'
import { MOST_CAPS, type CapCounts, type CapOrder, type CapOutcome, type CapReturn } from './caps.js'

/**
 * Takes the whole amount or nothing. The window is that of the server's clock; setting it back does not reset a count.
 * The replica sends the amounts it admitted while Redis did not answer, and the count as last read: when Redis has
 * started a new one since (another `born`), it has lost its data (FLUSHALL, failover), and continues from the known
 * count.
 * KEYS count. ARGV most, window ms, amount, known window, known used, known born, admitted alone. Reply: taken, used,
 * window, ms left, born.
 */
const TAKE = script(`${NOW}
local most, width, amount = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local kept = redis.call('HMGET', KEYS[1], 'window', 'used', 'born')
local window = math.floor(now / width)
local used, born = tonumber(kept[2] or 0), tonumber(kept[3] or 0)
if kept[1] and tonumber(kept[1]) >= window then
  window = tonumber(kept[1])
else
  used, born = 0, now * 1000 + time[2] % 1000
end
local ends = (window + 1) * width
if tonumber(ARGV[4]) == window then
  if born ~= tonumber(ARGV[6]) then used = math.max(used, tonumber(ARGV[5])) end
  used = used + tonumber(ARGV[7])
end
local taken = 0
if amount > 0 and used + amount <= most then taken, used = 1, used + amount end
if used > 0 then
  redis.call('HSET', KEYS[1], 'window', string.format('%.0f', window), 'used', string.format('%.0f', used), 'born', string.format('%.0f', born))
  redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', ends))
end
return {taken, used, window, ends - now, born}
`)

/** Returns an amount. KEYS count. ARGV window, amount. Reply: used in that window, 0 when it is over. */
const RETURN = script(`
local kept = redis.call('HMGET', KEYS[1], 'window', 'used')
if not kept[1] or tonumber(kept[1]) ~= tonumber(ARGV[1]) then return {0} end
local used = math.max(0, tonumber(kept[2]) - tonumber(ARGV[2]))
redis.call('HSET', KEYS[1], 'used', string.format('%.0f', used))
return {used}
`)

interface RedisCapsDeps {
  readonly link: RedisLink
  readonly clock: Clock
  /** Number of running replicas, at least 1: without Redis each admits its share. */
  readonly replicas: () => number
}

/** A count in one window, as known to this replica. */
interface KnownWindow {
  readonly window: number
  readonly windowMs: number
  /** Amounts that this replica admitted. */
  own: number
  /** Amounts admitted without Redis and not reported to it yet. */
  owed: number
  /** The count last read from Redis. */
  used: number
  born: number
}

/**
 * Counts that replicas share, exact over all of them. While Redis does not answer, each admits its share
 * (`most / replicas`, rounded up, less what it admitted before in the window) as long as the known total stays within
 * the cap, and reports it once Redis is back. A reply that came too late may count an amount twice, and an amount
 * returned while Redis is away stays counted: both err towards refusal.
 */
export class RedisCaps implements CapCounts {
  readonly #link: RedisLink
  readonly #clock: Clock
  readonly #replicas: () => number
  readonly #known: Recent<KnownWindow> = recentlyUsed(MOST_CAPS)

  /** Counts with amounts to report. */
  readonly #owing = new Set<string>()

  constructor({ link, clock, replicas }: RedisCapsDeps) {
    this.#link = link
    this.#clock = clock
    this.#replicas = replicas
    link.onChange(({ shared }) => {
      if (shared) void this.#reportOwed()
    })
  }

  async take(order: CapOrder): Promise<CapOutcome> {
    const { id, most, windowMs, amount } = order
    const before = this.#known.get(id)
    // Only one of several concurrent commands reports the owed amount.
    const owed = before?.owed ?? 0
    if (before !== undefined) before.owed = 0
    const args = [most, windowMs, amount, before?.window ?? 0, before?.used ?? 0, before?.born ?? 0, owed]
    const reply = integers(await this.#link.run(TAKE, [countKey(id)], args), 5)
    if (reply === null) {
      if (before !== undefined) before.owed += owed
      return this.#alone(order)
    }
    const [takenFlag = 0, used = 0, window = 0, leftMs = 0, born = 0] = reply
    const taken = takenFlag === 1
    const known = this.#of(id, { window, windowMs })
    Object.assign(known, { used, born })
    if (taken) known.own += amount
    return { taken, left: Math.max(0, most - used), window, endsAt: Math.round(this.#clock.now() + leftMs), leftMs }
  }

  async giveBack({ id, window, amount }: CapReturn): Promise<void> {
    const known = this.#known.get(id)
    let left = amount
    if (known?.window === window) {
      known.own = Math.max(0, known.own - amount)
      const owed = Math.min(known.owed, amount)
      known.owed -= owed
      left -= owed
    }
    if (left === 0) return
    const reply = integers(await this.#link.run(RETURN, [countKey(id)], [window, left]), 1)
    const now = this.#known.get(id)
    if (reply !== null && now?.window === window) now.used = reply[0] ?? now.used
  }

  #alone({ id, most, windowMs, amount }: CapOrder): CapOutcome {
    const now = this.#clock.now()
    const known = this.#of(id, { window: Math.floor(now / windowMs), windowMs })
    const share = Math.ceil(most / Math.max(1, this.#replicas()))
    const left = (): number => Math.max(0, Math.min(share - known.own, most - known.used - known.owed))
    const taken = amount > 0 && amount <= left()
    if (taken) {
      known.own += amount
      known.owed += amount
      this.#owing.add(id)
    }
    const endsAt = (known.window + 1) * windowMs
    return { taken, left: left(), window: known.window, endsAt, leftMs: Math.max(0, endsAt - now) }
  }

  /** Reports to Redis, once it is back, the amounts admitted without it; one count after the other. */
  async #reportOwed(): Promise<void> {
    for (const id of [...this.#owing]) {
      this.#owing.delete(id)
      const known = this.#known.get(id)
      if (known !== undefined && known.owed > 0) await this.take({ id, most: 0, windowMs: known.windowMs, amount: 0 })
      if ((known?.owed ?? 0) > 0) this.#owing.add(id)
    }
  }

  /** The known count of the window, or of a later one; a new one otherwise. */
  #of(id: string, { window, windowMs }: Pick<KnownWindow, 'window' | 'windowMs'>): KnownWindow {
    const known = this.#known.get(id)
    if (known !== undefined && known.window >= window) return known
    const fresh = { window, windowMs, own: 0, owed: 0, used: 0, born: 0 }
    this.#known.set(id, fresh)
    return fresh
  }
}

function countKey(id: string): string {
  return `capstan:cap:${id}`
}
