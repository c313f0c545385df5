import type { AccountRecord, KeyPage, KeyRecord, NewKey } from '../types.js'
import { ACCOUNT, accountOf } from './accounts.js'
import { capOf } from './caps.js'
import { fieldName, nullOrAbove, op, type Filter } from './filter.js'
import type { MongoDeps } from './deps.js'
import { spentBy } from './rollup.js'
import type { CapField, KeyDocument } from './documents.js'
import { SLIM_JOURNAL, numbered, type Numbered } from './journal.js'

/** Caps an account may have. */
const MAX_CAPPED = 200

/** Longer than creating a key takes, in ms: a cap older than this without an active key is unused. */
const MAKING_MS = 60_000

/** The spending is `used` of the key, which counts published entries, plus the account's unpublished ones. */
function keyOf(key: KeyDocument, tail: readonly Numbered[]): KeyRecord {
  const { name, hash, prefix, created_at, last_used_at, expires_at, revoked_at, scopes, allowed_ips, credit_limit, credit_limit_per_day } =
    key
  const unpublished = tail.filter((entry) => entry.key === key._id && entry.seq > key.applied)
  const place = { id: key._id, account: key.acct, name, hash, prefix }
  const life = { created_at, last_used_at, expires_at, revoked_at }
  const limits = { rate_limit_per_minute: key.rate, scopes, allowed_ips, credit_limit, credit_limit_per_day }
  return { ...place, ...life, ...limits, credits_used: key.used + spentBy(unpublished), caps: key.caps }
}

