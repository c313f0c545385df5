import { currencyOf as currencyNamed, numeralOf, type Decimal } from './layout/amount.js'
import type { InvoiceTax } from './record.js'

/** Characters of a printed number. */
const MOST_PRINT = 60

/** Text on one line; null for none. */
export function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = value.replace(/\s+/g, ' ').trim()
  return text === '' ? null : text
}

/** Lines of an address joined by a comma. */
export function addressOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  return textOf(
    value
      .split(/(?<!\s)\s*[\r\n]\s*/)
      .map((line) => line.trim().replace(/,$/, ''))
      .filter((line) => line !== '')
      .join(', '),
  )
}

export const numberOf = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null)

/**
 * A number as printed in documents: with a comma or a point, grouping, a currency, a unit, a minus before or after
 * it, or brackets; null for other text. `decimal` is the decimal separator of the document (`decimalIn`), which
 * distinguishes 1,500 from 1.500.
 */
export function printedNumber(value: unknown, decimal: Decimal | null = null): number | null {
  return numeralIn(value, decimal)?.value ?? null
}

function numeralIn(value: unknown, decimal: Decimal | null): ReturnType<typeof numeralOf> {
  if (typeof value !== 'string' || value.length > MOST_PRINT) return null
  const figures = value
    .replace(/[´`ʼ‘′]/g, "'")
    .normalize('NFKC')
    .replace(/[‐‒–—−]/g, '-')
    // A remark in brackets, such as on tax, and units that end in a digit.
    .replace(/\([^\d()]*\)|(?<=\d ?)(?:[cdk]?m|ft)[23]\b|[:=*#]/gi, ' ')
    .replace(/[/\p{L}\p{Sc}.]+/gu, (run) => (/[\p{L}\p{Sc}]/u.test(run) ? ' ' : run))
    .replace(/\s+/g, ' ')
    .replace(/([-(]) /g, '$1')
    .trim()
  return numeralOf(figures, decimal)
}

/** The day of a date with an optional time; null for other text. */
export function dayOf(value: unknown): string | null {
  const day = typeof value === 'string' ? /^(\d{4}-\d\d-\d\d)(?:$|[T ])/.exec(value)?.[1] : undefined
  return day === undefined || Number.isNaN(Date.parse(day)) ? null : day
}

export function currencyOf(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Za-z]{3}$/.test(value.trim()) ? value.trim().toUpperCase() : null
}

/** The currency of a printed amount by its code or sign; null for none, and for `kr`, which several countries share. */
export function printedCurrency(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MOST_PRINT) return null
  const names = value.split(/[\s\d.,'’()+-]+/).filter((name) => name.toLowerCase() !== 'kr')
  return names.map(currencyNamed).find((code) => code !== null) ?? null
}

/** A rate such as `20 %`, `%20`, `20`, `5,5%` or `VAT (20%)`. */
export function percentOf(value: unknown): number | null {
  if (typeof value !== 'string') return numberOf(value)
  const read = numeralIn(value.normalize('NFKC').replace(/[%()]/g, ' '), null)
  return [read?.value, read?.other].find((rate) => rate != null && rate >= 0 && rate <= 100) ?? null
}

/** True when rates are fractions (0.2) instead of percent (20): decided by an amount if possible, else when all are below one. */
export function areShares(taxes: readonly InvoiceTax[]): boolean {
  const known = taxes.filter(({ rate }) => rate !== null && rate !== 0)
  for (const { rate, base, amount } of known) {
    if (rate === null || base === null || amount === null || amount === 0) continue
    return Math.abs(rate * base - amount) < Math.abs((rate * base) / 100 - amount)
  }
  return known.length > 0 && known.every(({ rate }) => rate !== null && rate < 1)
}

export const asPercent = (rate: number | null, shares: boolean): number | null =>
  rate === null ? null : Number((shares ? rate * 100 : rate).toFixed(4))
