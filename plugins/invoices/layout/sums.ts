import { currencyOf, numeralOf, type Amount } from './amount.js'
import type { Field } from './lexicon/labels.js'
import type { Paper, Read } from './document.js'
import { below, hitOf, type Hit } from './labels.js'
import { near } from './solve.js'

/** A labelled amount of the document. */
export interface Sum {
  readonly field: Field
  readonly value: number
  /** Certainty, 0 to about 2. */
  readonly weight: number
  /** The whole label matched exactly, and is long enough to be unambiguous. */
  readonly sure: boolean
  /** Its label is a bare sum word, such as Summe, and no larger amount follows, except cash paid with change. */
  readonly only: boolean
  /** Text of the label, without spaces. */
  readonly name: string
  readonly read: Read
  readonly currency: string | null
  /** Percentage at the label. */
  readonly rate: number | null
}

export interface Share {
  readonly rate: number
  readonly base: number | null
  readonly amount: number
  /** The label, if any. */
  readonly name: string | null
}

const FIELDS: readonly Field[] = ['subtotal', 'tax', 'total', 'payable', 'prepaid', 'discount', 'shipping', 'withheld', 'rounding']
const MAX_SUMS = 200
const MAX_SHARES = 20
/** Rows searched for document amounts. */
const MAX_ROWS = 600
/** Rows above the total that may be charges or deductions. */
const MAX_ADJUSTMENTS = 8

/** Document amounts by their labels, outside the item table. */
export function sumsOf(paper: Paper, taken: ReadonlySet<Read>): Sum[] {
  const sums: Sum[] = []
  for (const read of paper.rows) {
    if (taken.has(read)) continue
    for (const match of read.labels) {
      const fields = FIELDS.filter((field) => match.meaning.has(field))
      if (fields.length === 0) continue
      const hit = hitOf(read, match)
      const found = besideOf(hit) ?? underOf(paper, hit, taken)
      if (found === null || isBeforeTax(paper, hit, found)) continue
      const only = isOnly(paper, hit, found)
      sums.push(...fields.map((field) => sumOf(field, fields.length, { hit, found, only })))
    }
  }
  return sums.slice(0, MAX_SUMS)
}

/**
 * Whether a total label names the amount before tax: added to the next amount it yields the one after that, and
 * either other words follow the label, as in Summa km-ta, or the next amount matches a rate of it.
 */
function isBeforeTax(paper: Paper, hit: Hit, { amount }: Found): boolean {
  if (!hit.fields.has('total') && !hit.fields.has('payable')) return false
  const [tax, total] = after(paper, hit, 3)
  if (tax === undefined || total === undefined || tax.value <= 0 || !near(amount.value + tax.value, total.value)) return false
  return isLonger(hit) || tax.rates.some((rate) => near((amount.value * rate) / 100, tax.value))
}

/** Sum words that do not state whether tax is included. */
const BARE = /^(?:summ?[ae]?|somm?a)$/
/** Rows below a sum that are searched for a larger one. */
const ROWS_AFTER = 8

function isOnly(paper: Paper, hit: Hit, { amount }: Found): boolean {
  if (!BARE.test(nameOf(hit)) || isLonger(hit)) return false
  const later = after(paper, hit, ROWS_AFTER).map(({ value }) => value)
  const isCash = (paid: number, change: number): boolean => near(paid - change, amount.value)
  return later.every(
    (value, at) =>
      value <= amount.value ||
      later.slice(at + 1).some((change) => isCash(value, change)) ||
      later.slice(0, at).some((paid) => isCash(paid, value)),
  )
}

/** Whether unlisted words other than a currency follow a label directly. */
function isLonger({ read, to }: Hit): boolean {
  const next = read.row.tokens[to]?.text ?? ''
  return /^\p{L}{2}/u.test(next) && currencyOf(next) === null && !read.labels.some(({ from }) => from === to)
}

const nameOf = ({ read, from, to }: Hit): string =>
  read.row.tokens
    .slice(from, to)
    .map(({ folded }) => folded)
    .join('')