/** Keys: create, find by hash, list, revoke. */
export function keys({ tables }: MongoDeps) {
  const { accounts, keys: table } = tables

  /** Reads the account first: entries published between the reads are counted on the key and skipped in the tail. */
  const get = async (acct: string, id: string): Promise<KeyRecord | null> => {
    const account = await accounts.one({ _id: acct }, SLIM_JOURNAL)
    const key = account === null ? null : await table.one({ _id: id, acct })
    return account === null || key === null ? null : keyOf(key, numbered(account))
  }

  /** Puts a cap on the account; false when there are too many. Idempotent. */
  const reserve = async (acct: string, id: string, cap: CapField): Promise<boolean> => {
    const path = `caps.${fieldName(id, 'the id of a key')}`
    const room = { _id: acct, capped: op({ $lt: MAX_CAPPED }), [path]: op({ $exists: false }) }
    const taken = await accounts.update(room, { $set: { [path]: cap }, $inc: { capped: 1, ver: 1 } })
    return taken || (await accounts.one({ _id: acct, [path]: op({ $exists: true }) }, { _id: 1 })) !== null
  }

  /** The caps that no active key spends on. */
  const unused = async (acct: string, ids: readonly string[], now: number): Promise<string[]> => {
    const active = { acct, revoked_at: null, expires_at: nullOrAbove(now), caps: op({ $in: ids }) }
    const used = new Set((await table.many(active, { caps: 1 })).flatMap(({ caps }) => caps))
    return ids.filter((id) => !used.has(id))
  }

  /** Removes from the account the caps that no active key spends on; true when there were any. */
  const dropUnused = async (acct: string, ids: readonly string[], now: number): Promise<boolean> => {
    if (ids.length === 0) return false
    const gone = await unused(acct, ids, now)
    for (const id of gone) {
      const path = `caps.${id}`
      await accounts.update({ _id: acct, [path]: op({ $exists: true }) }, { $unset: { [path]: 1 }, $inc: { capped: -1, ver: 1 } })
    }
    return gone.length > 0
  }

  /** Removes caps of expired keys, and of keys never written because their gateway died; true when there were any. */
  const dropOld = async (acct: string, now: number): Promise<boolean> => {
    const account = await accounts.one({ _id: acct }, { caps: 1 })
    const old = Object.entries(account?.caps ?? {}).filter(([, cap]) => cap.at < now - MAKING_MS)
    return await dropUnused(
      acct,
      old.map(([id]) => id),
      now,
    )
  }

  const write = async (key: NewKey, caps: readonly string[]): Promise<void> => {
    const { id: _id, account: acct, name, hash, prefix, rate_limit_per_minute: rate, created_at, expires_at } = key
    const { scopes, credit_limit, credit_limit_per_day, allowed_ips } = key
    const place = { _id, acct, name, hash, prefix, rate, created_at, expires_at }
    const fresh = { last_used_at: null, revoked_at: null, used: 0, applied: 0 }
    if (await table.insert({ ...place, scopes, credit_limit, credit_limit_per_day, allowed_ips, caps, ...fresh })) return
    if ((await table.one({ _id, acct, hash: key.hash }, { _id: 1 })) === null)
      throw new RangeError('the id or the hash of a new key is that of another')
  }

  /** Number of active keys, without those replaced by rotation. */
  const countActive = async (acct: string, { now, but }: { now: number; but: string }): Promise<number> =>
    await table.count({ acct, revoked_at: null, expires_at: nullOrAbove(now), superseded: null, _id: op({ $ne: but }) })

  const supersede = async (acct: string, id: string | undefined): Promise<void> => {
    if (id !== undefined) await table.update({ _id: id, acct }, { $set: { superseded: true } })
  }

  /** Counts keys after writing, so that concurrent creates cannot pass the limit; a key too many is removed again. */
  const create = async (
    key: NewKey,
    { most, replaces }: { readonly most?: number; readonly replaces?: string } = {},
  ): Promise<{ ok: true } | { ok: false; why: 'too-many-capped' | 'too-many' | 'absent' }> => {
    const { account: acct, id, hash, created_at: now } = key
    if ((await accounts.one({ _id: acct }, { _id: 1 })) === null) return { ok: false, why: 'absent' }
    const isThere = (await table.one({ _id: id, acct, hash }, { _id: 1 })) !== null
    if (!isThere) {
      const cap = capOf(key)
      const caps = key.caps ?? (cap === null ? [] : [id])
      for (const one of caps) fieldName(one, 'the id of a cap')
      const placed =
        cap === null ||
        !caps.includes(id) ||
        (await reserve(acct, id, cap)) ||
        ((await dropOld(acct, now)) && (await reserve(acct, id, cap)))
      if (!placed) return { ok: false, why: 'too-many-capped' }
      await write(key, caps)
      if (most !== undefined && (await countActive(acct, { now, but: replaces ?? '' })) > most) {
        await table.remove({ _id: id, acct, hash })
        await dropUnused(acct, [id], now)
        return { ok: false, why: 'too-many' }
      }
    }
    await supersede(acct, replaces)
    return { ok: true }
  }

  /**
   * Changes a key, then raises the epoch of its account. `due` marks the second step as pending, so that repeating the
   * command finishes an interrupted one and does nothing else.
   */
  const changeWithEpoch = async (key: KeyRecord, change: { filter: Filter; set: object }, revokedAt: number | null): Promise<void> => {
    const { account: acct, id: _id } = key
    await table.update({ _id, acct, ...change.filter }, { $set: { ...change.set, due: true } })
    if ((await table.one({ _id, acct, due: true }, { _id: 1 })) === null) return
    await accounts.update({ _id: acct }, { $inc: { auth: 1 } })
    if (revokedAt !== null) await dropUnused(acct, key.caps, revokedAt)
    await table.update({ _id, acct }, { $unset: { due: 1 } })
  }

  return {
    create,
    get,

    find: async (hash: string, known?: string): Promise<{ key: KeyRecord; account: AccountRecord } | null> => {
      const acct = known ?? (await table.one({ hash }, { acct: 1 }))?.acct
      const account = acct === undefined ? null : await accounts.one({ _id: acct }, { ...ACCOUNT, ...SLIM_JOURNAL })
      // After the account: a key that ends between the reads raises the epoch, and the next hold refuses the old one.
      const key = account === null ? null : await table.one({ hash, acct: account._id })
      return key === null || account === null ? null : { key: keyOf(key, numbered(account)), account: accountOf(account) }
    },

    list: async (acct: string, { now, limit, offset }: { now: number; limit: number; offset: number }): Promise<KeyPage> => {
      const account = await accounts.one({ _id: acct }, SLIM_JOURNAL)
      if (account === null) return { keys: [], total: 0 }
      const active = { acct, revoked_at: null, expires_at: nullOrAbove(now) }
      const [found, total] = await Promise.all([
        table.many(active, {}, { sort: { created_at: 1, _id: 1 }, skip: offset, limit }),
        table.count(active),
      ])
      const tail = numbered(account)
      return { keys: found.map((key) => keyOf(key, tail)), total }
    },

    revoke: async (acct: string, id: string, now: number): Promise<KeyRecord | null> => {
      const key = await get(acct, id)
      if (key === null) return null
      await changeWithEpoch(key, { filter: { revoked_at: null }, set: { revoked_at: now } }, now)
      return await get(acct, id)
    },

    /** Cached copies still have the longer life, so shortening raises the epoch. */
    expire: async (acct: string, id: string, at: number): Promise<KeyRecord | null> => {
      const key = await get(acct, id)
      if (key === null) return null
      const longer = key.expires_at === null ? null : op({ $gt: at })
      await changeWithEpoch(key, { filter: { expires_at: longer }, set: { expires_at: at } }, null)
      return await get(acct, id)
    },

    touch: async (uses: readonly { id: string; at: number }[]): Promise<void> => {
      await table.bulk(uses.map(({ id, at }) => ({ filter: { _id: id }, update: { $max: { last_used_at: at } } })))
    },
  }
}
