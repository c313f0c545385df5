import { monthOf } from './months.js'
import type { Words } from './words.js'

/** One reading of a date; absent parts are null. */
export interface DatePart {
  readonly year: number | null
  readonly month: number
  readonly day: number | null
}

export interface WrittenDate {
  /** Several when the order of day and month, or the century, is ambiguous. */
  readonly dates: readonly DatePart[]
  /** Index of the next word. */
  readonly to: number
}

const ORDINALS = new Set(['st', 'nd', 'rd', 'th', 'er', 'o', 'a'])
const LINKS = new Set(['of', 'de', 'di', 'del', 'do', 'd'])
/** What may be between the parts of a date. */
const GAP = /^[\s.,'’º°-]{0,4}$/
/** The signs after year, month and day; Korean ones as normalised by `Words`. */
const YEARS = ['年', '년'.normalize('NFKD')]
const MONTHS = ['月', '월'.normalize('NFKD')]
const DAYS = ['日', '号', '일'.normalize('NFKD')]
/** Accepted years. */
const [FIRST, LAST] = [1000, 2199]

/**
 * The date starting at a word, or null: ISO 8601, `3/12/2025`, `12.03.25`, `12 March 2025`, `March 12th, 2025`,
 * `March 2025`, `12 de marzo`, `2025年3月12日`.
 */
export function dateAt(words: Words, at: number): WrittenDate | null {
  const { folded } = words
  if (!words.isNumber(at)) {
    const month = monthOf(folded[at] ?? '')
    return month === undefined ? null : fromMonth(words, at, month)
  }
  return eastern(words, at) ?? numeric(words, at) ?? fromDay(words, at)
}

/** Day first, then the name of the month. */
function fromDay(words: Words, at: number): WrittenDate | null {
  const day = dayOf(words, at)
  if (day === null) return null
  let next = at + 1
  if (ORDINALS.has(words.folded[next] ?? '') && words.gap(next) === '') next++
  if (LINKS.has(words.folded[next] ?? '') && words.gap(next) === ' ') next++
  const month = GAP.test(words.gap(next)) ? monthOf(words.folded[next] ?? '') : undefined
  if (month === undefined) return null
  const { year, to } = yearAfter(words, next + 1)
  return written([{ year, month, day }], to)
}

/** Name of the month first. */
function fromMonth(words: Words, at: number, month: number): WrittenDate | null {
  const straight = yearAfter(words, at + 1)
  if (straight.year !== null) return written([{ year: straight.year, month, day: null }], straight.to)
  const day = GAP.test(words.gap(at + 1)) ? dayOf(words, at + 1) : null
  if (day === null) return null
  const next = ORDINALS.has(words.folded[at + 2] ?? '') && words.gap(at + 2) === '' ? at + 3 : at + 2
  const { year, to } = yearAfter(words, next)
  return written([{ year, month, day }], to)
}

/** Three groups of digits with the same separator. */
function numeric(words: Words, at: number): WrittenDate | null {
  const mark = words.gap(at + 1).trim()
  if (!['-', '/', '.'].includes(mark) || words.gap(at + 2).trim() !== mark || !words.isNumber(at + 1) || !words.isNumber(at + 2))
    return null
  const [one = '', two = '', three = ''] = words.folded.slice(at, at + 3)
  const [first, second, third] = [Number(one), Number(two), Number(three)]
  if (two.length > 2) return null
  const to = at + 3
  if (one.length === 4) return three.length > 2 ? null : written([{ year: first, month: second, day: third }], to)
  if (one.length > 2 || (three.length !== 4 && three.length !== 2)) return null
  const years = three.length === 4 ? [third] : [2000 + third, 1900 + third]
  const orders = years.flatMap((year) => [
    { year, month: second, day: first },
    { year, month: first, day: second },
  ])
  return written(orders, to)
}

/** Year, month and day with Chinese, Japanese or Korean signs. */
function eastern({ folded }: Words, at: number): WrittenDate | null {
  const begins = (index: number, signs: readonly string[]): boolean => signs.some((sign) => folded[index]?.startsWith(sign))
  const monthAt = begins(at + 1, YEARS) ? at + 2 : at
  if (!begins(monthAt + 1, MONTHS)) return null
  const year = monthAt === at ? null : Number(folded[at])
  const month = Number(folded[monthAt])
  const day = begins(monthAt + 3, DAYS) ? Number(folded[monthAt + 2]) : null
  return written([{ year, month, day }], day === null ? monthAt + 2 : monthAt + 4)
}

function dayOf(words: Words, at: number): number | null {
  const text = words.folded[at] ?? ''
  return words.isNumber(at) && text.length <= 2 && Number(text) >= 1 && Number(text) <= 31 ? Number(text) : null
}

/** A four-digit year after a month or day, with at most one word between. */
function yearAfter(words: Words, at: number): { readonly year: number | null; readonly to: number } {
  const next = LINKS.has(words.folded[at] ?? '') && words.gap(at) === ' ' ? at + 1 : at
  const text = words.folded[next] ?? ''
  const isYear = words.isNumber(next) && text.length === 4 && GAP.test(words.gap(next)) && !words.gap(next).includes('. ')
  return isYear ? { year: Number(text), to: next + 1 } : { year: null, to: at }
}

function written(dates: readonly DatePart[], to: number): WrittenDate | null {
  const valid = dates.filter(
    ({ year, month, day }) =>
      month >= 1 &&
      month <= 12 &&
      (year === null || (year >= FIRST && year <= LAST)) &&
      (day === null || (day >= 1 && day <= new Date(Date.UTC(year ?? 2000, month, 0)).getUTCDate())),
  )
  return valid.length === 0 ? null : { dates: valid, to }
}
