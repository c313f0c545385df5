import type { Facts, Milli } from '../types.js'
import type { Database } from './database.js'
import { journal } from './journal.js'
import type { MoneyRow } from './money-rows.js'
import type { WriteCache } from './write-cache.js'
import { factsOfLost } from '../rules.js'
import { storedRecord } from '../stored.js'

/** The amounts that an open hold has taken. */
export interface HeldRow {
  readonly amt: Milli
  readonly key: string
  readonly cap_day: number | null
  /** Caps it took from as JSON, when they differ from those of the key. */
  readonly caps: string | null
}

/** The row of an open hold. */
export interface HoldRow extends HeldRow {
  readonly id: string
  readonly at: number
  readonly capability: string
  readonly call: string | null
}

export const HOLD_COLUMNS = 'id, amt, at, key, cap_day, capability, call, caps'

export interface SettleRequest {
  readonly kind: 'charge' | 'release'
  /** What is charged, 0 for a release. */
  readonly amount: Milli
  readonly owner: string
  readonly note: string | null
  readonly facts: Facts
  /** Of a charge. */
  readonly awaited?: boolean
  readonly now: number
}

/** The facts of a call that ended without recording any, from the row of its hold. */
export function lostFacts(hold: HoldRow, now: number): Facts {
  return factsOfLost({ ...hold, call: hold.call === null ? null : storedRecord(hold.call) }, now)
}

/** Closes a hold whose row was deleted (charge, release, sweep): appends the entry and counts it on key and caps. */
export function settling(db: Database, cache: WriteCache) {
  const { append } = journal(db, cache)

  return (row: MoneyRow, id: string, hold: HeldRow, end: SettleRequest): void => {
    row.held -= hold.amt
    row.open -= 1
    append(row, {
      ref: id,
      kind: end.kind,
      amount: 0 - end.amount,
      at: end.now,
      owner: end.owner,
      note: end.note,
      key: hold.key,
      capDay: hold.cap_day,
      caps: hold.caps,
      facts: end.facts,
      awaited: end.awaited === true,
    })
    const capped = hold.cap_day !== null
    if (end.amount === 0 && !capped) return
    cache.caps.settle(row.n, hold.key, {
      spent: end.amount,
      held: capped ? hold.amt : 0,
      back: hold.amt - end.amount,
      day: hold.cap_day,
      caps: hold.caps,
    })
  }
}
