import { CODES, SIGNS } from './lexicon/currencies.js'
import type { Box, Row } from './types.js'

/** The decimal separator of a document. */
export type Decimal = ',' | '.'

export interface Amount extends Box {
  readonly value: number
  /** An alternative reading, when a separator may be for thousands or decimals. */
  readonly other: number | null
  /** Digits after the decimal separator. */
  readonly decimals: number
  readonly currency: string | null
  readonly percent: boolean
  /** Tokens of its row from `from` to before `to`. */
  readonly from: number
  readonly to: number
}

interface Numeral {
  readonly value: number
  readonly other: number | null
  readonly decimals: number
}

const GROUPED = /^\d{1,3}(?:([.,'’ ])\d{3})(?:\1\d{3})*(?:([.,])(\d{1,4}))?$/
/** Groups of two digits beyond the thousands, as in India; of four, as in China and Japan. */
const LAKH = /^\d{1,2}(?:,\d{2})+,\d{3}(?:\.(\d{1,4}))?$/
const FOURS = /^\d{1,4}(?:,\d{4}){2,}$/
const MYRIADS = /^(\d{1,4})[万萬](\d{1,4})?$/
const PLAIN = /^(\d+)(?:([.,])(\d{1,4}))?$/
const CODE: ReadonlySet<string> = new Set(CODES)
const LOOKS = /^[-+−–(]?[\dOolIS|B.,'’万萬]+[)–—=-]{0,2}$/

/** A number in any of the usual forms, or null; letters that recognition confused with digits are corrected when the rest are digits. */
export function numeralOf(text: string, decimal: Decimal | null = null): Numeral | null {
  const compact = text.replace(/[\u00a0\u202f\u2009]/g, ' ').trim()
  const isWhole = /\d[.,][-–—=]{1,2}$/.test(compact)
  const figures = isWhole ? compact.replace(/[.,][-–—=]{1,2}$/, '') : compact
  const negative = /^[-−–]|^\(.*\)$|\d ?[-−–]$/.test(figures)
  const bare = repaired(figures.replace(/^[-−–+(]+ ?| ?[)]$| ?[-−–]$/g, ''))
  const found = byTwoOrFour(bare) ?? grouped(bare, decimal) ?? plain(bare, decimal)
  if (found === null) return null
  // `,-` marks a whole amount.
  const read = isWhole ? { ...found, decimals: 2 } : found
  return negative ? { ...read, value: -read.value, other: read.other === null ? null : -read.other } : read
}

function byTwoOrFour(text: string): Numeral | null {
  const lakh = LAKH.exec(text)
  if (lakh !== null) return { value: Number(text.replaceAll(',', '')), other: null, decimals: lakh[1]?.length ?? 0 }
  if (FOURS.test(text)) return { value: Number(text.replaceAll(',', '')), other: null, decimals: 0 }
  const [, myriads, rest = '0'] = MYRIADS.exec(text.replaceAll(',', '')) ?? []
  return myriads === undefined ? null : { value: Number(myriads) * 10_000 + Number(rest), other: null, decimals: 0 }
}

function grouped(text: string, decimal: Decimal | null): Numeral | null {
  const match = GROUPED.exec(text)
  if (match === null) return null
  const [, group = '', point, decimals = ''] = match
  if (point === group) return null
  const digits = point === undefined ? text : text.slice(0, text.lastIndexOf(point))
  const whole = Number(digits.replaceAll(group, ''))
  if (point !== undefined) return { value: Number(`${whole}.${decimals}`), other: null, decimals: decimals.length }
  const once = text.split(group).length === 2
  if (!once || (group !== '.' && group !== ',')) return { value: whole, other: null, decimals: 0 }
  const fraction = Number(text.replace(group, '.'))
  if (group === decimal || text.startsWith('0')) return { value: fraction, other: whole, decimals: 3 }
  return { value: whole, other: fraction, decimals: 0 }
}

function plain(text: string, decimal: Decimal | null): Numeral | null {
  const match = PLAIN.exec(text)
  if (match === null || text.length > 15) return null
  const [, whole = '', point, decimals = ''] = match
  const value = Number(point === undefined ? whole : `${whole}.${decimals}`)
  // Three digits after a separator that is not the decimal one would be thousands, which are grouped from the left.
  if (decimals.length === 3 && decimal !== null && point !== decimal && whole.length > 3) return null
  return { value, other: null, decimals: decimals.length }
}

function repaired(text: string): string {
  if (!/[OolIS|B]/.test(text)) return text
  const digits = text.replace(/\D/g, '').length
  if (digits * 2 < text.length - 1) return text
  return text.replace(/[Oo]/g, '0').replace(/[lI|]/g, '1').replace(/S/g, '5').replace(/B/g, '8')
}

/** The decimal separator of the numbers with two decimals. */
export function decimalIn(texts: Iterable<string>): Decimal | null {
  let [commas, points] = [0, 0]
  for (const text of texts) {
    const [, mark] = /\d([.,])\d{2}(?:[^\d.,]|$)/.exec(text) ?? []
    if (mark === undefined || /\d[./]\d{1,2}[./]\d/.test(text)) continue
    if (mark === ',') commas += 1
    else points += 1
  }
  if (commas === points) return null
  return commas > points ? ',' : '.'
}

/** The amounts, quantities and percentages of a row, from left to right. */
export function amountsOf(row: Row, decimal: Decimal | null): Amount[] {
  const found: Amount[] = []
  for (let from = 0; from < row.tokens.length;) {
    const amount = amountAt(row, from, decimal)
    if (amount !== null) found.push(amount)
    from = amount?.to ?? from + 1
  }
  return found
}

function amountAt({ tokens, size }: Row, start: number, decimal: Decimal | null): Amount | null {
  const sign = currencyOf(tokens[start]?.text ?? '')
  const at = sign === null ? start : start + 1
  const first = tokens[at]
  if (first === undefined || (sign !== null && first.left - (tokens[start]?.right ?? 0) > 6 * size)) return null
  const begun = stripped(first.text)
  if (!LOOKS.test(begun.text) || !/\d/.test(begun.text)) return null
  let [text, to, currency, percent] = [begun.text, at + 1, sign ?? begun.currency, begun.percent]
  for (let next = tokens[to]; next !== undefined && !percent; next = tokens[to]) {
    const gap = next.left - (tokens[to - 1]?.right ?? 0)
    const more = stripped(next.text)
    if (gap > widest(text, more.text) * size || (currency !== null && sign === null && begun.currencyAfter) || !continues(text, more.text))
      break
    text = /[.,]$/.test(text) || /^[.,]/.test(more.text) || /^[-−–(]$/.test(text) ? text + more.text : `${text} ${more.text}`
    currency ??= more.currency
    percent = more.percent
    to += 1
  }
  const read = numeralOf(text, decimal)
  if (read === null) return null
  const after = tokens[to]
  if (after !== undefined && !percent && after.left - (tokens[to - 1]?.right ?? 0) < 1.2 * size) {
    const code = currencyOf(after.text)
    if (after.text === '%' || after.text.startsWith('%')) [percent, to] = [true, to + 1]
    else if (code !== null && currency === null) [currency, to] = [code, to + 1]
  }
  const last = tokens[to - 1] ?? first
  const left = tokens[start]?.left ?? first.left
  return { ...read, currency, percent, from: start, to, left, right: last.right, top: first.top, bottom: first.bottom }
}

/** Maximum gap between two parts of a number, in text heights. */
function widest(text: string, next: string): number {
  if (/[.,]$/.test(text) && /^\d{2}$/.test(next)) return 1
  return /^\d{3}[.,]\d{2}$/.test(next) ? 0.75 : 0.5
}

/** Separate thousands, or a number split at its separator. */
function continues(text: string, next: string): boolean {
  if (/^[-−–(]$/.test(text)) return /^\d/.test(next)
  if (/^[-−–(]?\d{1,3}(?: \d{3})*$/.test(text)) return /^\d{3}(?:[.,](?:\d{1,2}|[-–—=]{1,2}))?[)-]?$/.test(next) || /^[.,]\d{2}$/.test(next)
  return /\d[.,]$/.test(text) && /^\d{2}[)-]?$/.test(next)
}

/** Removes an attached currency or percent sign. */
function stripped(text: string): { text: string; currency: string | null; currencyAfter: boolean; percent: boolean } {
  // Turkish puts the percent sign before the number.
  const percent = /\d ?%|^%\d/.test(text)
  const [, before = '', body = '', after = ''] = /^([^\d(+−–-]{0,4}?)([-+−–(]?[\dOolIS|B].*?)([^\d)−–,.-]{0,5})$/.exec(
    // A minus before the currency sign belongs to the number.
    text.replace(/^%(?=\d)|[%;]$/g, '').replace(/^([-−–])([^\d\s.,()-]{1,4})(?=\d)/, '$2$1'),
  ) ?? ['', '', text, '']
  const currency = currencyOf(after) ?? currencyOf(before)
  const isClean = (before === '' || currencyOf(before) !== null) && (after === '' || currencyOf(after) !== null || /^[A-Ec*]$/.test(after))
  return { text: isClean ? body : text, currency, currencyAfter: after !== '' && currency !== null, percent }
}

/** The currency code of a text that consists only of a currency. */
export function currencyOf(text: string): string | null {
  const bare = text.trim().replace(/^[(]|[):;]$/g, '')
  if (bare === '') return null
  const name = bare.toLowerCase()
  const sign = Object.hasOwn(SIGNS, name) ? SIGNS[name] : undefined
  // FR before a number is a country; TL is not.
  if (sign !== undefined && (bare === 'TL' || !/^[A-Z]{2,}$/.test(bare))) return sign
  return CODE.has(bare) ? bare : null
}
