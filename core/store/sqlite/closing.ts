import type { Facts, Milli } from '../port.js'
import { caps } from './caps.js'
import type { Database } from './database.js'
import { journal } from './journal.js'
import type { Purse } from './purse.js'

/** An open hold as its row has it. */
export interface HoldRow {
  readonly id: string
  readonly amt: Milli
  readonly at: number
  readonly key: string
  readonly cap_day: number | null
  readonly capability: string
  readonly call: string | null
}

export const HOLD_COLUMNS = 'id, amt, at, key, cap_day, capability, call'

export interface Closing {
  readonly kind: 'charge' | 'release'
  /** What is charged, 0 for a release. */
  readonly amount: Milli
  readonly owner: string
  readonly note: string | null
  /** Null when the call died without leaving any. */
  readonly facts: Facts | null
  readonly now: number
}

/** What the history says of a call that was never finished: all that its hold knew. */
function factsOfLost(hold: HoldRow, now: number): Facts {
  const known = { endpoint: hold.capability, mode: null, product: '', request_id: hold.id }
  const call: unknown = hold.call === null ? null : JSON.parse(hold.call)
  const rest = {
    key_id: hold.key,
    status: 503,
    ms: Math.max(0, now - hold.at),
    provider_used: null,
    providers_tried: [],
    error: 'transient',
  }
  return { ...known, ...(typeof call === 'object' ? call : null), capability: hold.capability, ...rest }
}

/** Closes an open hold: charge, release and sweep all end here. Takes the row away, appends the entry and settles the key; the caller writes the purse. */
export function closing(db: Database) {
  const { append } = journal(db)
  const { settle } = caps(db)
  const drop = db.query('delete from holds where acct = ? and id = ?')

  return (purse: Purse, hold: HoldRow, end: Closing): void => {
    drop.run(purse.n, hold.id)
    purse.held -= hold.amt
    purse.open -= 1
    append(purse, {
      ref: hold.id,
      kind: end.kind,
      amount: 0 - end.amount,
      at: end.now,
      owner: end.owner,
      note: end.note,
      key: hold.key,
      capDay: hold.cap_day,
      facts: end.facts ?? factsOfLost(hold, end.now),
    })
    const capped = hold.cap_day !== null
    if (end.amount === 0 && !capped) return
    settle(purse.n, hold.key, { spent: end.amount, held: capped ? hold.amt : 0, back: hold.amt - end.amount, day: hold.cap_day })
  }
}
