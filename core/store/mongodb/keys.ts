import type { AccountRecord, KeyPage, KeyRecord, NewKey } from '../port.js'
import { dayNumber } from '../day.js'
import { ACCOUNT, accountOf } from './accounts.js'
import { fieldName, op, type Filter } from './filter.js'
import type { MongoDeps } from './deps.js'
import { spentBy } from './rollup.js'
import type { CapField, KeyDocument } from './documents.js'
import { SLIM_JOURNAL, numbered, type Numbered } from './snapshot.js'

/** Capped keys an account may have. */
const MAX_CAPPED = 200

/** A cap without a limit of its kind: far above any amount, and exact when amounts are added to it. */
const UNLIMITED = 2 ** 52

/** Longer than it takes to make a key: caps older than this without a key were left by a maker that died. */
const MAKING_MS = 60_000

/** Of the spending, what is published is on the key; the rest is still with the account. */
function keyOf(key: KeyDocument, tail: readonly Numbered[]): KeyRecord {
  const { name, hash, prefix, created_at, last_used_at, expires_at, revoked_at, scopes, allowed_ips, credit_limit, credit_limit_per_day } =
    key
  const unpublished = tail.filter((entry) => entry.key === key._id && entry.seq > key.applied)
  const caps = credit_limit === null && credit_limit_per_day === null ? [] : [key._id]
  const place = { id: key._id, account: key.acct, name, hash, prefix }
  const life = { created_at, last_used_at, expires_at, revoked_at }
  const limits = { rate_limit_per_minute: key.rate, scopes, allowed_ips, credit_limit, credit_limit_per_day }
  return { ...place, ...life, ...limits, credits_used: key.used + spentBy(unpublished), caps }
}

function capOf(key: NewKey): CapField | null {
  const { credit_limit: total, credit_limit_per_day: daily, created_at: at } = key
  if (total === null && daily === null) return null
  return { left: total ?? UNLIMITED, day: dayNumber(at), dleft: daily ?? UNLIMITED, dlim: daily ?? UNLIMITED, at }
}

