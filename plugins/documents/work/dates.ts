const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?$/
const POINTS = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/
const DAY_FIRST = /^(\d{1,2})(?:st|nd|rd|th)?\s+([A-Za-z]{3,9})\.?,?\s+(\d{4})$/
const MONTH_FIRST = /^([A-Za-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/

/** A text as an ISO 8601 date: ISO itself, `31.1.2026`, `31 January 2026`, `January 31, 2026`. Ambiguous forms are undefined. */
export function dateIn(text: string): string | undefined {
  const given = text.trim()
  const iso = ISO.exec(given)
  if (iso !== null) return date(iso[1], iso[2], iso[3])
  const points = POINTS.exec(given)
  if (points !== null) return date(points[3], points[2], points[1])
  const day = DAY_FIRST.exec(given)
  if (day !== null) return date(day[3], month(day[2]), day[1])
  const first = MONTH_FIRST.exec(given)
  return first === null ? undefined : date(first[3], month(first[1]), first[2])
}

function month(name = ''): string {
  return String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1)
}

function date(year = '', monthOfYear = '', day = ''): string | undefined {
  const written = `${year}-${monthOfYear.padStart(2, '0')}-${day.padStart(2, '0')}`
  const time = Date.parse(`${written}T00:00:00Z`)
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== written ? undefined : written
}
