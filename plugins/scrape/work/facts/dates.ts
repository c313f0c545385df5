const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(?:[.,]\d{1,9})?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i
/** RFC 5322, as in feeds and headers. */
const MAIL = /^(?:[A-Za-z]{3},\s*)?\d{1,2} [A-Za-z]{3} \d{4} \d{2}:\d{2}(?::\d{2})? (?:GMT|UTC|[+-]\d{4})$/

/** A date or time in ISO 8601: times in UTC, or without a zone when none is given; null for an invalid one. */
export function isoDate(text: string | null | undefined): string | null {
  const given = (text ?? '').slice(0, 100).trim()
  const [, date, time, seconds = ':00', zone] = ISO.exec(given) ?? []
  if (date === undefined) return MAIL.test(given) ? inUtc(given) : null
  // A nonexistent day would be read as one of the next month.
  const day = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== date) return null
  if (time === undefined) return date
  if (zone !== undefined) return inUtc(`${date}T${time}${seconds}${zone.toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`)
  return inUtc(`${date}T${time}${seconds}Z`)?.slice(0, -1) ?? null
}

function inUtc(text: string): string | null {
  const time = new Date(text)
  return Number.isNaN(time.getTime()) ? null : time.toISOString().replace('.000Z', 'Z')
}
