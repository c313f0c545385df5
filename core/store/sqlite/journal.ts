import { hash } from 'node:crypto'
import type { EntryKind, Facts, Milli } from '../types.js'
import type { Database } from './database.js'
import type { MoneyRow } from './money-rows.js'
import type { WriteCache } from './write-cache.js'

/** An entry to write; its sequence number and balance after follow from the row. */
export interface NewEntry {
  readonly ref: string
  readonly kind: EntryKind
  readonly amount: Milli
  readonly at: number
  readonly owner: string
  readonly note: string | null
  readonly key: string | null
  /** Day of the daily cap that the hold took from. */
  readonly capDay: number | null
  /** Its caps as JSON when they differ from those of the key. */
  readonly caps?: string | null
  readonly facts: Facts | null
  /** Of a charge: refunded should its gateway die before `delivered` was recorded. */
  readonly awaited?: boolean
}

export interface FoundEntry {
  readonly seq: number
  readonly kind: EntryKind
  readonly amt: Milli
  readonly at: number
  readonly key: string | null
  readonly cap_day: number | null
  readonly caps: string | null
  readonly facts: string | null
}

/** Hexadecimal digits kept of a SHA-256: a second preimage of 16 bytes is infeasible. */
const DIGEST_LENGTH = 32

/** Appends entries with their rollup in the transaction of the command, and finds them by reference. */
export function journal(db: Database, { rows, counters, journal: added }: Pick<WriteCache, 'rows' | 'counters' | 'journal'>) {
  const find = db.query<FoundEntry>(
    `select e.seq, e.kind, e.amt, e.at, e.key, e.cap_day, e.caps, c.facts
     from entries e left join calls c on c.id = e.id where e.acct = ? and e.ref = ?`,
  )

  const appendCall = (row: MoneyRow, entry: NewEntry, facts: Facts): void => {
    const { ref, kind, amount, at, owner, note, key, capDay, caps = null } = entry
    const isCall = kind === 'charge' || kind === 'release'
    const { series, nth } = counters.count({ acct: row.n, at, isCall, amount, facts })
    const failed = isCall ? Number(facts.error !== null) : null
    const text = JSON.stringify(facts)
    const digest = hash('sha256', text, 'hex').slice(0, DIGEST_LENGTH)
    const money = [kind, amount, row.bal, at, owner, note, key, capDay, caps]
    const id = added.append(row.n, row.seq, ref, [...money, series, nth, failed, digest])
    added.details(id, at, text)
  }

  return {
    /** Finds an entry by account number and reference, including entries that this transaction appended. */
    find: (acct: number, ref: string): FoundEntry | undefined => {
      added.write()
      return find.get(acct, ref)
    },
    /** Appends an entry; changes balance and sequence number of the row with it. */
    append: (row: MoneyRow, entry: NewEntry): void => {
      const { ref, kind, amount, at, owner, note, key, capDay, caps = null, facts } = entry
      row.seq += 1
      row.bal += amount
      rows.changed(row)
      if (facts === null)
        added.append(row.n, row.seq, ref, [kind, amount, row.bal, at, owner, note, key, capDay, caps, null, null, null, null])
      else appendCall(row, entry, facts)
      if (kind === 'charge' && entry.awaited === true) added.await(row.n, ref, owner)
    },
  }
}
