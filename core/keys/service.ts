import type { Clock } from '../clock.js'
import { toMilli } from '../credits/amount.js'
import { ulid } from '../id.js'
import { Problem } from '../problems/problem.js'
import type { KeyRecord, KeyStore, NewKey } from '../store/port.js'
import { within, withinCreator } from './bounds.js'
import { hashKey, makeKey, SHOWN } from './layout.js'
import { checkOrder, invalid, type KeyOrder } from './key-order.js'
import { created, listed, type CreatedKey, type KeyItem } from './key-view.js'

const DAY_MS = 86_400_000

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
    checkOrder(order, this.#scopes())
    if (creator !== null) withinCreator(order, creator, this.#clock.now())
    const now = this.#clock.now()
    const key = makeKey()
    const record: NewKey = {
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

  async #insert(record: NewKey, key: string): Promise<CreatedKey> {
    const made = await this.#store.create(record)
    if (made.ok) return created(record, key)
    if (made.why === 'absent') throw new Problem('not-found', 'There is no such account.')
    throw invalid([
      { loc: ['body', 'credit_limit'], msg: 'the account has 200 keys with a spending cap already; revoke one first', type: 'too_many' },
    ])
  }

  async list(account: string): Promise<KeyItem[]> {
    return (await this.#store.list(account, { now: this.#clock.now(), limit: 1000, offset: 0 })).keys.map(listed)
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
    const { last_used_at: _used, revoked_at: _revoked, credits_used: _spent, caps: _caps, ...same } = old
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
}

function unknownKey(): Problem {
  return new Problem('not-found', 'The account has no such key.')
}
