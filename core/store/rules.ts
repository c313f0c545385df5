import type { Balance, EntryKind, Facts, Milli, PostResult, Settlement } from './types.js'

/** An entry found by its reference. */
interface EarlierEntry {
  readonly seq: number
  readonly kind: EntryKind
  readonly amt: Milli
}

/** Throws a RangeError unless it is a whole number of thousandths. */
export function whole(amount: Milli, what: string): void {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`${what} must be a whole number of thousandths of a credit, not ${amount}`)
}

/** Throws a RangeError unless it is a whole number of thousandths, 0 or more. */
export function wholeNotNegative(amount: Milli, what: string): void {
  whole(amount, what)
  if (amount < 0) throw new RangeError(`${what} must not be negative`)
}

/** Overage that a debit of this kind may not use, in thousandths: an adjustment uses the account's own credits. */
export function ownOnly(kind: EntryKind, overage: Milli): Milli {
  return kind === 'adjust' ? overage : 0
}

/** True when the account can afford an entry; a credit always. */
export function affords({ available, overage }: { available: Milli; overage: Milli }, kind: EntryKind, amount: Milli): boolean {
  return amount >= 0 || available - ownOnly(kind, overage) >= 0 - amount
}

/** The result of a post whose reference exists: not applied again if equal, else a conflict. Null without an entry. */
export function postedBefore(
  entry: EarlierEntry | undefined,
  posted: { readonly kind: EntryKind; readonly amount: Milli },
  balance: Balance,
): PostResult | null {
  if (entry === undefined) return null
  return entry.kind === posted.kind && entry.amt === posted.amount
    ? { ok: true, applied: false, ...balance }
    : { ok: false, why: 'conflict' }
}

/** The result of a charge or release of a hold that is no longer open: its first resolution is final. */
export function settledBefore(entry: EarlierEntry | undefined, wanted: 'charge' | 'release', balance: Balance): Settlement {
  if (entry === undefined || (entry.kind !== 'charge' && entry.kind !== 'release')) return { ok: false, why: 'absent' }
  if (entry.kind !== wanted) return { ok: false, why: entry.kind === 'charge' ? 'charged' : 'released' }
  return { ok: true, already: true, seq: entry.seq, amount: 0 - entry.amt, ...balance }
}

/** The facts of a call that ended without recording any: those stored in its hold. */
export function factsOfLost(
  hold: { readonly id: string; readonly at: number; readonly key: string; readonly capability: string; readonly call: object | null },
  now: number,
): Facts {
  const known = { endpoint: hold.capability, mode: null, product: '', request_id: hold.id, ...hold.call }
  const ms = Math.max(0, now - hold.at)
  const end = { key_id: hold.key, status: 503, ms, provider_used: null, providers_tried: [], error: 'transient' }
  return { ...known, capability: hold.capability, ...end }
}

const DAY_MS = 86_400_000

/** Number of the UTC day since 1970 of a Unix time in ms. */
export function dayNumber(ms: number): number {
  return Math.floor(ms / DAY_MS)
}

/** `2026-01-31` of a day number. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** Day number of `2026-01-31`; RangeError for an invalid day. */
export function dayOfText(text: string): number {
  const ms = Date.parse(`${text}T00:00:00Z`)
  if (!Number.isFinite(ms)) throw new RangeError(`${text} is not a day like 2026-01-31`)
  return dayNumber(ms)
}