/** The last monetary amount of each row below a label that has one, with the percentages of that row. */
function after(paper: Paper, { read }: Hit, rows: number): { value: number; rates: readonly number[] }[] {
  return paper.rows.slice(read.at + 1, read.at + 1 + rows).flatMap(({ amounts }) => {
    const money = amounts.findLast(({ percent, decimals }) => !percent && decimals === 2)
    return money === undefined ? [] : { value: money.value, rates: amounts.filter(({ percent }) => percent).map(({ value }) => value) }
  })
}

/** The percentage in a label's word group, or to its right before the amount. */
function rateAt({ read, left, right }: Hit): number | null {
  const segment = read.segments.find((each) => each.left <= left + 0.1 && each.right >= right - 0.1)
  const own = read.amounts.filter(({ percent, value }) => percent && value >= 0 && value < 30)
  const inside = own.filter((amount) => segment !== undefined && amount.left >= segment.left - 0.1 && amount.right <= segment.right + 0.1)
  const after = own.find((amount) => amount.left > left)
  const isOnly = read.labels.filter(({ meaning }) => meaning.has('tax')).length === 1
  return inside.at(-1)?.value ?? (isOnly ? (after ?? own[0])?.value : undefined) ?? bareRate(read, left)
}

interface Found {
  readonly amount: Amount
  readonly read: Read
  readonly worth: number
}

function sumOf(field: Field, fields: number, { hit, found, only }: { hit: Hit; found: Found; only: boolean }): Sum {
  const { amount, read, worth } = found
  const places = amount.decimals === 2 || amount.currency !== null ? 0.4 : 0
  const weight = (0.7 + Math.min(0.5, hit.length / 30)) * hit.exact * worth + places - (fields - 1) * 0.15
  const name = nameOf(hit)
  const sure = hit.exact === 1 && hit.length >= 5 && worth > 0.5
  return { field, value: amount.value, weight, sure, only, name, read, currency: amount.currency, rate: rateAt(hit) }
}

/** The amount to the right of a label; the last of several, since a base or a rate comes first. */
function besideOf(hit: Hit): Found | null {
  const { read } = hit
  const next = read.labels.find(({ from, meaning, length }) => from >= hit.to && length > 2 && FIELDS.some((field) => meaning.has(field)))
  // A currency between them belongs to the amount and, as in Total EUR, may also end the label.
  const beside = read.amounts.filter(
    ({ from, to, percent }) => from >= hit.from && to > hit.to && from < (next?.from ?? Infinity) && !percent,
  )
  const money = beside.filter(({ decimals, currency }) => decimals === 2 || currency !== null)
  const amount = money.at(-1) ?? beside.at(-1)
  if (amount === undefined) return null
  // A label directly followed by the next one is part of it.
  if (next !== undefined && amount.from > next.from) return null
  return { amount, read, worth: money.length > 0 ? 1 : 0.5 }
}

function underOf(paper: Paper, hit: Hit, taken: ReadonlySet<Read>): Found | null {
  if (!hit.apart && hit.read.labels.length < 2) return null
  for (const { read, tokens } of below(paper, hit).slice(0, 2)) {
    if (taken.has(read)) return null
    const amount = read.amounts.find(({ from, percent }) => !percent && tokens.some((token) => token === read.row.tokens[from]))
    if (amount !== undefined && (amount.decimals === 2 || amount.currency !== null)) return { amount, read, worth: 0.85 }
  }
  return null
}

/** Rates with their base and amount: rows with a percentage and two matching amounts, or a tax label with one amount. */
export function sharesOf(paper: Paper, taken: ReadonlySet<Read>, sums: readonly Sum[]): Share[] {
  const shares: Share[] = []
  const add = (share: Share): void => {
    // Two taxes of one rate, such as central and state tax, have different names.
    const isSame = (other: Share) => other.name === null || share.name === null || other.name === share.name
    const same = shares.findIndex((other) => other.rate === share.rate && Math.abs(other.amount - share.amount) < 0.005 && isSame(other))
    if (same >= 0 || shares.length >= MAX_SHARES) return
    // A rate with a base is complete.
    if (share.base === null && shares.some(({ rate, base }) => rate === share.rate && base !== null)) return
    shares.push(share)
  }
  const rows = paper.rows.filter((read) => !taken.has(read) && read.amounts.length > 0).slice(-MAX_ROWS)
  for (const read of rows) {
    const share = fittingShare(read)
    if (share !== null) add(share)
  }
  for (const share of unlabelledShares(rows, sums)) add(share)
  for (const { field, value, rate, name } of sums) if (field === 'tax' && rate !== null) add({ rate, base: null, amount: value, name })
  return shares
}