/** Keys: made, found by hash, listed, revoked. */
export function keys({ tables }: MongoDeps) {
  const { accounts, keys: table } = tables

  /** The account first: what is published between the two reads is then seen on the key and left out of the rest. */
  const get = async (acct: string, id: string): Promise<KeyRecord | null> => {
    const account = await accounts.one({ _id: acct }, SLIM_JOURNAL)
    const key = account === null ? null : await table.one({ _id: id, acct })
    return account === null || key === null ? null : keyOf(key, numbered(account))
  }

  /** Gives the key its place among the capped ones of its account; false when there is none left. Again changes nothing. */
  const reserve = async (key: NewKey, cap: CapField): Promise<boolean> => {
    const path = `caps.${fieldName(key.id, 'the id of a key')}`
    const room = { _id: key.account, capped: op({ $lt: MAX_CAPPED }), [path]: op({ $exists: false }) }
    const taken = await accounts.update(room, { $set: { [path]: cap }, $inc: { capped: 1, ver: 1 } })
    return taken || (await accounts.one({ _id: key.account, [path]: op({ $exists: true }) }, { _id: 1 })) !== null
  }

  const unreserve = async (acct: string, id: string): Promise<void> => {
    const path = `caps.${id}`
    await accounts.update({ _id: acct, [path]: op({ $exists: true }) }, { $unset: { [path]: 1 }, $inc: { capped: -1, ver: 1 } })
  }

  /** Takes the places of keys whose maker died before it wrote them; true when there were any. */
  const dropAbandoned = async (acct: string, now: number): Promise<boolean> => {
    const account = await accounts.one({ _id: acct }, { caps: 1 })
    const old = Object.entries(account?.caps ?? {}).filter(([, cap]) => cap.at < now - MAKING_MS)
    const written = await table.many({ _id: op({ $in: old.map(([id]) => id) }) }, { _id: 1 })
    const known = new Set(written.map((key) => key._id))
    const abandoned = old.map(([id]) => id).filter((id) => !known.has(id))
    for (const id of abandoned) await unreserve(acct, id)
    return abandoned.length > 0
  }

  const write = async (key: NewKey): Promise<void> => {
    const { id: _id, account: acct, name, hash, prefix, rate_limit_per_minute: rate, created_at, expires_at } = key
    const { scopes, credit_limit, credit_limit_per_day, allowed_ips } = key
    const place = { _id, acct, name, hash, prefix, rate, created_at, expires_at }
    const fresh = { last_used_at: null, revoked_at: null, used: 0, applied: 0 }
    if (await table.insert({ ...place, scopes, credit_limit, credit_limit_per_day, allowed_ips, ...fresh })) return
    if ((await table.one({ _id, acct, hash: key.hash }, { _id: 1 })) === null)
      throw new RangeError('the id or the hash of a new key is that of another')
  }

  const create = async (key: NewKey): Promise<{ ok: true } | { ok: false; why: 'too-many-capped' | 'absent' }> => {
    if ((await accounts.one({ _id: key.account }, { _id: 1 })) === null) return { ok: false, why: 'absent' }
    if ((await table.one({ _id: key.id, acct: key.account, hash: key.hash }, { _id: 1 })) !== null) return { ok: true }
    const cap = capOf(key)
    const placed =
      cap === null || (await reserve(key, cap)) || ((await dropAbandoned(key.account, key.created_at)) && (await reserve(key, cap)))
    if (!placed) return { ok: false, why: 'too-many-capped' }
    await write(key)
    return { ok: true }
  }

  /**
   * Changes a key and then raises the epoch of its account. `due` says between the two that the second is still to be done, so that a
   * repeated command finishes what a lost one began, and only that.
   */
  const changeWithEpoch = async (key: KeyRecord, change: { filter: Filter; set: object }, revoked: boolean): Promise<void> => {
    const { account: acct, id: _id } = key
    await table.update({ _id, acct, ...change.filter }, { $set: { ...change.set, due: true } })
    if ((await table.one({ _id, acct, due: true }, { _id: 1 })) === null) return
    await accounts.update({ _id: acct }, { $inc: { auth: 1 } })
    if (revoked && (key.credit_limit !== null || key.credit_limit_per_day !== null)) await unreserve(acct, _id)
    await table.update({ _id, acct }, { $unset: { due: 1 } })
  }

  return {
    create,
    get,

    find: async (hash: string): Promise<{ key: KeyRecord; account: AccountRecord } | null> => {
      const place = await table.one({ hash }, { acct: 1 })
      const account = place === null ? null : await accounts.one({ _id: place.acct }, { ...ACCOUNT, ...SLIM_JOURNAL })
      // Only after the account: a key that ends between the two has raised the epoch, and an old epoch is found out by the next hold.
      const key = account === null ? null : await table.one({ hash })
      return key === null || account === null ? null : { key: keyOf(key, numbered(account)), account: accountOf(account) }
    },

    list: async (acct: string, { now, limit, offset }: { now: number; limit: number; offset: number }): Promise<KeyPage> => {
      const account = await accounts.one({ _id: acct }, SLIM_JOURNAL)
      if (account === null) return { keys: [], total: 0 }
      const found = await table.many({ acct, revoked_at: null }, {}, { sort: { created_at: 1, _id: 1 } })
      const tail = numbered(account)
      const active = found.filter((key) => key.expires_at === null || key.expires_at > now)
      return { keys: active.slice(offset, offset + limit).map((key) => keyOf(key, tail)), total: active.length }
    },

    revoke: async (acct: string, id: string, now: number): Promise<KeyRecord | null> => {
      const key = await get(acct, id)
      if (key === null) return null
      await changeWithEpoch(key, { filter: { revoked_at: null }, set: { revoked_at: now } }, true)
      return await get(acct, id)
    },

    /** Every cached copy of the key still has the longer life, so the epoch rises whenever the life was shortened. */
    expire: async (acct: string, id: string, at: number): Promise<KeyRecord | null> => {
      const key = await get(acct, id)
      if (key === null) return null
      if (key.expires_at === null) await changeWithEpoch(key, { filter: { expires_at: null }, set: { expires_at: at } }, false)
      else await changeWithEpoch(key, { filter: { expires_at: op({ $gt: at }) }, set: { expires_at: at } }, false)
      return await get(acct, id)
    },

    touch: async (uses: readonly { id: string; at: number }[]): Promise<void> => {
      await table.bulk(uses.map(({ id, at }) => ({ filter: { _id: id }, update: { $max: { last_used_at: at } } })))
    },
  }
}
