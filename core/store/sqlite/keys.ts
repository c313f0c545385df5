import type { AccountRecord, KeyPage, KeyRecord, Milli, NewKey } from '../types.js'
import type { Database } from './database.js'
import { ACCOUNT_COLUMNS, accountOf, type AccountRow } from './accounts.js'
import { storedTexts } from '../stored.js'

/** The caps that keys spend on: created with a key, counted while an unrevoked key spends on them. */
function keyCaps(db: Database) {
  const insert = db.query('insert into caps (id, acct, credit_limit, credit_limit_per_day) values (?, ?, ?, ?)')
  const exists = db.query<{ yes: number }>('select 1 yes from caps where id = ? and acct = ?')
  const active = db.query<{ n: number }>('select count(*) n from caps where acct = ? and keys > 0')
  const count = db.query('update caps set keys = keys + ? where id = ?')

  return {
    /** Ids of the caps of a new key. Throws a RangeError for an unknown one, and for its own when it has no limit. */
    listOf: (acct: number, key: NewKey): readonly string[] => {
      const isLimited = key.credit_limit !== null || key.credit_limit_per_day !== null
      const list = key.caps ?? (isLimited ? [key.id] : [])
      for (const cap of list)
        if (cap === key.id ? !isLimited : exists.get(cap, acct) === undefined) throw new RangeError(`there is no spending cap ${cap}`)
      return list
    },
    active: (acct: number): number => active.get(acct)?.n ?? 0,
    /** Attaches the caps to a new key and creates its own. */
    join: (acct: number, key: NewKey, list: readonly string[]): void => {
      if (list.includes(key.id)) insert.run(key.id, acct, key.credit_limit, key.credit_limit_per_day)
      for (const cap of list) count.run(1, cap)
    },
    /** Detaches the caps of a revoked key. They stay, because amounts it spent may be refunded. */
    leave: (list: readonly string[]): void => {
      for (const cap of list) count.run(-1, cap)
    },
  }
}

/** A row of `keys`, with the id of its account. */
export interface KeyRow extends Omit<KeyRecord, 'rate_limit_per_minute' | 'scopes' | 'allowed_ips' | 'credits_used' | 'caps'> {
  readonly rate: number
  readonly scopes: string | null
  readonly allowed_ips: string | null
  readonly used: Milli
  readonly caps: string
  readonly superseded: number
}

const KEY_COLUMNS = `k.id, a.id account, k.name, k.hash, k.prefix, k.rate, k.created_at, k.last_used_at, k.expires_at, k.revoked_at, k.scopes,
  k.credit_limit, k.credit_limit_per_day, k.allowed_ips, k.used, k.caps, k.superseded`

/** Most caps in use per account. */
const MAX_CAPS = 200
/** Most keys per page. */
const MAX_PAGE = 1000

type CreateOptions = { readonly most?: number; readonly replaces?: string }
type CreateResult = { ok: true } | { ok: false; why: 'too-many-capped' | 'too-many' | 'absent' }

const list = (text: string | null): readonly string[] | null => (text === null ? null : storedTexts(text))
const text = (values: readonly string[] | null): string | null => (values === null ? null : JSON.stringify(values))

function keyOf(row: KeyRow): KeyRecord {
  const { id, account, name, hash, prefix, created_at, last_used_at, expires_at, revoked_at, credit_limit, credit_limit_per_day } = row
  const lists = { scopes: list(row.scopes), allowed_ips: list(row.allowed_ips) }
  const times = { created_at, last_used_at, expires_at, revoked_at }
  const limits = { rate_limit_per_minute: row.rate, credit_limit, credit_limit_per_day, credits_used: row.used }
  return { id, account, name, hash, prefix, ...times, ...lists, ...limits, caps: storedTexts(row.caps) }
}

