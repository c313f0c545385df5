import type { AccountRecord, Milli } from '../types.js'
import type { Database } from './database.js'

/** Prefixed columns of an account, for queries that join it. */
export const ACCOUNT_COLUMNS = `a.id a_id, a.name a_name, a.created_at a_created_at, a.bal a_bal, a.held a_held, a.over a_over,
  a.open a_open, a.disabled a_disabled, a.max_open a_max_open, a.auth a_auth`

export interface AccountRow {
  readonly a_id: string
  readonly a_name: string
  readonly a_created_at: number
  readonly a_bal: Milli
  readonly a_held: Milli
  readonly a_over: Milli
  readonly a_open: number
  readonly a_disabled: number
  readonly a_max_open: number | null
  readonly a_auth: number
}

export function accountOf(row: AccountRow): AccountRecord {
  return {
    id: row.a_id,
    name: row.a_name,
    created_at: row.a_created_at,
    balance: row.a_bal,
    held: row.a_held,
    available: row.a_bal - row.a_held + row.a_over,
    overage: row.a_over,
    open: row.a_open,
    disabled: row.a_disabled === 1,
    max_open: row.a_max_open,
    auth: row.a_auth,
  }
}

/** Most accounts per page. */
const MAX_PAGE = 1000

/** Accounts: create, find, list, change. Changing a field that is cached with keys raises the epoch. */
export function accounts(db: Database) {
  const insert = db.query('insert into accounts (id, name, created_at) values (?, ?, ?) on conflict (id) do nothing')
  const byId = db.query<AccountRow>(`select ${ACCOUNT_COLUMNS} from accounts a where a.id = ?`)
  const byName = db.query<AccountRow>(`select ${ACCOUNT_COLUMNS} from accounts a where a.name = ? order by a.n limit 1`)
  const page = db.query<AccountRow>(`select ${ACCOUNT_COLUMNS} from accounts a order by a.n limit ? offset ?`)
  const setName = db.query('update accounts set name = ? where id = ?')
  const setMaxOpen = db.query('update accounts set max_open = ?1, auth = auth + 1 where id = ?2 and max_open is not ?1')
  const setDisabled = db.query('update accounts set disabled = ?1, auth = auth + 1 where id = ?2 and disabled != ?1')

  const one = (row: AccountRow | undefined): AccountRecord | null => (row === undefined ? null : accountOf(row))

  return {
    accountCreate: (request: { id: string; name: string; now: number }): AccountRecord => {
      insert.run(request.id, request.name, request.now)
      const row = byId.get(request.id)
      if (row === undefined) throw new Error('an account just created was not found')
      return accountOf(row)
    },
    accountGet: (id: string) => one(byId.get(id)),
    accountByName: (name: string) => one(byName.get(name)),
    accountList: (range: { limit: number; offset: number }) => page.all(Math.min(range.limit, MAX_PAGE), range.offset).map(accountOf),
    accountPatch: (id: string, change: { disabled?: boolean; max_open?: number | null; name?: string }): AccountRecord | null => {
      if (change.name !== undefined) setName.run(change.name, id)
      if (change.max_open !== undefined) setMaxOpen.run(change.max_open, id)
      if (change.disabled !== undefined) setDisabled.run(change.disabled ? 1 : 0, id)
      return one(byId.get(id))
    },
  }
}
