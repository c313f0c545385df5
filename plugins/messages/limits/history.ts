import type { Cap } from '../../../core/sdk/index.js'

/** Days averaged for the usual count. */
export const WEEK = 7
/** The longest window of a cap, in days. */
const LONGEST = 31
const DAY_S = 86_400
/** Above any count: this cap only counts. */
const COUNTED = 1_000_000_000_000

/**
 * The count of a country for one day (days since 1970), as a cap that allows everything. Caps count in windows that
 * start at multiples of their length, and reset at the end: the length is the longest whose window contains the day
 * and the following seven, so that the count can be read for that time, and every reader finds the same window.
 */
export function historyOf(country: string, day: number): [name: string, cap: Cap] {
  const days = windowOf(day)
  return ['messages_of_a_day', { most: COUNTED, per: days * DAY_S, of: 'gateway', subject: `${country} ${String(day)}` }]
}

/**
 * Window length in days for the count of a day; the longest one for the few days of a century without a suitable
 * window.
 */
export function windowOf(day: number): number {
  for (let days = LONGEST; days > WEEK; days--) if ((day % days) + WEEK < days) return days
  return LONGEST
}