/** A percentage and an amount on a row between the subtotal and the total without a recognised label. */
function unlabelledShares(rows: readonly Read[], sums: readonly Sum[]): Share[] {
  const first = sums.find(({ field }) => field === 'subtotal')?.read.at
  const last = sums.findLast(({ field }) => field === 'total' || field === 'payable')?.read.at
  if (first === undefined || last === undefined) return []
  return rows.flatMap((read) => {
    const money = read.amounts.filter(({ percent, decimals }) => !percent && decimals === 2)
    const rate = read.amounts.find(({ percent, value }) => percent && value > 0 && value < 30)
    const [amount] = money
    const isBetween = read.at > first && read.at < last && last - first < 12
    return !isBetween || money.length !== 1 || rate === undefined || amount === undefined || read.labels.some(({ length }) => length > 3)
      ? []
      : [{ rate: rate.value, base: null, amount: amount.value, name: null }]
  })
}

/** Amounts on separate rows between the subtotal and the total with unlisted labels: charges or deductions. */
export function unknownAdjustments(paper: Paper, taken: ReadonlySet<Read>, sums: readonly Sum[]): number[] {
  const last = sums.findLast(({ field }) => field === 'total' || field === 'payable')?.read.at
  if (last === undefined) return []
  const first = Math.max(last - MAX_ADJUSTMENTS, ...paper.rows.filter((read) => taken.has(read) && read.at < last).map(({ at }) => at + 1))
  const known = new Set(sums.map(({ read }) => read))
  return paper.rows.slice(Math.max(0, first), last).flatMap((read) => {
    const money = read.amounts.filter(({ percent, decimals, currency }) => !percent && (decimals === 2 || currency !== null))
    const [only] = money
    return known.has(read) || only === undefined || money.length !== 1 || !/\p{L}{2}/u.test(read.row.tokens[0]?.text ?? '')
      ? []
      : [only.value]
  })
}

function fittingShare(read: Read): Share | null {
  const { amounts } = read
  const rates = amounts.filter(({ percent, value }) => value >= 0 && value < 30 && (percent || amounts.length >= 3))
  for (const rate of rates.slice(0, 4)) {
    if (!rate.percent && (rate.decimals === 1 || !STANDARD.has(rate.value))) continue
    const money = amounts.filter((amount) => amount !== rate && !amount.percent).slice(0, 6)
    for (const base of money)
      for (const tax of money)
        if (base !== tax && tax.decimals === 2 && base.decimals === 2 && fits(base.value, rate.value, tax.value) && base.value !== 0)
          return { rate: rate.value, base: base.value, amount: tax.value, name: null }
  }
  return null
}

/** Standard VAT rates of the supported languages' countries; a number without a percent sign is a rate only if listed here. */
const STANDARD: ReadonlySet<number> = new Set([
  ...[
    0, 2.1, 2.5, 2.6, 3.7, 3.8, 4, 5, 5.5, 6, 7, 7.7, 8, 8.1, 8.5, 9, 10, 11, 12, 13, 13.5, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
    27,
  ],
])

/** Whether an amount is exactly the tax on another by a standard rate. */
export function isStandardTax(base: number, tax: number): boolean {
  return [...STANDARD].some((rate) => rate > 0 && Math.abs((base * rate) / 100 - tax) < 0.0051)
}

function fits(base: number, rate: number, tax: number): boolean {
  return Math.abs((base * rate) / 100 - tax) <= 0.021
}

function bareRate({ row, amounts }: Read, from: number): number | null {
  for (const { text, left } of row.tokens) {
    const [, after, before] = /(?<![\d.,])(?:(\d{1,2}(?:[.,]\d{1,2})?) ?%|%(\d{1,2}(?:[.,]\d{1,2})?))/.exec(text) ?? []
    const digits = after ?? before
    if (digits !== undefined && left >= from) return numeralOf(digits)?.value ?? null
  }
  const [first] = amounts
  return first !== undefined && amounts.length > 1 && first.decimals === 0 && first.left > from && STANDARD.has(first.value)
    ? first.value
    : null
}
