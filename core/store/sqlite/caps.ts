import type { Milli } from '../port.js'
import type { Database } from './database.js'
import { dayNumber } from './day.js'

interface CapRow {
  readonly credit_limit: Milli | null
  readonly credit_limit_per_day: Milli | null
  readonly used: Milli
  readonly reserved: Milli
  readonly day: number
  readonly day_taken: Milli
}

export interface CapSettlement {
  readonly spent: Milli
  /** What a capped hold had reserved, else 0. */
  readonly held: Milli
  /** What returns to the day the hold took from, when it is still that day. */
  readonly back: Milli
  readonly day: number | null
}

/** The spending caps of keys, kept in the same transaction as the money. A day is a UTC day; it is the day of the hold. */
export function caps(db: Database) {
  const read = db.query<CapRow>(
    'select credit_limit, credit_limit_per_day, used, reserved, day, day_taken from keys where id = ? and acct = ?',
  )
  const take = db.query(
    'update keys set reserved = reserved + ?1, day_taken = ?1 + case when day = ?2 then day_taken else 0 end, day = ?2 where id = ?3 and acct = ?4',
  )
  const settle = db.query(
    `update keys set used = used + ?1, reserved = reserved - ?2, day_taken = day_taken - case when day = ?3 then ?4 else 0 end
     where id = ?5 and acct = ?6`,
  )

  return {
    /** True when total and today's cap have room for the amount. */
    room: (acct: number, key: string, amount: Milli, now: number): boolean => {
      const row = read.get(key, acct)
      if (row === undefined) return false
      const today = row.day === dayNumber(now) ? row.day_taken : 0
      const total = row.credit_limit === null || row.used + row.reserved + amount <= row.credit_limit
      return total && (row.credit_limit_per_day === null || today + amount <= row.credit_limit_per_day)
    },
    /** Takes the amount and answers the day it was taken from. */
    take: (acct: number, key: string, amount: Milli, now: number): number => {
      const day = dayNumber(now)
      take.run(amount, day, key, acct)
      return day
    },
    /** Counts what was spent and gives back what was not. */
    settle: (acct: number, key: string, change: CapSettlement): void => {
      settle.run(change.spent, change.held, change.day ?? -1, change.back, key, acct)
    },
  }
}
