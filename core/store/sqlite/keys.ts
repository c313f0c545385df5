import type { AccountRecord, KeyPage, KeyRecord, Milli, NewKey } from '../port.js'
import { ACCOUNT_COLUMNS, accountOf, type AccountRow } from './accounts.js'
import type { Database } from './database.js'
import { stored } from '../stored.js'

/** A row of the table of keys, with the id of its account. */
export interface KeyRow {
  readonly id: string
  readonly account: string
  readonly name: string
  readonly hash: string
  readonly prefix: string
  readonly rate: number
  readonly created_at: number
  readonly last_used_at: number | null
  readonly expires_at: number | null
  readonly revoked_at: number | null
  readonly scopes: string | null
  readonly credit_limit: Milli | null
  readonly credit_limit_per_day: Milli | null
  readonly allowed_ips: string | null
  readonly used: Milli
}

const KEY_COLUMNS = `k.id, a.id account, k.name, k.hash, k.prefix, k.rate, k.created_at, k.last_used_at, k.expires_at, k.revoked_at, k.scopes,
  k.credit_limit, k.credit_limit_per_day, k.allowed_ips, k.used`

/** Capped keys an account may have. */
const MAX_CAPPED = 200

const list = (text: string | null): readonly string[] | null => (text === null ? null : stored<readonly string[]>(text))
const text = (values: readonly string[] | null): string | null => (values === null ? null : JSON.stringify(values))

function keyOf(row: KeyRow): KeyRecord {
  const { id, account, name, hash, prefix, created_at, last_used_at, expires_at, revoked_at, credit_limit, credit_limit_per_day } = row
  const lists = { scopes: list(row.scopes), allowed_ips: list(row.allowed_ips) }
  const times = { created_at, last_used_at, expires_at, revoked_at }
  const limits = { rate_limit_per_minute: row.rate, credit_limit, credit_limit_per_day, credits_used: row.used }
  const caps = credit_limit === null && credit_limit_per_day === null ? [] : [id]
  return { id, account, name, hash, prefix, ...times, ...lists, ...limits, caps }
}

/** Keys: made, found by hash, listed, revoked. Revoking and its epoch are one step. */
export function keys(db: Database) {
  const account = db.query<{ n: number }>('select n from accounts where id = ?')
  const capped = db.query<{ n: number }>(
    'select count(*) n from keys where acct = ? and revoked_at is null and (credit_limit is not null or credit_limit_per_day is not null)',
  )
  const insert = db.query(
    `insert into keys (id, acct, name, hash, prefix, rate, created_at, expires_at, scopes, credit_limit, credit_limit_per_day, allowed_ips)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const same = db.query<{ yes: number }>('select 1 yes from keys where id = ? and acct = ? and hash = ?')
  const byHash = db.query<KeyRow & AccountRow>(
    `select ${KEY_COLUMNS}, ${ACCOUNT_COLUMNS} from keys k join accounts a on a.n = k.acct where k.hash = ?`,
  )
  const byId = db.query<KeyRow>(`select ${KEY_COLUMNS} from keys k join accounts a on a.n = k.acct where k.id = ? and a.id = ?`)
  const active = db.query<KeyRow>(
    `select ${KEY_COLUMNS} from accounts a join keys k on k.acct = a.n
     where a.id = ? and k.revoked_at is null and (k.expires_at is null or k.expires_at > ?) order by k.created_at, k.id limit ? offset ?`,
  )
  const activeCount = db.query<{ n: number }>(
    `select count(*) n from accounts a join keys k on k.acct = a.n where a.id = ? and k.revoked_at is null and (k.expires_at is null or k.expires_at > ?)`,
  )
  const revoke = db.query('update keys set revoked_at = ? where id = ? and revoked_at is null')
  const shorten = db.query('update keys set expires_at = ?1 where id = ?2 and (expires_at is null or expires_at > ?1)')
  const newEpoch = db.query('update accounts set auth = auth + 1 where id = ?')
  const touch = db.query('update keys set last_used_at = ?1 where id = ?2 and (last_used_at is null or last_used_at < ?1)')

  const get = (accountId: string, id: string): KeyRecord | null => {
    const row = byId.get(id, accountId)
    return row === undefined ? null : keyOf(row)
  }

  return {
    keyCreate: (key: NewKey): { ok: true } | { ok: false; why: 'too-many-capped' | 'absent' } => {
      const owner = account.get(key.account)
      if (owner === undefined) return { ok: false, why: 'absent' }
      if (same.get(key.id, owner.n, key.hash) !== undefined) return { ok: true }
      const isCapped = key.credit_limit !== null || key.credit_limit_per_day !== null
      if (isCapped && (capped.get(owner.n)?.n ?? 0) >= MAX_CAPPED) return { ok: false, why: 'too-many-capped' }
      const { id, name, hash, prefix, rate_limit_per_minute, created_at, expires_at, scopes, credit_limit, credit_limit_per_day } = key
      const limits = [text(scopes), credit_limit, credit_limit_per_day, text(key.allowed_ips)]
      insert.run(id, owner.n, name, hash, prefix, rate_limit_per_minute, created_at, expires_at, ...limits)
      return { ok: true }
    },
    keyFind: (hash: string): { key: KeyRecord; account: AccountRecord } | null => {
      const row = byHash.get(hash)
      return row === undefined ? null : { key: keyOf(row), account: accountOf(row) }
    },
    keyGet: get,
    keyList: (accountId: string, { now, limit, offset }: { now: number; limit: number; offset: number }): KeyPage => ({
      keys: active.all(accountId, now, limit, offset).map(keyOf),
      total: activeCount.get(accountId, now)?.n ?? 0,
    }),
    keyRevoke: (accountId: string, id: string, now: number): KeyRecord | null => {
      if (get(accountId, id) !== null && revoke.run(now, id) > 0) newEpoch.run(accountId)
      return get(accountId, id)
    },
    /** Every cached copy of the key still has the longer life, so the epoch rises whenever the life was shortened. */
    keyExpire: (accountId: string, id: string, at: number): KeyRecord | null => {
      if (get(accountId, id) !== null && shorten.run(at, id) > 0) newEpoch.run(accountId)
      return get(accountId, id)
    },
    keyTouch: (uses: readonly { id: string; at: number }[]): void => {
      for (const { id, at } of uses) touch.run(at, id)
    },
  }
}
