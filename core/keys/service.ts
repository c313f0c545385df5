import type { Clock } from '../clock.js'
import { toCredits, toMilli } from '../credits/amount.js'
import { ulid } from '../id.js'
import { parseRange } from '../limits/address-range.js'
import { Problem, type ValidationItem } from '../problems/problem.js'
import type { KeyRecord, KeyStore } from '../store/port.js'
import { covers } from './caller.js'
import { hashKey, makeKey, SHOWN } from './layout.js'

const DAY_MS = 86_400_000

/** What a new key may be given; absent means no restriction. */
export interface KeyOrder {
  readonly name: string
  readonly rate_limit_per_minute: number
  readonly expires_in_days?: number | null
  readonly scopes?: readonly string[] | null
  readonly credit_limit?: number | null
  readonly credit_limit_per_day?: number | null
  readonly allowed_ips?: readonly string[] | null
}

/** The one answer that carries the key itself. */
export interface CreatedKey {
  id: string
  name: string
  key: string
  key_prefix: string
  rate_limit_per_minute: number
  created_at: string
  expires_at: string | null
  scopes: readonly string[] | null
  credit_limit: number | null
  credit_limit_per_day: number | null
  allowed_ips: readonly string[] | null
}

/** A key as lists show it. */
export interface KeyItem {
  id: string
  name: string
  key_prefix: string
  rate_limit_per_minute: number
  created_at: string
  last_used_at: string | null
  expires_at: string | null
  scopes: readonly string[] | null
  credit_limit: number | null
  credit_limit_per_day: number | null
  credits_used: number
  allowed_ips: readonly string[] | null
}

/** Makes, lists, rotates and revokes the keys of an account. */
export class KeyService {
  readonly #store: KeyStore
  readonly #clock: Clock
  /** Ids that scopes may name. */
  readonly #scopes: () => readonly string[]
  /** Told of keys that were changed here, so that no cache keeps the old state. */
  readonly #changed: (hash: string) => void

  constructor(store: KeyStore, clock: Clock, about: { scopes: () => readonly string[]; changed?: (hash: string) => void }) {
    this.#store = store
    this.#clock = clock
    this.#scopes = about.scopes
    this.#changed = about.changed ?? (() => undefined)
  }

  /** A new key. `creator` bounds what it may be given. Throws `validation-failed` and `key-not-allowed`. */
  async create(account: string, order: KeyOrder, creator: KeyRecord | null): Promise<CreatedKey> {
    this.#check(order)
    if (creator !== null) withinCreator(order, creator, this.#clock.now())
    const now = this.#clock.now()
    const key = makeKey()
    const record: Omit<KeyRecord, 'last_used_at' | 'revoked_at' | 'credits_used'> = {
      id: `key_${ulid(now)}`,
      account,
      name: order.name,
      hash: hashKey(key),
      prefix: key.slice(0, SHOWN),
      rate_limit_per_minute: order.rate_limit_per_minute,
      created_at: now,
      expires_at:
        typeof order.expires_in_days === 'number' ? Math.ceil(now + order.expires_in_days * DAY_MS) : (creator?.expires_at ?? null),
      scopes: order.scopes === undefined ? (creator?.scopes ?? null) : order.scopes,
      credit_limit: typeof order.credit_limit === 'number' ? toMilli(order.credit_limit) : (creator?.credit_limit ?? null),
      credit_limit_per_day:
        typeof order.credit_limit_per_day === 'number' ? toMilli(order.credit_limit_per_day) : (creator?.credit_limit_per_day ?? null),
      allowed_ips: order.allowed_ips === undefined ? (creator?.allowed_ips ?? null) : order.allowed_ips,
    }
    return await this.#insert(record, key)
  }

  async #insert(record: Omit<KeyRecord, 'last_used_at' | 'revoked_at' | 'credits_used'>, key: string): Promise<CreatedKey> {
    const made = await this.#store.create(record)
    if (made.ok) return created(record, key)
    if (made.why === 'absent') throw new Problem('not-found', 'There is no such account.')
    throw invalid([
      { loc: ['body', 'credit_limit'], msg: 'the account has 200 keys with a spending cap already; revoke one first', type: 'too_many' },
    ])
  }

  async list(account: string): Promise<KeyItem[]> {
    return (await this.#store.list(account, this.#clock.now())).map(listed)
  }

  /** Revokes a key; a second time changes nothing. Throws `not-found` for an unknown key or another account's. */
  async revoke(account: string, id: string): Promise<void> {
    const key = await this.#store.revoke(account, id, this.#clock.now())
    if (key === null) throw unknownKey()
    this.#changed(key.hash)
  }

  /** A new key with everything the old one had; the old one lives on for the overlap. Throws `key-not-allowed` when the old one has more than `creator`. */
  async rotate(account: string, id: string, overlapSeconds: number, creator: KeyRecord | null): Promise<CreatedKey> {
    const now = this.#clock.now()
    const old = await this.#store.get(account, id)
    if (old === null || old.revoked_at !== null || (old.expires_at !== null && old.expires_at <= now)) throw unknownKey()
    if (creator !== null && creator.id !== id) within(old, creator)
    const key = makeKey()
    const { last_used_at: _used, revoked_at: _revoked, credits_used: _spent, ...same } = old
    const fresh = await this.#insert(
      { ...same, id: `key_${ulid(now)}`, hash: hashKey(key), prefix: key.slice(0, SHOWN), created_at: now },
      key,
    )
    const until = now + overlapSeconds * 1000
    const ended =
      overlapSeconds === 0
        ? await this.#store.revoke(account, id, now)
        : await this.#store.expire(account, id, old.expires_at === null ? until : Math.min(until, old.expires_at))
    if (ended !== null) this.#changed(ended.hash)
    return fresh
  }

