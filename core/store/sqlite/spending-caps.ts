import type { Milli } from '../types.js'
import type { Database } from './database.js'
import { dayNumber } from '../rules.js'
import { storedTexts } from '../stored.js'

interface CapRow {
  readonly credit_limit: Milli | null
  readonly credit_limit_per_day: Milli | null
  readonly used: Milli
  readonly reserved: Milli
  readonly day: number
  readonly day_taken: Milli
}

interface Spent {
  readonly acct: number
  readonly key: string
  /** Spent by all calls of the key. */
  all: Milli
  /** Part of it spent by calls without a capped hold. */
  uncapped: Milli
}

interface CapSettlement {
  readonly spent: Milli
  /** Amount that a capped hold had reserved, else 0. */
  readonly held: Milli
  /** Amount returned to the day that the hold took from, while it is still the current one. */
  readonly back: Milli
  /** Null for a call without a capped hold. */
  readonly day: number | null
  /** The caps as JSON, when they differ from those of the key. */
  readonly caps: string | null
}

/**
 * Spending of keys and of the caps they share, kept in the transaction of the money. A day is the UTC day of the hold,
 * or a later one that one of its caps has begun: a clock that is set back does not return to an earlier day.
 */
export class SpendingCaps {
  readonly #spent = new Map<string, Spent>()
  readonly #list
  readonly #read
  readonly #take
  readonly #settle
  readonly #use
  readonly #useCaps

  constructor(db: Database) {
    this.#list = db.query<{ caps: string }>('select caps from keys where id = ? and acct = ?')
    this.#read = db.query<CapRow>(
      'select credit_limit, credit_limit_per_day, used, reserved, day, day_taken from caps where id = ? and acct = ?',
    )
    this.#take = db.query(
      'update caps set reserved = reserved + ?1, day_taken = ?1 + case when day = ?2 then day_taken else 0 end, day = ?2 where id = ?3 and acct = ?4',
    )
    this.#settle = db.query(
      `update caps set used = used + ?1, reserved = reserved - ?2, day_taken = day_taken - case when day = ?3 then ?4 else 0 end
       where id = ?5 and acct = ?6`,
    )
    this.#use = db.query<{ caps: string }>('update keys set used = used + ? where id = ? and acct = ? returning caps')
    this.#useCaps = db.query('update caps set used = used + ? where acct = ? and id in (select value from json_each(?))')
  }

  /** The caps of a key as JSON; undefined for an unknown key. */
  ofKey(acct: number, key: string): string | undefined {
    return this.#list.get(key, acct)?.caps
  }

  /** True when total and today's part of every cap have room for the amount. */
  room(acct: number, caps: string, amount: Milli, now: number): boolean {
    // Calls without a capped hold count too.
    this.write()
    return storedTexts(caps).every((cap) => {
      const row = this.#read.get(cap, acct)
      if (row === undefined) return false
      const today = row.day >= dayNumber(now) ? row.day_taken : 0
      const total = row.credit_limit === null || row.used + row.reserved + amount <= row.credit_limit
      return total && (row.credit_limit_per_day === null || today + amount <= row.credit_limit_per_day)
    })
  }

  /** The day that a hold of this time takes from. */
  dayOf(acct: number, caps: string, now: number): number {
    return Math.max(dayNumber(now), ...storedTexts(caps).map((cap) => this.#read.get(cap, acct)?.day ?? 0))
  }

  /** Takes the amount from every cap, of that day. */
  take(acct: number, caps: string, amount: Milli, day: number): void {
    for (const cap of storedTexts(caps)) this.#take.run(amount, day, cap, acct)
  }

  /** Counts the amount spent on the key and every cap, and returns the rest of the reservation. */
  settle(acct: number, key: string, { spent, held, back, day, caps }: CapSettlement): void {
    const name = `${acct} ${key}`
    const known = this.#spent.get(name) ?? { acct, key, all: 0, uncapped: 0 }
    this.#spent.set(name, known)
    known.all += spent
    if (day === null) {
      known.uncapped += spent
      return
    }
    for (const cap of storedTexts(caps ?? this.ofKey(acct, key) ?? '[]')) this.#settle.run(spent, held, day, back, cap, acct)
  }

  write(): void {
    for (const { acct, key, all, uncapped } of this.#spent.values()) {
      const caps = this.#use.get(all, key, acct)?.caps
      if (uncapped !== 0 && caps !== undefined && caps !== '[]') this.#useCaps.run(uncapped, acct, caps)
    }
    this.#spent.clear()
  }

  forget(): void {
    this.#spent.clear()
  }
}