/** Keys: create, find by hash, list, revoke. Revoking raises the epoch in the same step. */
export function keys(db: Database) {
  const caps = keyCaps(db)
  const account = db.query<{ n: number }>('select n from accounts where id = ?')
  const insert = db.query(
    `insert into keys (id, acct, name, hash, prefix, rate, created_at, expires_at, scopes, credit_limit, credit_limit_per_day, allowed_ips, caps)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  // Both arms are ranges of one index, and nothing beyond the limit is counted.
  const counted = db.query<{ n: number }>(
    `select count(*) n from (select 1 from keys where acct = ?1 and revoked_at is null and expires_at is null and superseded = 0
       union all select 1 from keys where acct = ?1 and revoked_at is null and expires_at > ?2 and superseded = 0 limit ?3)`,
  )
  const isCounted = db.query<{ yes: number }>(
    `select 1 yes from keys where id = ? and acct = ? and revoked_at is null and superseded = 0 and (expires_at is null or expires_at > ?)`,
  )
  const supersede = db.query('update keys set superseded = 1 where id = ? and acct = ?')
  const same = db.query<{ yes: number }>('select 1 yes from keys where id = ? and acct = ? and hash = ?')
  const byHash = db.query<KeyRow & AccountRow>(
    `select ${KEY_COLUMNS}, ${ACCOUNT_COLUMNS} from keys k join accounts a on a.n = k.acct where k.hash = ?`,
  )
  const byId = db.query<KeyRow>(`select ${KEY_COLUMNS} from keys k join accounts a on a.n = k.acct where k.id = ? and a.id = ?`)
  // Skipped keys are counted in the index; only those of the page are read, and sorted afterwards.
  const active = db.query<KeyRow>(
    `select ${KEY_COLUMNS} from (select k.id from accounts a join keys k on k.acct = a.n
       where a.id = ? and k.revoked_at is null and (k.expires_at is null or k.expires_at > ?) order by k.created_at, k.id limit ? offset ?) page
     join keys k on k.id = page.id join accounts a on a.n = k.acct`,
  )
  const activeCount = db.query<{ n: number }>(
    `select (select count(*) from keys k where k.acct = a.n and k.revoked_at is null and k.expires_at is null)
       + (select count(*) from keys k where k.acct = a.n and k.revoked_at is null and k.expires_at > ?2) n from accounts a where a.id = ?1`,
  )
  const revoke = db.query('update keys set revoked_at = ? where id = ? and revoked_at is null')
  const shorten = db.query('update keys set expires_at = ?1 where id = ?2 and (expires_at is null or expires_at > ?1)')
  const newEpoch = db.query('update accounts set auth = auth + 1 where id = ?')
  const touch = db.query('update keys set last_used_at = ?1 where id = ?2 and (last_used_at is null or last_used_at < ?1)')

  const get = (accountId: string, id: string): KeyRecord | null => {
    const row = byId.get(id, accountId)
    return row === undefined ? null : keyOf(row)
  }

  /** True when another key would exceed `most`; the key it replaces is not counted. */
  const full = (acct: number, key: NewKey, { most, replaces }: CreateOptions): boolean => {
    if (most === undefined) return false
    const now = key.created_at
    const gone = replaces !== undefined && isCounted.get(replaces, acct, now) !== undefined ? 1 : 0
    return (counted.get(acct, now, most + gone)?.n ?? 0) >= most + gone
  }

  return {
    keyCreate: (key: NewKey, options: CreateOptions = {}): CreateResult => {
      const owner = account.get(key.account)
      if (owner === undefined) return { ok: false, why: 'absent' }
      if (same.get(key.id, owner.n, key.hash) !== undefined) return { ok: true }
      const list = caps.listOf(owner.n, key)
      if (list.includes(key.id) && caps.active(owner.n) >= MAX_CAPS) return { ok: false, why: 'too-many-capped' }
      if (full(owner.n, key, options)) return { ok: false, why: 'too-many' }
      const { id, name, hash, prefix, rate_limit_per_minute, created_at, expires_at, scopes, credit_limit, credit_limit_per_day } = key
      const limits = [text(scopes), credit_limit, credit_limit_per_day, text(key.allowed_ips)]
      insert.run(id, owner.n, name, hash, prefix, rate_limit_per_minute, created_at, expires_at, ...limits, JSON.stringify(list))
      caps.join(owner.n, key, list)
      if (options.replaces !== undefined) supersede.run(options.replaces, owner.n)
      return { ok: true }
    },
    keyFind: (hash: string): { key: KeyRecord; account: AccountRecord } | null => {
      const row = byHash.get(hash)
      return row === undefined ? null : { key: keyOf(row), account: accountOf(row) }
    },
    keyGet: get,
    keyList: (accountId: string, { now, limit, offset }: { now: number; limit: number; offset: number }): KeyPage => ({
      keys: active
        .all(accountId, now, Math.min(limit, MAX_PAGE), offset)
        .sort((one, two) => one.created_at - two.created_at || (one.id < two.id ? -1 : 1))
        .map(keyOf),
      total: activeCount.get(accountId, now)?.n ?? 0,
    }),
    keyRevoke: (accountId: string, id: string, now: number): KeyRecord | null => {
      const key = get(accountId, id)
      if (key !== null && revoke.run(now, id) > 0) {
        newEpoch.run(accountId)
        caps.leave(key.caps)
      }
      return get(accountId, id)
    },
    /** Cached copies still have the longer life, so shortening raises the epoch. */
    keyExpire: (accountId: string, id: string, at: number): KeyRecord | null => {
      if (get(accountId, id) !== null && shorten.run(at, id) > 0) newEpoch.run(accountId)
      return get(accountId, id)
    },
    keyTouch: (uses: readonly { id: string; at: number }[]): void => {
      for (const { id, at } of uses) touch.run(at, id)
    },
  }
}
