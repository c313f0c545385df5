const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*'
const TIME =
  '(?:,?[t ]\\s*(\\d{1,2}):(\\d\\d)(?::(\\d\\d))?(?:\\.\\d+)?\\s*(?:\\(\\s*)?(z|(?:utc|gmt)[+-]\\d{1,2}(?::?\\d\\d)?|utc|gmt|jst|[+-]\\d\\d(?::?\\d\\d)?)?\\)?)?'
const WEEKDAY = '(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? )?'

/** Date formats in order of precedence, with the order of year, month and day. */
const FORMS: readonly (readonly [form: RegExp, order: 'ymd' | 'dmy' | 'mdy'])[] = [
  [new RegExp(`^(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})${TIME}\\b`), 'ymd'],
  [/^(\d{4})\. (\d{1,2})\. (\d{1,2})\b/, 'ymd'],
  // Digits of a time in an unknown zone may follow.
  [/^(\d{4})(\d\d)(\d\d)(?:t?\d{4}(?:\d\d)?z?)?\b/, 'ymd'],
  [new RegExp(`^(\\d{4})[-/. ]${MONTH}[-/. ](\\d{1,2})\\b`), 'ymd'],
  [new RegExp(`^${WEEKDAY}(\\d{1,2})(?:st|nd|rd|th)?[-/. ]${MONTH}[-/., ] ?(\\d{4})${TIME}(?:\\b|$)`), 'dmy'],
  [new RegExp(`^${WEEKDAY}${MONTH} (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})\\b`), 'mdy'],
  [new RegExp(`^(\\d{1,2})[-/.](\\d{1,2})[-/.](\\d{4})${TIME}(?:\\b|$)`), 'dmy'],
]

/**
 * A registry's date in ISO 8601: in UTC when time and zone are given, else only the day, since a time in an unknown
 * zone may belong to another day. Ambiguous dates are read day first. Null for an invalid date.
 */
export function dateOf(text: string): string | null {
  const plain = text
    .trim()
    .replace(/\s+/g, ' ')
    .slice(0, 60)
    .toLowerCase()
    // The format of C's `ctime`, with the year after the time.
    .replace(/^([a-z]{3} [a-z]{3} \d{1,2}) (\d\d:\d\d:\d\d)(?: [a-z]{3,4})? (\d{4})$/, '$1 $3 $2')
  for (const [form, order] of FORMS) {
    const found = form.exec(plain)
    if (found === null) continue
    const [, one = '', two = '', three = '', hour, minute, second = '00', zone] = found
    const [year, month, day] = order === 'ymd' ? [one, two, three] : order === 'dmy' ? [three, two, one] : [three, one, two]
    const made =
      dayOf(Number(year), monthOf(month), Number(day)) ?? (order === 'dmy' ? dayOf(Number(year), monthOf(day), Number(month)) : null)
    if (made === null) return null
    if (hour === undefined || minute === undefined || zone === undefined) return made
    const at = Date.parse(`${made}T${hour.padStart(2, '0')}:${minute}:${second}Z`) - offsetOf(zone) * 60_000
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
