import { VOCABULARIES } from './lexicon/vocabulary.js'
import { folded } from './fold.js'
import type { Row } from './types.js'

/** One reading of a date: day first, with the month-first alternative if possible. */
export interface Dated {
  readonly iso: string
  /** The date with day and month swapped, if valid. */
  readonly swapped: string | null
  /** Tokens of its row from `from` to before `to`. */
  readonly from: number
  readonly to: number
}

const MONTH_NUMBERS = new Map(
  Object.values(VOCABULARIES).flatMap(({ months }) =>
    months.split('|').flatMap((names, at) => names.split(' ').map((name) => [folded(name), at + 1] as const)),
  ),
)
const ROMAN = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii']
const ISO = /(?<![\d])(20\d{2}|19\d{2}) ?[-./年] ?(\d{1,2}) ?[-./月] ?(\d{1,2})(?!\d)/g
const NUMERIC = /(?<![\d.,/-])(\d{1,2}) ?([-./]) ?(\d{1,2}) ?\2 ?(\d{4}|\d{2})(?![\d]|[.,/-]\d)/g
const SPACED = /(?<![\d.,/-])(\d{1,2}) (\d{1,2}) (20\d{2})(?!\d)/g
const NAMED =
  /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|º|°|ª|\.)?[-\s/,.]*(?:de |di |of |d['’])?([\p{L}]{3,12})\.?[-\s/,.']*(?:de |del |do )?(20\d{2}|\d{2})(?!\d)/giu
const MONTH_FIRST = /(?<!\p{L})([\p{L}]{3,12})\.?[-\s]+(\d{1,2})(?:st|nd|rd|th)?[,\s.-]+(20\d{2})(?!\d)/giu
const ROMAN_MONTH = /(?<!\d)(\d{1,2})[-./ ]([IVXivxl1]{1,4})[-./ ](20\d{2})(?!\d)/g
const COMPACT = /(?<!\d)(20\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)/g

/** The dates of a row, from left to right. */
export function datesOf({ tokens, size }: Row): Dated[] {
  const starts: number[] = []
  let text = ''
  tokens.forEach((token, at) => {
    const next = tokens[at + 1]
    starts.push(text.length)
    // A date does not continue in the next column.
    text += digitsOf(token.text) + (next !== undefined && next.left - token.right > 1.5 * size ? '\u0001' : ' ')
  })
  const found: Dated[] = []
  const add = (match: RegExpExecArray, iso: string | null, swapped: string | null = null): void => {
    const [begin, end] = [match.index, match.index + match[0].trimEnd().length]
    const [from, to] = [at(starts, begin), at(starts, end - 1) + 1]
    if (iso === null || found.some((each) => each.from < to && from < each.to)) return
    found.push({ iso, swapped: swapped === iso ? null : swapped, from, to })
  }
  for (const match of text.matchAll(ISO)) add(match, isoOf(match[1], match[2], match[3]))
  for (const match of [...text.matchAll(NUMERIC)]) {
    const [, first, , second, year] = match
    const [dayFirst, monthFirst] = [isoOf(year, second, first), isoOf(year, first, second)]
    if (dayFirst === null && year?.length === 2) add(match, isoOf(first, second, year) ?? monthFirst)
    else add(match, dayFirst ?? monthFirst, dayFirst === null ? null : monthFirst)
  }
  for (const match of text.matchAll(NAMED)) add(match, isoOf(match[3], monthOf(match[2]), match[1]))
  for (const match of text.matchAll(MONTH_FIRST)) add(match, isoOf(match[3], monthOf(match[1]), match[2]))
  for (const match of text.matchAll(ROMAN_MONTH)) add(match, isoOf(match[3], romanOf(match[2]), match[1]))
  for (const match of text.matchAll(SPACED)) add(match, isoOf(match[3], match[2], match[1]))
  for (const match of text.matchAll(COMPACT)) add(match, isoOf(match[1], match[2], match[3]))
  return found.sort((one, two) => one.from - two.from)
}

/** The date so many days later. */
export function later(iso: string, days: number): string {
  return new Date(Date.parse(`${iso}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

function isoOf(year: string | undefined, month: string | number | null | undefined, day: string | undefined): string | null {
  const [full, m, d] = [Number(year?.length === 2 ? `20${year}` : year), Number(month), Number(day)]
  if (!(full >= 1990 && full <= 2099) || !(m >= 1 && m <= 12) || !(d >= 1)) return null
  if (d > new Date(Date.UTC(full, m, 0)).getUTCDate()) return null
  return `${full}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`
}

function monthOf(name: string | undefined): number | null {
  const bare = folded(name ?? '')
  return MONTH_NUMBERS.get(bare) ?? MONTH_NUMBERS.get(bare.replace(/0/g, 'o').replace(/[1l](?=i|l)/g, 'l')) ?? null
}

function romanOf(text: string | undefined): number | null {
  const at = ROMAN.indexOf((text ?? '').toLowerCase().replace(/[l1]/g, 'i'))
  return at < 0 ? null : at + 1
}

/** Digits that recognition read as letters, within what is otherwise a date. */
function digitsOf(text: string): string {
  if (!/^[\dOolI|SB.,/-]{6,11}$/.test(text) || text.replace(/\D/g, '').length * 2 < text.length) return text
  return text.replace(/[Oo]/g, '0').replace(/[lI|]/g, '1').replace(/S/g, '5').replace(/B/g, '8').replace(/,/g, '.')
}

/** Index of the last sorted position that is not greater. */
function at(starts: readonly number[], place: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= place) low = middle
    else high = middle - 1
  }
  return low
}
