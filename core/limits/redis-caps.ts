import type { Clock } from '../runtime/clock.js'
import { recentlyUsed, type Recent } from '../runtime/recent.js'
import { integers, NOW, script } from '../redis/script.js'
import type { RedisLink } from '../redis/types.js'
import { MOST_CAPS, type CapCounts, type CapOrder, type CapOutcome, type CapReturn } from './caps.js'

/**
 * Takes all that is asked for, or nothing. The window is that of the server's clock; one set back does not begin a count anew. The replica brings
 * what it gave out while Redis did not answer, and what Redis told it last: a count that was begun since (`born`) has lost its memory (FLUSHALL, a
 * failover) and goes on from there.
 * KEYS count. ARGV most, window ms, amount, known window, known used, known born, given out alone. Reply: taken, used, window, ms left, born.
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

/** KEYS count. ARGV window, amount. Reply: used in that window, 0 when it is over. */
const GIVE_BACK = script(`
local kept = redis.call('HMGET', KEYS[1], 'window', 'used')
if not kept[1] or tonumber(kept[1]) ~= tonumber(ARGV[1]) then return {0} end
local used = math.max(0, tonumber(kept[2]) - tonumber(ARGV[2]))
redis.call('HSET', KEYS[1], 'used', string.format('%.0f', used))
return {used}
`)

interface RedisCapsDeps {
  readonly link: RedisLink
  readonly clock: Clock
  /** How many replicas run, at least 1: alone, each gives out its share. */
  readonly replicas: () => number
}

/** What this replica knows of a count in one window. */
interface Known {
  readonly window: number
  readonly windowMs: number
  /** What it gave out itself. */
  own: number
  /** What it gave out alone and Redis was not told yet. */
  owed: number
  /** As Redis told it last. */
  used: number
  born: number
}

/**
 * Counts that replicas share, exact over all of them. While Redis does not answer each gives out its share, `most / replicas` rounded up and with
 * what it gave out before, as long as all it knows of stays within the cap; Redis is told of that as soon as it is back. An answer that came too late
 * may count twice, in favour of the cap; so does what is given back while Redis is away.
 */
export class RedisCaps implements CapCounts {
  readonly #parts: RedisCapsDeps
  readonly #known: Recent<Known> = recentlyUsed(MOST_CAPS)

  /** Counts of which something is owed. */
  readonly #owing = new Set<string>()

  constructor(parts: RedisCapsDeps) {
    this.#parts = parts
    parts.link.onChange(({ shared }) => {
      if (shared) void this.#tell()
    })
  }

  async take(order: CapOrder): Promise<CapOutcome> {
    const { id, most, windowMs, amount } = order
    const { link, clock } = this.#parts
    const before = this.#known.get(id)
    // Of several questions at once one brings what is owed.
    const owed = before?.owed ?? 0
    if (before !== undefined) before.owed = 0
    const args = [most, windowMs, amount, before?.window ?? 0, before?.used ?? 0, before?.born ?? 0, owed]
    const reply = integers(await link.run(TAKE, [countKey(id)], args), 5)
    if (reply === null) {
      if (before !== undefined) before.owed += owed
      return this.#alone(order)
    }
    const [reported = 0, used = 0, window = 0, leftMs = 0, born = 0] = reply
    const taken = reported === 1
    const known = this.#of(id, { window, windowMs })
    Object.assign(known, { used, born })
    if (taken) known.own += amount
    return { taken, left: Math.max(0, most - used), window, endsAt: Math.round(clock.now() + leftMs), leftMs }
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
    const reply = integers(await this.#parts.link.run(GIVE_BACK, [countKey(id)], [window, left]), 1)
    const now = this.#known.get(id)
    if (reply !== null && now?.window === window) now.used = reply[0] ?? now.used
  }

  #alone({ id, most, windowMs, amount }: CapOrder): CapOutcome {
    const { clock, replicas } = this.#parts
    const now = clock.now()
    const known = this.#of(id, { window: Math.floor(now / windowMs), windowMs })
    const share = Math.ceil(most / Math.max(1, replicas()))
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

  /** Brings Redis, which is back, what was given out without it; one count after the other. */
  async #tell(): Promise<void> {
    for (const id of [...this.#owing]) {
      this.#owing.delete(id)
      const known = this.#known.get(id)
      if (known !== undefined && known.owed > 0) await this.take({ id, most: 0, windowMs: known.windowMs, amount: 0 })
      if ((known?.owed ?? 0) > 0) this.#owing.add(id)
    }
  }

  /** What is known of the window, or of a later one. */
  #of(id: string, { window, windowMs }: Pick<Known, 'window' | 'windowMs'>): Known {
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