  #check(order: KeyOrder): void {
    const faults: ValidationItem[] = []
    const known = new Set([...this.#scopes(), 'manage'])
    for (const [index, scope] of (order.scopes ?? []).entries()) {
      const stem = scope.endsWith('*') ? scope.slice(0, -1) : null
      const fits = stem === null ? known.has(scope) : [...known].some((id) => id.startsWith(stem))
      if (!fits)
        faults.push({
          loc: ['body', 'scopes', index],
          msg: `"${scope.slice(0, 60)}" is no capability id, "manage", or the beginning of one with "*"`,
          type: 'enum',
        })
    }
    for (const [index, entry] of (order.allowed_ips ?? []).entries()) {
      if (!isRange(entry))
        faults.push({
          loc: ['body', 'allowed_ips', index],
          msg: `"${entry.slice(0, 60)}" is not an IP address or CIDR range`,
          type: 'format',
        })
    }
    for (const field of ['credit_limit', 'credit_limit_per_day'] as const) {
      const value = order[field]
      if (typeof value === 'number' && !isAmount(value))
        faults.push({ loc: ['body', field], msg: 'must be an amount of credits with at most three decimals', type: 'multipleOf' })
    }
    if (faults.length > 0) throw invalid(faults)
  }
}

function isRange(entry: string): boolean {
  try {
    parseRange(entry)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

function isAmount(credits: number): boolean {
  try {
    return toMilli(credits) >= 0
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

function beyond(field: string): Problem {
  return new Problem('key-not-allowed', `A key cannot give more than the key that makes it has (${field}).`)
}

/** Throws when a key that exists has more than another one. */
function within(key: KeyRecord, creator: KeyRecord): void {
  const over = (mine: number | null, limit: number | null): boolean => limit !== null && (mine === null || mine > limit)
  if (!covers(creator.scopes, key.scopes)) throw beyond('scopes')
  for (const field of ['expires_at', 'credit_limit', 'credit_limit_per_day'] as const)
    if (over(key[field], creator[field])) throw beyond(field)
  if (creator.allowed_ips !== null && (key.allowed_ips === null || !inRanges(key.allowed_ips, creator.allowed_ips)))
    throw beyond('allowed_ips')
}

/** True when every range lies inside one of the outer ones. */
function inRanges(ranges: readonly string[], outer: readonly string[]): boolean {
  const mine = outer.map(parseRange)
  return ranges.every((entry) => {
    const [network, bits] = parseRange(entry)
    return mine.some(([around, most]) => around.kind() === network.kind() && bits >= most && network.match(around, most))
  })
}

/** A key never grants more than its creator has. */
function withinCreator(order: KeyOrder, creator: KeyRecord, now: number): void {
  if (order.scopes !== undefined && !covers(creator.scopes, order.scopes)) throw beyond('scopes')
  if (creator.expires_at !== null && typeof order.expires_in_days === 'number' && now + order.expires_in_days * DAY_MS > creator.expires_at)
    throw beyond('expires_in_days')
  if (creator.expires_at !== null && order.expires_in_days === null) throw beyond('expires_in_days')
  for (const field of ['credit_limit', 'credit_limit_per_day'] as const) {
    const cap = creator[field]
    const wanted = order[field]
    if (cap !== null && (wanted === null || (typeof wanted === 'number' && toMilli(wanted) > cap))) throw beyond(field)
  }
  if (creator.allowed_ips !== null && order.allowed_ips !== undefined) {
    if (order.allowed_ips === null || !inRanges(order.allowed_ips, creator.allowed_ips)) throw beyond('allowed_ips')
  }
}

function created(record: Omit<KeyRecord, 'last_used_at' | 'revoked_at' | 'credits_used'>, key: string): CreatedKey {
  const { id, name, rate_limit_per_minute, scopes, allowed_ips } = record
  return {
    id,
    name,
    key,
    key_prefix: record.prefix,
    rate_limit_per_minute,
    created_at: new Date(record.created_at).toISOString(),
    expires_at: iso(record.expires_at),
    scopes,
    credit_limit: credits(record.credit_limit),
    credit_limit_per_day: credits(record.credit_limit_per_day),
    allowed_ips,
  }
}

function listed(key: KeyRecord): KeyItem {
  const { key: _secret, ...shown } = created(key, '')
  return { ...shown, last_used_at: iso(key.last_used_at), credits_used: toCredits(key.credits_used) }
}

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}

function credits(milli: number | null): number | null {
  return milli === null ? null : toCredits(milli)
}

function unknownKey(): Problem {
  return new Problem('not-found', 'The account has no such key.')
}

function invalid(items: readonly ValidationItem[]): Problem {
  return new Problem('validation-failed', `${items.map((item) => `${item.loc.slice(1).join('.')}: ${item.msg}`).join('; ')}.`, {
    validation: items,
  })
}
