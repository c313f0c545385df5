import { Problem } from '../problems/problem.js'
import type { Clock } from '../runtime/clock.js'
import { ulid } from '../runtime/id.js'
import type { KeyRecord, KeyStore, NewKey } from '../store/types.js'
import {
  checkOrder,
  created,
  hasCap,
  invalid,
  listed,
  termsOf,
  within,
  withinCreator,
  type CreatedKey,
  type KeyItem,
  type KeyOrder,
} from './key.js'
import { hashKey, makeKey, SHOWN } from './layout.js'

/** The problem of an unknown account id. */
export function noAccount(): Problem {
  return new Problem('not-found', 'Account not found.', {
    action: 'GET /admin/v1/accounts and capstan accounts list show the ids of all.',
  })
}

/** Most caps that a key may spend on: its own and those of its ancestors. */
const MOST_CAPS = 8

interface KeyServiceOptions {
  /** Ids that scopes may name. */
  readonly scopes: () => readonly string[]
  /** Active keys an account may have. */
  readonly most: number
  /** Called with the hash of each changed key, so that no cache keeps the old state. */
  readonly changed?: (hash: string) => void
}

/** Creates, lists, rotates and revokes the keys of an account. */
export class KeyService {
  readonly #store: KeyStore
  readonly #clock: Clock
  readonly #options: KeyServiceOptions

  constructor(store: KeyStore, clock: Clock, options: KeyServiceOptions) {
    this.#store = store
    this.#clock = clock
    this.#options = options
  }

  /** Creates a key, bounded by `creator` and spending on its caps. Throws `validation-failed` and `key-not-allowed`. */
  async create(account: string, order: KeyOrder, creator: KeyRecord | null): Promise<CreatedKey> {
    checkOrder(order, this.#options.scopes())
    if (creator !== null) withinCreator(order, creator, this.#clock.now())
    const now = this.#clock.now()
    const key = makeKey()
    const record = {
      id: `key_${ulid(now)}`,
      account,
      name: order.name,
      hash: hashKey(key),
      prefix: key.slice(0, SHOWN),
      created_at: now,
      ...termsOf(order, creator, now),
    }
    const limited = hasCap(record)
    return await this.#insert({ ...record, caps: [...(limited ? [record.id] : []), ...(creator?.caps ?? [])] }, key)
  }

  async #insert(record: NewKey, key: string, replaces?: string): Promise<CreatedKey> {
    const { most } = this.#options
    if ((record.caps ?? []).length > MOST_CAPS)
      throw invalid([
        {
          loc: ['body', 'credit_limit'],
          msg: `a key may descend from ${MOST_CAPS - 1} keys with a spending cap at most`,
          type: 'too_many',
        },
      ])
    const made = await this.#store.create(record, { most, ...(replaces === undefined ? {} : { replaces }) })
    if (made.ok) return created(record, key)
    if (made.why === 'absent') throw noAccount()
    if (made.why === 'too-many')
      throw invalid([
        { loc: ['body'], msg: `the account has ${most} active keys already (limits.keys); revoke one first`, type: 'too_many' },
      ])
    throw invalid([
      { loc: ['body', 'credit_limit'], msg: 'the account has 200 keys with a spending cap already; revoke one first', type: 'too_many' },
    ])
  }

  /** A page of the active keys, oldest first, with the number of all. */
  async list(account: string, page: { readonly limit: number; readonly offset: number }): Promise<{ keys: KeyItem[]; total: number }> {
    const { keys, total } = await this.#store.list(account, { now: this.#clock.now(), ...page })
    return { keys: keys.map(listed), total }
  }

  /**
   * Revokes a key. Idempotent. Throws `not-found` for an unknown key or one of another account, `key-not-allowed` when
   * `by` is neither the key itself nor one that could have created it; null is the operator.
   */
  async revoke(account: string, id: string, by: KeyRecord | null): Promise<void> {
    if (by !== null && by.id !== id) within((await this.#store.get(account, id)) ?? unknownKey(), by)
    const key = (await this.#store.revoke(account, id, this.#clock.now())) ?? unknownKey()
    this.#options.changed?.(key.hash)
  }

  /**
   * Creates a key with all fields and caps of the old one, which stays valid for the overlap. Throws `key-not-allowed`
   * when `creator` is neither the old key nor one that could have created it.
   */
  async rotate(account: string, id: string, overlapSeconds: number, creator: KeyRecord | null): Promise<CreatedKey> {
    const now = this.#clock.now()
    const old = await this.#store.get(account, id)
    if (old === null || old.revoked_at !== null || (old.expires_at !== null && old.expires_at <= now)) return unknownKey()
    if (creator !== null && creator.id !== id) within(old, creator)
    const key = makeKey()
    const { last_used_at: _used, revoked_at: _revoked, credits_used: _spent, ...same } = old
    const fresh = await this.#insert(
      { ...same, id: `key_${ulid(now)}`, hash: hashKey(key), prefix: key.slice(0, SHOWN), created_at: now },
      key,
      id,
    )
    const until = now + overlapSeconds * 1000
    const ended =
      overlapSeconds === 0
        ? await this.#store.revoke(account, id, now)
        : await this.#store.expire(account, id, old.expires_at === null ? until : Math.min(until, old.expires_at))
    if (ended !== null) this.#options.changed?.(ended.hash)
    return fresh
  }
}

function unknownKey(): never {
  throw new Problem('not-found', 'The account has no such key: a key is named by its id (key_…), not by the key itself or its name.', {
    action: 'The list of keys (GET without the id) and capstan keys list show the ids of all active ones.',
  })
}
