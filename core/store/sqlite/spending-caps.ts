import type { Milli } from '../port.js'
import type { Database } from './database.js'
import { dayNumber } from '../day.js'

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

/** The use and the spending caps of keys, kept in the same transaction as the money. A day is a UTC day; it is the day of the hold. */
export class SpendingCaps {
  /** What keys without a cap spent in this transaction. */
  readonly #spent = new Map<string, { readonly acct: number; readonly key: string; spent: Milli }>()
  readonly #read
  readonly #take
  readonly #settle

  constructor(db: Database) {
    this.#read = db.query<CapRow>(
      'select credit_limit, credit_limit_per_day, used, reserved, day, day_taken from keys where id = ? and acct = ?',
    )
    this.#take = db.query(
      'update keys set reserved = reserved + ?1, day_taken = ?1 + case when day = ?2 then day_taken else 0 end, day = ?2 where id = ?3 and acct = ?4',
    )
    this.#settle = db.query(
      `update keys set used = used + ?1, reserved = reserved - ?2, day_taken = day_taken - case when day = ?3 then ?4 else 0 end
       where id = ?5 and acct = ?6`,
    )
  }

  /** True when total and today's cap have room for the amount. */
  room(acct: number, key: string, amount: Milli, now: number): boolean {
    // A key may have got its cap while a call without one was running.
    this.write()
    const row = this.#read.get(key, acct)
    if (row === undefined) return false
    const today = row.day === dayNumber(now) ? row.day_taken : 0
    const total = row.credit_limit === null || row.used + row.reserved + amount <= row.credit_limit
    return total && (row.credit_limit_per_day === null || today + amount <= row.credit_limit_per_day)
  }

  /** Takes the amount and answers the day it was taken from. */
  take(acct: number, key: string, amount: Milli, now: number): number {
    const day = dayNumber(now)
    this.#take.run(amount, day, key, acct)
    return day
  }

  /** Counts what was spent and gives back what was not. */
  settle(acct: number, key: string, change: CapSettlement): void {
    const { spent, held, back, day } = change
    if (day !== null) {
      this.#settle.run(spent, held, day, back, key, acct)
      return
    }
    const name = `${acct} ${key}`
    const known = this.#spent.get(name)
    if (known === undefined) this.#spent.set(name, { acct, key, spent })
    else known.spent += spent
  }

  write(): void {
    for (const { acct, key, spent } of this.#spent.values()) this.#settle.run(spent, 0, -1, 0, key, acct)
    this.#spent.clear()
  }

  forget(): void {
    this.#spent.clear()
  }
}
