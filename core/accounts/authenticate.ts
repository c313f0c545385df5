import { timingSafeEqual } from 'node:crypto'
import { Problem } from '../problems/problem.js'
import type { RedisLink } from '../redis/types.js'
import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import { type Recent, recentlyUsed } from '../runtime/recent.js'
import { type KeyStore, logFailedWork } from '../store/types.js'
import type { Caller } from './caller.js'
import { hashKey, KEY_PREFIX, wellFormed } from './layout.js'

const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="capstan"' }

/** The kind of credential in a Bearer header, for messages. */
interface Credential {
  /** `API key`. */
  readonly name: string
  readonly action?: string
}

const API_KEY: Credential = { name: 'API key' }

/** The credential of an Authorization header. Throws `authentication-required`, naming the fault of the header. */
export function bearer(header: string | undefined, credential = API_KEY): string {
  const text = (header ?? '').trim()
  const [scheme = '', value = '', ...rest] = text.split(/ +/, 3)
  const { name } = credential
  if (text === '') throw refused('The request has no Authorization header.', credential)
  if (scheme.toLowerCase() !== 'bearer')
    throw refused(
      value === ''
        ? `The Authorization header starts with the ${name} itself: put the word Bearer and a space in front of it.`
        : `The Authorization header does not use the Bearer scheme, which the ${name} requires.`,
      credential,
    )
  if (value === '') throw refused(`No ${name} follows the word Bearer.`, credential)
  if (rest.length > 0) throw refused(`The word Bearer is followed by more than the ${name}.`, credential)
  if (/^["'<{[].*["'>}\]]$/.test(value)) throw refused(`Send the ${name} without quotes or brackets around it.`, credential)
  return value
}

/** The refusal of a request without a credential. */
export function refused(detail: string, { action }: Credential = API_KEY): Problem {
  return new Problem('authentication-required', detail, { headers: CHALLENGE, ...(action === undefined ? {} : { action }) })
}

/** Greatest age of a cached key, in milliseconds: in charged calls the hold refuses revoked keys by the epoch. */
const CHARGED_AGE_MS = 86_400_000
const READ_AGE_MS = 1_000
const UNKNOWN_AGE_MS = 60_000
const MOST_KEYS = 100_000

const REFUSED = 'The API key is mistyped, unknown, revoked or expired.'
const OTHER = `This is not an API key: keys begin with ${KEY_PREFIX}, and the admin token is for /admin/v1 alone.`

/** Limits look-ups of keys that an address has not used before. */
export interface LoginGuard {
  /** Throws `rate-limited` when this address, or the whole gateway, has failed too often. */
  admit(address: string, hash: string): void
  /** Throws `rate-limited` when this address has failed too often. */
  refuseBlocked(address: string): void
  failed(address: string): void
  worked(address: string, hash: string): void
}

/**
 * Hashes of keys unknown to the store, shared between replicas. Only refusals are shared: a valid key is always read
 * from the store. Creating a key needs no deletion here: its 256 random bits are new, so that no earlier request can
 * have used its hash, and a revoked key is never restored.
 */
interface UnknownKeys {
  /** Milliseconds for which the key is still to be refused as unknown, or 0. Never rejects. */
  left(hash: string): Promise<number>
  /** Shares the hash with the other replicas, without waiting. */
  add(hash: string, ms: number): void
}

const NONE_KNOWN: UnknownKeys = { left: () => Promise.resolve(0), add: () => undefined }

/** Turns the Authorization header into a caller. Caches unknown and refused keys, so that guessing costs no look-up. */
export class Authenticator {
  readonly #store: KeyStore
  readonly #clock: Clock
  readonly #guard: LoginGuard
  readonly #known: Recent<Caller>
  readonly #unknown: Recent<true>
  readonly #unknownKeys: UnknownKeys

  constructor(store: KeyStore, clock: Clock, guard: LoginGuard, unknownKeys: UnknownKeys = NONE_KNOWN) {
    this.#store = store
    this.#clock = clock
    this.#guard = guard
    this.#unknownKeys = unknownKeys
    const perf = { now: () => clock.monotonic() }
    this.#known = recentlyUsed(MOST_KEYS, { perf })
    this.#unknown = recentlyUsed(MOST_KEYS, { ttl: UNKNOWN_AGE_MS, perf })
  }

  /**
   * The caller of a request. Throws `authentication-required` without a Bearer key, `invalid-api-key` for any key that
   * is malformed, unknown, revoked or expired, `rate-limited` when the address failed too often.
   */
  async authenticate(header: string | undefined, address: string, use: 'charged' | 'read'): Promise<Caller> {
    const key = bearer(header)
    if (!wellFormed(key)) {
      this.#guard.refuseBlocked(address)
      this.#guard.failed(address)
      throw new Problem('invalid-api-key', key.startsWith(KEY_PREFIX) ? REFUSED : OTHER)
    }
    const hash = hashKey(key)
    const cached = this.#known.get(hash)
    const caller = cached !== undefined && this.#fresh(cached, use) ? cached : await this.#lookUp(hash, address, cached)
    return this.#unexpired(caller)
  }

  /** Reads a caller's key again after the epoch changed. Throws `invalid-api-key` when it is no longer valid. */
  async refresh(caller: Caller): Promise<Caller> {
    this.#known.delete(caller.key.hash)
    return this.#unexpired(await this.#find(caller.key.hash, caller))
  }

  /** Drops a key from the cache after this replica changed it. */
  forget(hash: string): void {
    this.#known.delete(hash)
  }

  #fresh(caller: Caller, use: 'charged' | 'read'): boolean {
    // No hold reaches the ledger for a disabled account, so that enabling it would go unnoticed.
    const lasting = use === 'charged' && !caller.account.disabled
    return this.#clock.monotonic() - caller.readAt < (lasting ? CHARGED_AGE_MS : READ_AGE_MS)
  }

  #unexpired(caller: Caller): Caller {
    const { expires_at } = caller.key
    if (expires_at !== null && expires_at <= this.#clock.now()) throw new Problem('invalid-api-key', REFUSED)
    return caller
  }

  /** Reads a key from the store. Other replicas' refusals count only when this one has not cached the key. */
  async #lookUp(hash: string, address: string, cached: Caller | undefined): Promise<Caller> {
    this.#guard.admit(address, hash)
    if (this.#unknown.get(hash) === true || (cached === undefined && (await this.#isUnknownElsewhere(hash)))) {
      this.#guard.failed(address)
      throw new Problem('invalid-api-key', REFUSED)
    }
    try {
      const caller = await this.#find(hash, cached)
      this.#guard.worked(address, hash)
      return caller
    } catch (error) {
      if (error instanceof Problem) this.#guard.failed(address)
      throw error
    }
  }

  async #isUnknownElsewhere(hash: string): Promise<boolean> {
    const left = await this.#unknownKeys.left(hash)
    if (left <= 0) return false
    // For as long as the replica that queried the store refuses it.
    this.#unknown.set(hash, true, { ttl: Math.min(left, UNKNOWN_AGE_MS) })
    return true
  }

  async #find(hash: string, cached: Caller | undefined): Promise<Caller> {
    const found = await this.#store.find(hash, cached?.account.id)
    if (found === null || found.key.revoked_at !== null || !sameDigest(found.key.hash, hash)) {
      this.#known.delete(hash)
      this.#unknown.set(hash, true)
      this.#unknownKeys.add(hash, UNKNOWN_AGE_MS)
      throw new Problem('invalid-api-key', REFUSED)
    }
    const { key, account } = found
    const caller: Caller = { key, account, readAt: this.#clock.monotonic(), capped: key.caps.length > 0 }
    this.#known.set(hash, caller)
    return caller
  }
}

