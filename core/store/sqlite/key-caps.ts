import type { NewKey } from '../types.js'
import type { Database } from './database.js'

/** The caps that keys spend on: made with a key, counted while a key that is not revoked spends on them. */
export function keyCaps(db: Database) {
  const insert = db.query('insert into caps (id, acct, credit_limit, credit_limit_per_day) values (?, ?, ?, ?)')
  const exists = db.query<{ yes: number }>('select 1 yes from caps where id = ? and acct = ?')
  const active = db.query<{ n: number }>('select count(*) n from caps where acct = ? and keys > 0')
  const count = db.query('update caps set keys = keys + ? where id = ?')

  return {
    /** Ids of the caps of a new key. RangeError when one of another key does not exist in the account, or its own would limit nothing. */
    listOf: (acct: number, key: NewKey): readonly string[] => {
      const isLimited = key.credit_limit !== null || key.credit_limit_per_day !== null
      const list = key.caps ?? (isLimited ? [key.id] : [])
      for (const cap of list)
        if (cap === key.id ? !isLimited : exists.get(cap, acct) === undefined) throw new RangeError(`there is no spending cap ${cap}`)
      return list
    },
    active: (acct: number): number => active.get(acct)?.n ?? 0,
    /** The key spends on them from now on; its own is made. */
    join: (acct: number, key: NewKey, list: readonly string[]): void => {
      if (list.includes(key.id)) insert.run(key.id, acct, key.credit_limit, key.credit_limit_per_day)
      for (const cap of list) count.run(1, cap)
    },
    /** The key is revoked. Its caps stay for what it spent and may be given back. */
    leave: (list: readonly string[]): void => {
      for (const cap of list) count.run(-1, cap)
    },
  }
}
