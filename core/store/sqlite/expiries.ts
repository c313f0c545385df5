import type { Database } from './database.js'

/** Idempotency records that one sweep deletes, so that a command never blocks the writer for long. */
const AT_ONCE = 500

/** Deletes a bounded number of expired idempotency records and subtracts their answers from the account's storage. */
export function expiries(db: Database) {
  const forget = db.query<{ acct: number; bytes: number }>(
    `delete from idempotency where rowid in (select rowid from idempotency where expires <= ?1 and (state != 'running' or lock_until <= ?1)
     order by expires limit ${AT_ONCE}) returning acct, bytes`,
  )
  // Never below zero: an account with a wrong count must not stop the sweep of the others.
  const unstore = db.query('update accounts set stored = max(0, stored - ?) where n = ?')

  return (now: number): number => {
    const gone = forget.all(now)
    const bytes = new Map<number, number>()
    for (const row of gone) bytes.set(row.acct, (bytes.get(row.acct) ?? 0) + row.bytes)
    for (const [acct, sum] of bytes) if (sum > 0) unstore.run(sum, acct)
    return gone.length
  }
}
