import type { InvoiceLine, InvoiceRecord } from '../record.js'
import { coinOf, unitOf } from './currency-unit.js'

/** Whether the parts of a sum match; null when one of them is not stated. */
type Verdict = boolean | null

/** The result of checking a record against the rules of `record.ts`. */
export interface Judgement {
  /** The total is present, confirmed by something, and not contradicted. */
  readonly adds: boolean
  /** For choosing among records: confirmed rules add to it, failed ones subtract double. */
  readonly score: number
  /** subtotal + total_tax + rounding = total_amount. */
  readonly total: Verdict
  /** Sum of lines + adjustment = subtotal or total_amount, and which. */
  readonly lines: Verdict
  readonly linesGive: 'subtotal' | 'total_amount' | null
  readonly sumOfLines: number | null
  /** quantity × unit_price + adjustment = total_amount, by line. */
  readonly each: readonly Verdict[]
  /** The breakdown sums to total_tax, and its bases to the subtotal. */
  readonly taxes: Verdict
  readonly bases: Verdict
  /** The rates of the lines yield total_tax. */
  readonly rates: Verdict
  /** total_amount - prepaid = amount_due. */
  readonly due: Verdict
}

/** Float noise of sums. */
const NOISE = 1e-6
const FULL = 100

export function judge(record: InvoiceRecord): Judgement {
  const { currency, subtotal, total_tax: tax, total_amount: total, line_items: lines } = record
  const unit = unitOf(currency)
  const coin = coinOf(currency)
  const sumOfLines = sum(lines.map((line) => line.total_amount))
  const adjusted = sumOfLines === null ? null : sumOfLines + (record.adjustment ?? 0)
  const bySubtotal = near(adjusted, subtotal, (unit * (lines.length + 1)) / 2)
  const byTotal = near(adjusted, total, (unit * (lines.length + 1)) / 2)
  const linesGive =
    record.prices_include_tax !== true && bySubtotal === true
      ? 'subtotal'
      : record.prices_include_tax !== false && byTotal === true
        ? 'total_amount'
        : null
  const lineSum =
    linesGive !== null
      ? true
      : record.prices_include_tax === true
        ? byTotal
        : record.prices_include_tax === false
          ? bySubtotal
          : (bySubtotal ?? byTotal)
  const each = lines.map((line) => eachLine(line, unit))
  const taxes = near(sum(record.taxes.map(({ amount }) => amount)), tax, unit * record.taxes.length)
  const bases = near(sum(record.taxes.map(({ base }) => base)), subtotal, unit * record.taxes.length)
  const rates = near(taxByRates(record, linesGive), tax, (unit * (lines.length + 2)) / 2)
  const due =
    record.prepaid === null
      ? null
      : near(total === null ? null : total - record.prepaid, record.amount_due, unit + coin + Math.abs(record.rounding ?? 0))
  const sumOfTotal = subtotal === null || tax === null ? null : subtotal + tax + (record.rounding ?? 0)
  const totals = near(sumOfTotal, total, unit + (record.rounding === null ? coin : 0))
  const strict = [totals, lineSum, rates, ...each]
  const supporting = [taxes, bases, due]
  const adds = total !== null && !strict.includes(false) && (totals === true || lineSum === true)
  return {
    adds,
    score: count([totals, lineSum, rates, ...supporting], true) - 2 * count(strict, false),
    total: totals,
    lines: lineSum,
    linesGive,
    sumOfLines,
    each,
    taxes,
    bases,
    rates,
    due,
  }
}

/** Rounding of the total, and of price and quantity to their printed digits. */
function eachLine({ quantity, unit_price: price, adjustment, total_amount: total }: InvoiceLine, unit: number): Verdict {
  if (quantity === null || price === null) return null
  const ofPrice = Math.abs(quantity) * Math.min(unit, lastPlace(price)) * 0.5
  const ofQuantity = Number.isInteger(quantity) ? 0 : Math.abs(price) * lastPlace(quantity) * 0.5
  return near(quantity * price + (adjustment ?? 0), total, unit + ofPrice + ofQuantity)
}

/** The value of the last written decimal place of a number. */
function lastPlace(value: number): number {
  const fraction = /\.(\d+)$/.exec(String(value))?.[1]
  return 10 ** -(fraction?.length ?? 0)
}

/** Tax by the rates of the lines, or by a single rate; null when they are not conclusive, or document discounts have unknown rates. */
function taxByRates(
  { line_items: lines, subtotal, taxes, adjustment, rounding }: InvoiceRecord,
  linesGive: Judgement['linesGive'],
): number | null {
  const known = [...lines.map((line) => line.tax_rate), ...taxes.map(({ rate }) => rate)].filter((rate) => rate !== null)
  const [only, ...others] = new Set(known)
  if (only === undefined) return null
  const complete = taxes.length > 0 ? taxes.every(({ rate }) => rate !== null) : lines.every((line) => line.tax_rate !== null)
  // Several taxes of one rate each apply to the whole amount, and charges after the subtotal may or may not be taxed.
  const isUnclear = taxes.length > 1 || Math.abs(rounding ?? 0) >= 1
  if (others.length === 0 && complete && subtotal !== null) return isUnclear ? null : (subtotal * only) / FULL
  if (linesGive === null || (adjustment ?? 0) !== 0) return null
  return sum(
    lines.map(({ total_amount: total, tax_rate: rate }) =>
      total === null || rate === null ? null : linesGive === 'subtotal' ? (total * rate) / FULL : (total * rate) / (FULL + rate),
    ),
  )
}

/** Null when there are none, or one is unknown. */
function sum(values: readonly (number | null)[]): number | null {
  if (values.length === 0) return null
  return values.reduce<number | null>((total, value) => (total === null || value === null ? null : total + value), 0)
}

function near(one: number | null, other: number | null, tolerance: number): Verdict {
  return one === null || other === null ? null : Math.abs(one - other) <= tolerance + NOISE
}

const count = (verdicts: readonly Verdict[], wanted: boolean): number => verdicts.filter((verdict) => verdict === wanted).length