function sameDigest(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

/** Unknown keys by SHA-256, in Redis, with an expiry. While Redis does not answer, no key counts as unknown. */
export class RedisUnknownKeys implements UnknownKeys {
  readonly #link: RedisLink

  constructor(link: RedisLink) {
    this.#link = link
  }

  async left(hash: string): Promise<number> {
    // PTTL is negative for a missing key, and for one without an expiry, which ours always have.
    const left = await this.#link.call('PTTL', name(hash))
    return typeof left === 'number' ? Math.max(0, left) : 0
  }

  add(hash: string, ms: number): void {
    void this.#link.call('SET', name(hash), '', 'PX', ms)
  }
}

function name(hash: string): string {
  return `capstan:unknown:${hash}`
}

/** `last_used_at` may be 5 s old; each write is one more document beside the calls. */
const WRITE_MS = 4_000

/** Records when keys were last used, written every four seconds, so that no request waits for it. */
export class KeyUses {
  readonly #store: KeyStore
  readonly #clock: Clock
  readonly #log: Log
  #uses = new Map<string, number>()
  #scheduled = false

  constructor(store: KeyStore, clock: Clock, log: Log) {
    this.#store = store
    this.#clock = clock
    this.#log = log
  }

  used(key: string): void {
    this.#uses.set(key, this.#clock.now())
    if (this.#scheduled) return
    this.#scheduled = true
    this.#clock.after(WRITE_MS, () => void this.flush())
  }

  /** Writes the uses since the last flush. */
  async flush(): Promise<void> {
    this.#scheduled = false
    const uses = [...this.#uses].map(([id, at]) => ({ id, at }))
    this.#uses = new Map()
    if (uses.length === 0) return
    try {
      await this.#store.touch(uses)
    } catch (error) {
      logFailedWork(this.#log, {
        event: 'key-uses-not-written',
        message: 'the last use of keys could not be written',
        error,
        fields: { keys: uses.length },
      })
    }
  }
}
