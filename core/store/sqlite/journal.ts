import type { EntryKind, Facts, Milli } from '../port.js'
import type { Database } from './database.js'
import { dayNumber } from './day.js'
import type { Purse } from './purse.js'

/** What is to be written; sequence number and balance after follow from the purse. */
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
export function journal(db: Database) {
  const insert = db.query(
    `insert into entries (acct, seq, ref, kind, amt, after, at, owner, note, key, cap_day, series, nth, facts)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const find = db.query<FoundEntry>('select seq, kind, amt, at, key, cap_day, facts from entries where acct = ? and ref = ?')
  const countSeries = db.query<{ id: number; n: number }>(
    'update series set n = n + ? where acct = ? and endpoint = ? and capability = ? returning id, n',
  )
  const startSeries = db.query('insert into series (acct, endpoint, capability) values (?, ?, ?)')
  const countUsage = db.query(
    `insert into usage (acct, day, series, calls, errors, credits) values (?, ?, ?, ?, ?, ?)
     on conflict (acct, day, series) do update set calls = calls + excluded.calls, errors = errors + excluded.errors, credits = credits + excluded.credits`,
  )
  const expectDelivery = db.query('insert into undelivered (acct, ref, owner) values (?, ?, ?)')

  /** Counts the entry in its day and gives it its number within its series. */
  const roll = (purse: Purse, entry: NewEntry, facts: Facts): { series: number; nth: number | null } => {
    const isCall = entry.kind === 'charge' || entry.kind === 'release'
    const place = [purse.n, facts.endpoint, facts.capability]
    let series = countSeries.get(isCall ? 1 : 0, ...place)
    if (series === undefined) {
      startSeries.run(...place)
      series = countSeries.get(isCall ? 1 : 0, ...place)
    }
    if (series === undefined) throw new Error('the series of an entry was not counted')
    countUsage.run(purse.n, dayNumber(entry.at), series.id, isCall ? 1 : 0, isCall && facts.error !== null ? 1 : 0, 0 - entry.amount)
    return { series: series.id, nth: isCall ? series.n : null }
  }

  return {
    find: (acct: number, ref: string): FoundEntry | undefined => find.get(acct, ref),
    /** Raises `seq` and `bal` of the purse, which the caller then writes. */
    append: (purse: Purse, entry: NewEntry): void => {
      purse.seq += 1
      purse.bal += entry.amount
      const facts = entry.facts
      const rolled = facts === null ? null : roll(purse, entry, facts)
      insert.run(
        purse.n,
        purse.seq,
        entry.ref,
        entry.kind,
        entry.amount,
        purse.bal,
        entry.at,
        entry.owner,
        entry.note,
        entry.key,
        entry.capDay,
        rolled?.series ?? null,
        rolled?.nth ?? null,
        facts === null ? null : JSON.stringify(facts),
      )
      if (entry.kind === 'charge') expectDelivery.run(purse.n, entry.ref, entry.owner)
    },
  }
}
