import type { CapRoom, HoldRequest, Milli } from '../types.js'
import { dayNumber } from '../rules.js'
import type { MongoDeps } from './deps.js'
import { fieldName, isFieldName, op, type Operator, type Plain } from './filter.js'
import type { AccountDocument, CapField } from './documents.js'

/** Remaining amounts of spending caps. */
export function capRoom({ tables: { accounts, keys } }: MongoDeps) {
  return {
    capRoom: async (acct: string, ids: readonly string[], now: number): Promise<CapRoom[]> => {
      const [account, made] = await Promise.all([
        accounts.one({ _id: acct }, { caps: 1 }),
        keys.many({ acct, _id: op({ $in: ids }) }, { credit_limit: 1, credit_limit_per_day: 1 }),
      ])
      return made.flatMap(({ _id: id, credit_limit: limit, credit_limit_per_day: daily }): CapRoom[] => {
        const cap = account?.caps[id]
        if (cap === undefined) return []
        const today = cap.day >= dayNumber(now) ? cap.dleft : cap.dlim
        return [
          {
            id,
            total: limit === null ? null : { limit, left: Math.max(0, cap.left) },
            day: daily === null ? null : { limit: daily, left: Math.max(0, today) },
          },
        ]
      })
    },
  }
}

/** Spending caps of an account by id: the id of the key that each was made for. */
type CapMap = AccountDocument['caps']

type Conditions = Record<string, Plain | Operator>

/** Means no limit: far above any amount, but sums with amounts stay exact. */
const UNLIMITED = 2 ** 52

/** A hold or an entry that takes from caps. */
interface Capped {
  readonly key: string | null
  /** Absent: the cap of the key alone. */
  readonly caps?: readonly string[]
}

/** Ids of the caps that a hold or an entry took from, including deleted ones. */
export function capsOf({ key, caps }: Capped): readonly string[] {
  return caps ?? (key === null || !isFieldName(key) ? [] : [key])
}

/** The field `caps` of a hold or an entry; absent when it takes only from the cap of its key. */
export function capsField(key: string | null, caps: readonly string[] | undefined): { readonly caps?: readonly string[] } {
  return caps === undefined || (caps.length === 1 && caps[0] === key) ? {} : { caps }
}

/** Ids of the caps that a hold takes from; none when it is not capped. Throws a RangeError for an invalid id. */
export function requestedCaps({ capped, caps, key }: Pick<HoldRequest, 'capped' | 'caps' | 'key'>): readonly string[] {
  return capped ? [...new Set(caps ?? [key])].map((id) => fieldName(id, 'the id of a key')) : []
}

/** The day that a hold takes from: that of `now`, or a later one that one of its caps has already begun. */
export function dayOf(caps: CapMap, ids: readonly string[], now: number): number {
  return Math.max(dayNumber(now), ...ids.map((id) => caps[id]?.day ?? 0))
}

/** True when each cap exists and has room for the amount, in total and on that day. */
export function haveRoom(caps: CapMap, ids: readonly string[], { amount, day }: { amount: Milli; day: number }): boolean {
  return ids.every((id) => {
    const cap = caps[id]
    return cap !== undefined && cap.left >= amount && (cap.day === day ? cap.dleft : cap.dlim) >= amount
  })
}

/** Adds to a filter and its `$inc`: take the amount from every cap, provided each has it on that day. */
export function takeFromCaps(
  ids: readonly string[],
  { amount, day }: { amount: Milli; day: number },
  filter: Conditions,
  inc: Record<string, number>,
): void {
  for (const id of ids) {
    filter[`caps.${id}.day`] = day
    for (const field of ['left', 'dleft']) {
      filter[`caps.${id}.${field}`] = op({ $gte: amount })
      inc[`caps.${id}.${field}`] = 0 - amount
    }
  }
}

/** The `$set` that moves caps to a day with their daily limit restored; null when all are at that day. */
export function dayReset(caps: CapMap, ids: readonly string[], day: number): Readonly<Record<string, number>> | null {
  const set: Record<string, number> = {}
  for (const id of ids) {
    const cap = caps[id]
    if (cap === undefined || cap.day === day) continue
    set[`caps.${id}.day`] = day
    set[`caps.${id}.dleft`] = cap.dlim
  }
  return Object.keys(set).length === 0 ? null : set
}

/** An amount returned to caps: to their totals, and to their day while it is still the one it was taken from. */
interface Returned {
  readonly amount: Milli
  /** The day it was taken from, or null. */
  readonly day: number | null
  /** The day that each cap is assumed to be at, null when it is gone: the update matches only when that is so. */
  readonly days: (cap: string) => number | null
}

/** Adds to a filter and its `$inc`: return the amount to every cap, or take a negative one unconditionally. */
export function returnToCaps(
  ids: readonly string[],
  { amount, day, days }: Returned,
  filter: Conditions,
  add: (field: string, amount: number) => void,
): void {
  for (const id of ids) {
    const now = days(id)
    if (now === null) {
      filter[`caps.${id}`] = op({ $exists: false })
      continue
    }
    filter[`caps.${id}.day`] = now
    add(`caps.${id}.left`, amount)
    if (now === day) add(`caps.${id}.dleft`, amount)
  }
}

/** A new cap; null for a key without a limit. */
export function capOf(key: {
  readonly credit_limit: Milli | null
  readonly credit_limit_per_day: Milli | null
  readonly created_at: number
}): CapField | null {
  const { credit_limit: total, credit_limit_per_day: daily, created_at: at } = key
  if (total === null && daily === null) return null
  return { left: total ?? UNLIMITED, day: dayNumber(at), dleft: daily ?? UNLIMITED, dlim: daily ?? UNLIMITED, at }
}
