const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*'
const TIME =
  '(?:[t ]\\s*(\\d\\d):(\\d\\d)(?::(\\d\\d))?(?:\\.\\d+)?\\s*(?:\\(\\s*)?(z|utc[+-]\\d{1,2}|utc|gmt|jst|[+-]\\d\\d(?::?\\d\\d)?)?\\)?)?'

/** Forms in the order in which they are tried, and where year, month and day stand in them. */
const FORMS: readonly (readonly [form: RegExp, order: 'ymd' | 'dmy' | 'mdy'])[] = [
  [new RegExp(`^(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})${TIME}\\b`), 'ymd'],
  [/^(\d{4})\. (\d{1,2})\. (\d{1,2})\b/, 'ymd'],
  [/^(\d{4})(\d\d)(\d\d)\b/, 'ymd'],
  [new RegExp(`^(\\d{4})-${MONTH}-(\\d{1,2})\\b`), 'ymd'],
  [new RegExp(`^(\\d{1,2})[- ]${MONTH}[- ](\\d{4})${TIME}(?:\\b|$)`), 'dmy'],
  [new RegExp(`^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]* )?${MONTH} (\\d{1,2}),? (\\d{4})\\b`), 'mdy'],
  [/^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})\b/, 'dmy'],
]

/**
 * A date as registries write it, in ISO 8601: in UTC where a time and its zone are given, else the day alone, since a time of an unknown zone may be
 * of another day. Where both could be a month the day stands first. Null for what is no date.
 */
export function dateOf(text: string): string | null {
  const plain = text.trim().replace(/\s+/g, ' ').slice(0, 60).toLowerCase()
  for (const [form, order] of FORMS) {
    const found = form.exec(plain)
    if (found === null) continue
    const [, one = '', two = '', three = '', hour, minute, second = '00', zone] = found
    const [year, month, day] = order === 'ymd' ? [one, two, three] : order === 'dmy' ? [three, two, one] : [three, one, two]
    const made =
      dayOf(Number(year), monthOf(month), Number(day)) ?? (order === 'dmy' ? dayOf(Number(year), monthOf(day), Number(month)) : null)
    if (made === null) return null
    if (hour === undefined || minute === undefined || zone === undefined) return made
    const at = Date.parse(`${made}T${hour}:${minute}:${second}Z`) - offsetOf(zone) * 60_000
    return Number.isNaN(at) ? made : new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
  }
  return null
}

function dayOf(year: number, month: number, day: number): string | null {
  if (year < 1980 || year > 2200) return null
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.toISOString().slice(0, 10) : null
}

function monthOf(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : MONTHS.indexOf(text.slice(0, 3)) + 1
}

/** Minutes east of Greenwich. */
function offsetOf(zone: string): number {
  if (zone === 'jst') return 540
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d{1,2}):?(\d\d)?/.exec(zone) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}
