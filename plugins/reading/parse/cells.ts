import { isRecord } from '../../../core/sdk/json.js'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Day 0 of the two date systems of workbooks (ECMA-376, part 1, 18.17.4). */
const EPOCH_1900 = Date.UTC(1899, 11, 30)
const EPOCH_1904 = Date.UTC(1904, 0, 1)
/** The 1900 system counts a 29 February 1900, which did not exist. */
const LEAP_DAY_1900 = 60
/** With a time format, a number below this is a time or a duration, one above it a moment displayed only by its time. */
const FIRST_YEAR = 366
const LAST_DAY = 2_958_465
/** Significant digits of spreadsheet arithmetic; further ones are floating-point noise. */
const DIGITS = 15
/** Characters of a number format (the limit of Excel). */
const MAX_FORMAT = 255

export interface CellOptions {
  /** Days count from 1904-01-01. */
  readonly date1904: boolean
  /** Times are returned as displayed: the file stores durations, not serial numbers. */
  readonly shownTimes: boolean
}

/**
 * Returns the text of cells of @e965/xlsx (read with `cellNF`, without `cellDates`): as displayed, except that dates
 * are in ISO 8601, times and durations in hours, minutes and seconds, and numbers without a format in all their
 * digits.
 */
export function cellReader({ date1904, shownTimes }: CellOptions): (cell: unknown) => string {
  const patterns = new Map<string, readonly string[]>()
  const patternOf = (format: string, value: number): string => {
    const sections = patterns.get(format) ?? sectionsOf(format)
    patterns.set(format, sections)
    const [positive = '', negative = positive] = sections
    return value < 0 && negative !== '' ? negative : positive
  }
  return (cell) => {
    if (!isRecord(cell)) return ''
    const { t: type, v: value, w: shown, z: format } = cell
    if (type === 'b') return value === true ? 'TRUE' : 'FALSE'
    if (type === 'n' && typeof value === 'number') {
      const pattern = patternOf(typeof format === 'string' ? format : '', value)
      if (pattern === '' || pattern === 'general' || pattern === '@') return plainNumber(value)
      const isTime = /[hs]/.test(pattern)
      const isDate = /[yd]/.test(pattern) || (pattern.includes('m') && !isTime)
      if (isTime && !isDate && shownTimes && typeof shown === 'string') return shown
      if (isTime && (isDate ? value >= 0 && value < 1 && !date1904 : pattern.includes('[') || value < FIRST_YEAR))
        return duration(value, pattern)
      if (isDate || isTime) return isoMoment(value, date1904) ?? plainNumber(value)
    }
    if (typeof shown === 'string') return shown
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
}

/** Sections of a number format (ECMA-376, part 1, 18.8.31) for positive and negative numbers, lower case, without literals, colours, conditions and AM/PM. */
function sectionsOf(format: string): string[] {
  return format
    .slice(0, MAX_FORMAT)
    .toLowerCase()
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .replace(/\[(?!(?:h+|m+|s+)\])[^\]]*\]/g, '')
    .replace(/am\/pm|a\/p/g, '')
    .split(';')
    .map((section) => section.trim())
}

/** A number in decimal digits, without an exponent or the eleven-character rounding of the format General. */
function plainNumber(value: number): string {
  const exact = Number.isSafeInteger(value) ? value : Number(value.toPrecision(DIGITS))
  const text = String(exact)
  if (!text.includes('e-')) return text
  const [digits = '', exponent = '0'] = text.split('e-')
  return exact.toFixed(Math.min(100, Number(exponent) + (digits.split('.')[1]?.length ?? 0)))
}

/** Days as hours, minutes and, if the format has them, seconds; `[h]`, `[m]` and `[s]` do not wrap. */
function duration(days: number, pattern: string): string {
  const digits = /s\.(0{1,3})/.exec(pattern)?.[1]?.length ?? 0
  const unit = SECOND / 10 ** digits
  const time = Math.round((Math.abs(days) * DAY) / unit) * unit
  const rest = pattern.includes('[') ? time : time % DAY
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  const seconds = (value: number): string =>
    two(value / SECOND) +
    (digits === 0
      ? ''
      : `.${String(value % SECOND)
          .padStart(3, '0')
          .slice(0, digits)}`)
  const sign = days < 0 && rest > 0 ? '-' : ''
  if (!pattern.includes('s')) return `${sign}${Math.floor(rest / HOUR)}:${two((rest % HOUR) / MINUTE)}`
  if (pattern.includes('h') || (rest >= HOUR && !pattern.includes('[')))
    return `${sign}${Math.floor(rest / HOUR)}:${two((rest % HOUR) / MINUTE)}:${seconds(rest % MINUTE)}`
  return pattern.includes('m') ? `${sign}${Math.floor(rest / MINUTE)}:${seconds(rest % MINUTE)}` : `${sign}${seconds(rest)}`
}

/** A serial number as ISO 8601 without a zone; null for an invalid date. */
function isoMoment(days: number, date1904: boolean): string | null {
  if (Math.abs(days) > LAST_DAY || (!date1904 && Math.floor(days) === LEAP_DAY_1900)) return null
  const start = date1904 ? EPOCH_1904 : days < LEAP_DAY_1900 ? EPOCH_1900 + DAY : EPOCH_1900
  const text = new Date(Math.round((start + days * DAY) / SECOND) * SECOND).toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19)
}
