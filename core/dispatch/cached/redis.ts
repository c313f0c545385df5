import { type RedisLink, script } from '../../redis/types.js'
import { MOST_BYTES } from './entry.js'

/** Lease of a load: after a replica dies, others may load once this has passed, in milliseconds. */
export const LEASE_MS = 5_000

/**
 * Returns a value with enough time left, or takes the lease to load it. Ignores a value too large or without expiry.
 * KEYS value, lease. ARGV token, lease ms, least ms left, most bytes, 1 to take no value.
 * Reply: kept, ms left, text; ours; or theirs.
 */
const FIND = script(`
local left = redis.call('PTTL', KEYS[1])
if ARGV[5] == '0' and left > tonumber(ARGV[3]) and redis.call('TYPE', KEYS[1]).ok == 'string' and redis.call('STRLEN', KEYS[1]) <= tonumber(ARGV[4]) then
  return {'kept', left, redis.call('GET', KEYS[1])}
end
if redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2]) then return {'ours'} end
return {'theirs'}
`)

/** Stores a value and releases our lease. KEYS value, lease. ARGV token, text, ms; 0 ms keeps nothing. */
const END = script(`
if tonumber(ARGV[3]) > 0 then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
if redis.call('GET', KEYS[2]) == ARGV[1] then redis.call('DEL', KEYS[2]) end
return 1
`)

/** KEYS lease. ARGV token, lease ms. */
const RENEW = script(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0
`)

/** The state in Redis; `away` while it does not answer. */
type CacheState =
  { readonly state: 'kept'; readonly text: string; readonly leftMs: number } | { readonly state: 'ours' | 'theirs' | 'away' }

/** Values that replicas share, and leases on loading them. Nothing here rejects. */
export class RedisEntries {
  readonly #link: RedisLink

  constructor(link: RedisLink) {
    this.#link = link
  }

  /** Finds a value with more than `leastMs` left; without one, or with `ignore`, requests the lease for this token. */
  async find(id: string, about: { readonly token: string; readonly leastMs: number; readonly ignore: boolean }): Promise<CacheState> {
    const { token, leastMs, ignore } = about
    const reply = await this.#link.run(FIND, keysOf(id), [token, LEASE_MS, leastMs, MOST_BYTES, ignore ? 1 : 0])
    if (!Array.isArray(reply)) return { state: 'away' }
    const parts: readonly unknown[] = reply
    const [state, leftMs, text] = parts
    if (state === 'ours' || state === 'theirs') return { state }
    return state === 'kept' && typeof leftMs === 'number' && typeof text === 'string' ? { state, leftMs, text } : { state: 'away' }
  }

  renew(id: string, token: string): void {
    void this.#link.run(RENEW, [leaseKey(id)], [token, LEASE_MS])
  }

  /** Stores a text for `ms` milliseconds (0: not at all) and releases the lease of this token. */
  end(id: string, token: string, { text, ms }: { readonly text: string; readonly ms: number }): void {
    void this.#link.run(END, keysOf(id), [token, text, Math.ceil(ms)])
  }
}

/** The braces put all keys of one id into the same hash slot of a Redis Cluster. */
function keysOf(id: string): string[] {
  return [`capstan:cache:{${id}}`, leaseKey(id)]
}

function leaseKey(id: string): string {
  return `capstan:cache:{${id}}:lease`
}
