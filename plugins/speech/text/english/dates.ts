import { cardinal, decades, isYear, ordinal, year } from './numbers.js'
import { NONE, isDigits, isOpen, one, type Rule, type Spoken, type Token } from './token.js'

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]
/** Words after which a four-digit number is a year. */
const BEFORE_YEAR = new Set([
  'in',
  'since',
  'until',
  'till',
  'by',
  'from',
  'of',
  'year',
  'before',
  'after',
  'during',
  'early',
  'late',
  'around',
  'circa',
])
const SHORT_WEEKDAYS: Readonly<Record<string, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  tues: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  thur: 'Thursday',
  thurs: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
}

/** Dates and years: `2025-03-14` is `March fourteenth, twenty twenty-five`, and so are `3/14/2025`, `14.03.2025` and `Mar. 14, 2025`. */
export const dateRule: Rule = (tokens, at) => {
  const { core } = tokens[at] ?? NONE
  return (
    weekday(tokens, at) ??
    one(numeric(core)) ??
    monthFirst(tokens, at) ??
    dayFirst(tokens, at) ??
    yearAlone(tokens, at) ??
    one(decade(core))
  )
}

function numeric(core: string): string | null {
  const iso = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/.exec(core)
  if (iso !== null) {
    const date = spoken(iso[3], iso[2], iso[1])
    return date === null || iso[4] === undefined ? date : `${date}, ${clock(iso[4], iso[5] ?? '00')}`
  }
  const slashes = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(core)
  if (slashes !== null)
    return Number(slashes[1]) > 12 ? spoken(slashes[1], slashes[2], slashes[3]) : spoken(slashes[2], slashes[1], slashes[3])
  const dots = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(core)
  return dots === null ? null : spoken(dots[1], dots[2], dots[3])
}

/** A 24-hour time of day. */
function clock(hours: string, minutes: string): string {
  const rest = minutes === '00' ? 'hundred' : `${minutes.startsWith('0') ? 'oh ' : ''}${cardinal(String(Number(minutes)))}`
  return `${cardinal(String(Number(hours)))} ${rest}`
}

function spoken(day = '', month = '', of = ''): string | null {
  const name = MONTHS[Number(month) - 1]
  if (name === undefined || Number(day) < 1 || Number(day) > 31) return null
  return `${name} ${ordinal(String(Number(day)))}, ${year(of)}`
}

/** `March 14, 2025`, `Mar. 14th`, `March 2025`. */
function monthFirst(tokens: readonly Token[], at: number): Spoken | null {
  const [first = NONE, second = NONE, third = NONE] = tokens.slice(at, at + 3)
  const month = monthOf(first)
  if (month === undefined || second.lead !== '') return null
  if (isYear(second.core)) return { words: `${month} ${year(second.core)}`, used: 2 }
  const day = dayOf(second.core) ?? daysOf(second.core)
  if (day === null) return abbreviated(first) ? { words: month, used: 1 } : null
  const hasYear = (isOpen(second) || second.trail === ',') && third.lead === '' && isYear(third.core)
  return hasYear ? { words: `${month} ${day}, ${year(third.core)}`, used: 3 } : { words: `${month} ${day}`, used: 2 }
}

/** `14 March 2025`, `14th of March`. */
function dayFirst(tokens: readonly Token[], at: number): Spoken | null {
  const [first = NONE, second = NONE, third = NONE, fourth = NONE] = tokens.slice(at, at + 4)
  const day = dayOf(first.core)
  const of = second.core === 'of'
  const [name, last] = of ? [third, fourth] : [second, third]
  const month = monthOf(name)
  if (day === null || month === undefined || !isOpen(first) || (of && !isOpen(second))) return null
  const article = tokens[at - 1]?.core.toLowerCase() === 'the' ? '' : 'the '
  const used = of ? 3 : 2
  const hasYear = (isOpen(name) || name.trail === ',' || abbreviated(name)) && last.lead === '' && isYear(last.core)
  const words = `${article}${day} of ${month}`
  return hasYear ? { words: `${words}, ${year(last.core)}`, used: used + 1 } : { words, used }
}

function yearAlone(tokens: readonly Token[], at: number): Spoken | null {
  const { core } = tokens[at] ?? NONE
  const range = /^(\d{4})[-–](\d{4}|\d\d)$/.exec(core)
  if (range !== null && isYear(range[1] ?? ''))
    return one(`${year(range[1] ?? '')} to ${range[2]?.length === 2 ? cardinal(range[2]) : year(range[2] ?? '')}`)
  if (!isYear(core)) return null
  const before = tokens[at - 1]?.core.toLowerCase() ?? ''
  return BEFORE_YEAR.has(before) || Number(core) >= 1900 ? one(year(core)) : null
}

/** `1980s`, `’90s`, `mid-1990s`. */
function decade(core: string): string | null {
  const prefix = /^(?:mid|early|late|pre|post)-/i.exec(core)?.[0]
  if (prefix !== undefined) {
    const rest = decade(core.slice(prefix.length))
    return rest === null ? null : prefix + rest
  }
  const [, whole, short] = /^(?:(\d{3}0)'?s|['’‘]?([2-9]0)s)$/.exec(core) ?? []
  if (whole !== undefined) return decades(year(whole))
  return short === undefined ? null : decades(cardinal(short))
}

function weekday(tokens: readonly Token[], at: number): Spoken | null {
  const { core, trail } = tokens[at] ?? NONE
  const name = SHORT_WEEKDAYS[core.toLowerCase()]
  const isShort = name !== undefined && /^[A-Z]/.test(core) && (trail.startsWith('.') || trail.startsWith(','))
  return isShort && (trail.startsWith(',') || tokens[at + 1] !== undefined) ? { words: name, used: 1 } : null
}

function monthOf({ core, trail }: Token): string | undefined {
  if (trail !== '' && trail !== '.') return undefined
  const short = core === 'Sept' ? 'Sep' : core
  return MONTHS.find((month) => month === core || month.slice(0, 3) === short)
}

function abbreviated({ core, trail }: Token): boolean {
  return trail === '.' && core.length < 5 && core !== 'May'
}

function dayOf(core: string): string | null {
  const digits = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(core)?.[1]
  return digits === undefined || !isDay(digits) ? null : ordinal(String(Number(digits)))
}

/** `5-7`. */
function daysOf(core: string): string | null {
  const [first = '', last = '', ...more] = core.split(/[-–]/)
  const [from, to] = [dayOf(first), dayOf(last)]
  return more.length > 0 || from === null || to === null ? null : `${from} to ${to}`
}

function isDay(digits: string): boolean {
  return isDigits(digits) && Number(digits) >= 1 && Number(digits) <= 31
}
