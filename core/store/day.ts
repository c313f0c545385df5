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
