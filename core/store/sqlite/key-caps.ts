import type { NewKey } from '../types.js'
import type { Database } from './database.js'

/** The caps that keys spend on: created with a key, counted while an unrevoked key spends on them. */
export function keyCaps(db: Database) {
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
