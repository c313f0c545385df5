import { NOW, script } from '../redis/types.js'

/**
 * The suspensions of all replicas except the operator's: a hash with `until rounds why` by id (until in Unix ms by the
 * server's clock). Field `epoch` is missing after Redis has lost its data. Entries of another form are ignored.
 */
export const SUSPENSIONS_KEY = 'capstan:suspensions'

/** Held by the one replica that probes. */
export function probeKey(id: string): string {
  return `${SUSPENSIONS_KEY}:probe:${id}`
}

/** Stores a suspension unless a longer one exists. KEYS hash, probe. ARGV id, ms left, rounds, why, instance. */
export const PUT = script(`${NOW}
if redis.call('GET', KEYS[2]) == ARGV[5] then redis.call('DEL', KEYS[2]) end
local ends = now + ARGV[2]
local current = redis.call('HGET', KEYS[1], ARGV[1])
local untilThen = current and string.match(current, '^(%d+) %d+ ')
if untilThen and tonumber(untilThen) >= ends then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', ends) .. ' ' .. ARGV[3] .. ' ' .. ARGV[4])
return 1
`)

/** KEYS hash, probe. ARGV id. */
export const DROP = script(`
redis.call('DEL', KEYS[2])
return redis.call('HDEL', KEYS[1], ARGV[1])
`)

/** KEYS hash. ARGV a new epoch. Reply: now in Unix ms, field, value, field, value… */
export const READ = script(`${NOW}
redis.call('HSETNX', KEYS[1], 'epoch', ARGV[1])
local reply = redis.call('HGETALL', KEYS[1])
table.insert(reply, 1, now)
return reply
`)

/** Claims the probe for one replica after the suspension. KEYS hash, probe. ARGV id, instance, ms. Reply 1 for yes. */
export const CLAIM = script(`${NOW}
local current = redis.call('HGET', KEYS[1], ARGV[1])
local untilThen = current and string.match(current, '^(%d+) %d+ ')
if untilThen and tonumber(untilThen) > now then return 0 end
if redis.call('SET', KEYS[2], ARGV[2], 'NX', 'PX', ARGV[3]) then return 1 end
return 0
`)

/** KEYS probe. ARGV instance, ms. */
export const RENEW = script(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0
`)

/** KEYS probe. ARGV instance. */
export const UNCLAIM = script(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`)
