import type { EntryKind, Facts, Milli } from '../types.js'
import { capsField, capsOf, returnToCaps } from './caps.js'
import type { Filter, Operator, Plain } from './filter.js'
import type { CapField, HoldField, OutField } from './documents.js'
import { slotOf } from './gateways.js'
import type { Update } from './table.js'
import { factsOfLost } from '../rules.js'

export interface End {
  readonly kind: Extract<EntryKind, 'charge' | 'release'>
  /** What is charged, 0 for a release. */
  readonly amount: Milli
  readonly owner: string
  readonly note: string | null
  /** Null when the call ended without recording any. */
  readonly facts: Facts | null
  readonly now: number
  /** Number of a charge whose delivery is awaited; null of one whose delivery is not. */
  readonly n?: number | null
  /** Bytes of a kept answer, added to what the account stores. */
  readonly keptBytes?: number
}

/** The day that each cap is at, or is assumed to be at: the update matches only when it is. Null: the cap is gone. */
export type CapDays = (cap: string) => number | null

/** The days as read from the account. */
export const daysOf =
  (caps: Readonly<Record<string, CapField>> | undefined): CapDays =>
  (cap) =>
    caps?.[cap]?.day ?? null

/** Sums by field, ready for `$inc`. */
class Sums {
  readonly sums: Record<string, number> = {}

  add(field: string, amount: number): void {
    this.sums[field] = (this.sums[field] ?? 0) + amount
  }
}

/**
 * The one conditional update that ends holds of an account; charge, release and sweep all use it. It matches only while
 * each hold is open with the given amount and each cap is at the day that the update assumes.
 */
export function settling(
  account: string,
  holds: ReadonlyMap<string, HoldField>,
  end: End,
  days: CapDays,
): { filter: Filter; update: Update } {
  const filter: Record<string, Plain | Operator> = { _id: account }
  const inc = new Sums()
  const unset: Record<string, 1> = {}
  const entries: OutField[] = []
  for (const [id, hold] of holds) {
    const back = hold.amt - end.amount
    filter[`holds.${id}.amt`] = hold.amt
    unset[`holds.${id}`] = 1
    inc.add('bal', 0 - end.amount)
    inc.add('held', 0 - hold.amt)
    inc.add('avail', back)
    inc.add('open', -1)
    inc.add('seq', 1)
    if (hold.cap !== null)
      returnToCaps(capsOf(hold), { amount: back, day: hold.cap, days }, filter, (field, amount) => inc.add(field, amount))
    entries.push(entryOf(id, hold, end))
  }
  inc.add('ver', 1)
  if (end.keptBytes !== undefined) inc.add('stored', end.keptBytes)
  return { filter, update: { $inc: inc.sums, $unset: unset, $set: { pub: slotOf(account) }, $push: { out: { $each: entries } } } }
}

function entryOf(id: string, hold: HoldField, end: End): OutField {
  const { kind, owner, note, now } = end
  const facts = end.facts ?? factsOfLost({ ...hold, id }, now)
  const entry = {
    ref: id,
    kind,
    amt: 0 - end.amount,
    at: now,
    own: owner,
    note,
    key: hold.key,
    cap: hold.cap,
    ...capsField(hold.key, hold.caps),
    facts,
  }
  if (end.n === undefined) return entry
  return end.n === null ? { ...entry, delivered: true } : { ...entry, n: end.n }
}
