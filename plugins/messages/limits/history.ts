import type { Cap } from '../../../core/sdk/index.js'

/** Days whose mean is usual. */
export const WEEK = 7
/** The longest window of a cap, in days. */
const LONGEST = 31
const DAY_S = 86_400
/** More than is ever counted: this cap only counts. */
const COUNTED = 1_000_000_000_000

/**
 * The count of one day (days since 1970) of a country, as a cap that allows everything. Caps count in windows that begin at multiples of
 * their length, and forget at the end of one: the length is the longest whose window holds the day and the seven that follow it, so that
 * the count can be read so long, and everybody who reads it finds the same one.
 */
export function historyOf(country: string, day: number): [name: string, cap: Cap] {
  const days = windowOf(day)
  return ['messages_of_a_day', { most: COUNTED, per: days * DAY_S, of: 'gateway', subject: `${country} ${String(day)}` }]
}

/** Days of the window for the count of a day; the longest one for the few days of a century that no window suits. */
export function windowOf(day: number): number {
  for (let days = LONGEST; days > WEEK; days--) if ((day % days) + WEEK < days) return days
  return LONGEST
}
