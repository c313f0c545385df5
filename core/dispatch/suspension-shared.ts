import { NOW, type RedisLink, script } from '../redis/types.js'
import type { Clock } from '../runtime/clock.js'
import { type SharedSuspension, SUSPENSION_TIMES, type SuspensionPeers, type Suspensions } from './suspension.js'

/**
 * The suspensions of all replicas except the operator's: a hash with `until rounds why` by id (until in Unix ms by the
 * server's clock). Field `epoch` is missing after Redis has lost its data. Entries of another form are ignored.
 */
const SUSPENSIONS_KEY = 'capstan:suspensions'

/** Held by the one replica that probes. */
function probeKey(id: string): string {
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
const DROP = script(`
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
const CLAIM = script(`${NOW}
local current = redis.call('HGET', KEYS[1], ARGV[1])
local untilThen = current and string.match(current, '^(%d+) %d+ ')
if untilThen and tonumber(untilThen) > now then return 0 end
if redis.call('SET', KEYS[2], ARGV[2], 'NX', 'PX', ARGV[3]) then return 1 end
return 0
`)

/** KEYS probe. ARGV instance, ms. */
const RENEW = script(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0
`)

/** KEYS probe. ARGV instance. */
const UNCLAIM = script(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`)

/** Interval at which a replica reads the suspensions of the others, in milliseconds. */
const READ_MS = 1_000
/** Delay before claiming a probe again that another replica holds, in milliseconds. */
const CLAIM_AGAIN_MS = 1_000
const LONGEST_WHY = 300
const ENTRY = /^(\d+) (\d+) (.*)$/s

/** `pending` until Redis answers; `won` until the probe is sent; a time (monotonic ms) while another one probes. */
type ProbeClaim = 'pending' | 'won' | number

/**
 * Synchronises the suspensions of all replicas through Redis, except the operator's, which are in the store.
 * `Suspensions` decides from memory; changes are written in the background and those of others read every second. While
 * Redis does not answer each replica decides alone and publishes its decisions afterwards.
 */
export class SharedSuspensions implements SuspensionPeers {
  readonly #suspensions: Suspensions
  readonly #link: RedisLink
  readonly #clock: Clock
  readonly #instance: string
  readonly #stop: () => void
  /** Changes not yet confirmed by Redis: a symbol for each change, by id. */
  readonly #pending = new Map<string, symbol>()
  /** Entries as last read from Redis; empty for those written since. */
  #seen = new Map<string, string>()
  #epoch: string | null = null
  readonly #claims = new Map<string, ProbeClaim>()
  #flushing: Promise<void> | null = null
  #syncing = false

  constructor(suspensions: Suspensions, parts: { link: RedisLink; clock: Clock; instance: string }) {
    this.#suspensions = suspensions
    this.#link = parts.link
    this.#clock = parts.clock
    this.#instance = parts.instance
    suspensions.join(this)
    this.#stop = parts.clock.every(READ_MS, () => void this.sync())
  }

  changed(id: string): void {
    this.#claims.delete(id)
    this.#pending.set(id, Symbol(id))
    void this.#flush()
  }

  /** The first call after a suspension claims the probe and skips the provider; the next one sends it if it was won. */
  mayProbe(id: string): boolean {
    if (!this.#link.state().shared) return true
    const claim = this.#claims.get(id)
    if (claim === 'won') {
      this.#claims.delete(id)
      return true
    }
    if (claim === 'pending' || (claim !== undefined && this.#clock.monotonic() < claim)) return false
    void this.#claim(id)
    return false
  }

  renewed(id: string): void {
    void this.#link.run(RENEW, [probeKey(id)], [this.#instance, SUSPENSION_TIMES.probe])
  }

  abandoned(id: string): void {
    void this.#link.run(UNCLAIM, [probeKey(id)], [this.#instance])
  }

  /** Writes pending changes and reads those of the others. */
  async sync(): Promise<void> {
    if (this.#syncing) return
    this.#syncing = true
    try {
      await this.#flush()
      this.#take(await this.#link.run(READ, [SUSPENSIONS_KEY], [`${this.#instance}:${this.#clock.now()}`]))
      await this.#flush()
    } finally {
      this.#syncing = false
    }
  }

  close(): void {
    this.#stop()
  }

  /** Writes pending changes one after another, the latest state of each; failed ones stay pending. */
  #flush(): Promise<void> {
    this.#flushing ??= this.#flushAll().finally(() => (this.#flushing = null))
    return this.#flushing
  }

  async #flushAll(): Promise<void> {
    while (this.#pending.size > 0)
      for (const [id, change] of this.#pending) {
        if ((await this.#write(id)) === null) return
        this.#seen.set(id, '')
        // A change made meanwhile has another symbol, and is written in its turn.
        if (this.#pending.get(id) === change) this.#pending.delete(id)
      }
  }

  async #write(id: string): Promise<unknown> {
    const state = this.#suspensions.shared(id)
    const keys = [SUSPENSIONS_KEY, probeKey(id)]
    if (state === null) return await this.#link.run(DROP, keys, [id])
    const { msLeft, rounds, why } = state
    return await this.#link.run(PUT, keys, [id, Math.round(msLeft), rounds, why.slice(0, LONGEST_WHY), this.#instance])
  }

  async #claim(id: string): Promise<void> {
    this.#claims.set(id, 'pending')
    const reply = await this.#link.run(CLAIM, [SUSPENSIONS_KEY, probeKey(id)], [id, this.#instance, SUSPENSION_TIMES.probe])
    // Resumed or suspended again while the claim was pending.
    if (this.#claims.get(id) !== 'pending') return
    // Without an answer from Redis this replica decides alone, and probes.
    this.#claims.set(id, reply === 1 || reply === null ? 'won' : this.#clock.monotonic() + CLAIM_AGAIN_MS)
  }

  #take(reply: unknown): void {
    const read = entries(reply)
    if (read === null) return
    const { now, epoch, values } = read
    // Redis has lost its data: a missing entry does not mean that the provider was resumed.
    const forgot = this.#epoch !== null && this.#epoch !== epoch
    this.#epoch = epoch
    if (forgot) for (const id of this.#suspensions.ids()) if (!this.#pending.has(id)) this.#pending.set(id, Symbol(id))
    for (const id of this.#seen.keys()) if (!forgot && !values.has(id) && !this.#pending.has(id)) this.#adopt(id, null)
    for (const [id, value] of values) {
      const state = parsed(value, now)
      if (state !== null && !this.#pending.has(id) && this.#seen.get(id) !== value) this.#adopt(id, state)
    }
    this.#seen = new Map([...values].filter(([id]) => !this.#pending.has(id)))
  }

  #adopt(id: string, state: SharedSuspension | null): void {
    this.#claims.delete(id)
    this.#suspensions.adopt(id, state)
  }
}

/** A reply of READ; null for anything else. */
function entries(reply: unknown): { now: number; epoch: string; values: Map<string, string> } | null {
  if (!Array.isArray(reply)) return null
  const items: unknown[] = reply
  const [now, ...rest] = items
  if (typeof now !== 'number') return null
  const values = new Map<string, string>()
  for (let index = 0; index + 1 < rest.length; index += 2) values.set(String(rest[index]), String(rest[index + 1]))
  const epoch = values.get('epoch') ?? ''
  values.delete('epoch')
  return { now, epoch, values }
}

/** One entry; null for one of another form, such as of another version. */
function parsed(value: string, now: number): SharedSuspension | null {
  const [, until, rounds, why] = ENTRY.exec(value) ?? []
  return until === undefined || why === undefined ? null : { why, msLeft: Number(until) - now, rounds: Number(rounds) }
}
