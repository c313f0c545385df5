import type { EntryKind, Facts, Milli } from '../port.js'
import type { Database } from './database.js'
import type { MoneyRow } from './money-rows.js'
import type { WriteCache } from './write-cache.js'

/** What is to be written; sequence number and balance after follow from the row. */
export interface NewEntry {
  readonly ref: string
  readonly kind: EntryKind
  readonly amount: Milli
  readonly at: number
  readonly owner: string
  readonly note: string | null
  readonly key: string | null
  /** Day of the key's daily cap that the hold took from. */
  readonly capDay: number | null
  readonly facts: Facts | null
  /** Of a charge: it is refunded should its gateway die before `delivered` was recorded. */
  readonly awaited?: boolean
}

export interface FoundEntry {
  readonly seq: number
  readonly kind: EntryKind
  readonly amt: Milli
  readonly at: number
  readonly key: string | null
  readonly cap_day: number | null
  readonly facts: string | null
}

/** Appends entries with their rollup in the transaction of the command, and finds them by reference. */
export function journal(db: Database, { rows, counters }: Pick<WriteCache, 'rows' | 'counters'>) {
  const insert = db.query(
    `insert into entries (acct, seq, ref, kind, amt, after, at, owner, note, key, cap_day, series, nth, facts)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const find = db.query<FoundEntry>('select seq, kind, amt, at, key, cap_day, facts from entries where acct = ? and ref = ?')
  const expectDelivery = db.query('insert into undelivered (acct, ref, owner) values (?, ?, ?)')

  return {
    find: (acct: number, ref: string): FoundEntry | undefined => find.get(acct, ref),
    /** Changes balance and sequence number of the row with it. */
    append: (row: MoneyRow, entry: NewEntry): void => {
      const { ref, kind, amount, at, owner, note, key, capDay, facts } = entry
      row.seq += 1
      row.bal += amount
      rows.changed(row)
      const isCall = kind === 'charge' || kind === 'release'
      const { series, nth } = facts === null ? { series: null, nth: null } : counters.count({ acct: row.n, at, isCall, amount, facts })
      const text = facts === null ? null : JSON.stringify(facts)
      insert.run(row.n, row.seq, ref, kind, amount, row.bal, at, owner, note, key, capDay, series, nth, text)
      if (kind === 'charge' && entry.awaited === true) expectDelivery.run(row.n, ref, owner)
    },
  }
}
