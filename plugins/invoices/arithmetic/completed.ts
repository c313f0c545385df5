import type { InvoiceRecord } from '../record.js'
import { decimalsOf } from './currency-unit.js'

/**
 * Completes a record from its stated values: amounts of a credit note become negative, the subtotal follows from
 * total and tax, totals from the tax breakdown, and a single rate applies to every line.
 */
export function completed(record: InvoiceRecord): InvoiceRecord {
  return withOnlyRate(withThird(withBreakdown(record.document_type === 'credit_note' ? negative(record) : record)))
}

/**
 * The sign of the totals is that of the total, lines have their own: some documents print a minus on only one of
 * them.
 */
function negative(record: InvoiceRecord): InvoiceRecord {
  const sum = record.line_items.reduce((total, line) => total + (line.total_amount ?? 0), 0)
  const lines =
    sum <= 0
      ? record.line_items
      : record.line_items.map((line) => ({
          ...line,
          quantity: minus(line.quantity),
          adjustment: minus(line.adjustment),
          total_amount: minus(line.total_amount),
        }))
  const asLines = { ...record, adjustment: sum > 0 ? minus(record.adjustment) : record.adjustment, line_items: lines }
  if ((record.total_amount ?? record.subtotal ?? 0) <= 0) return asLines
  return {
    ...asLines,
    subtotal: minus(record.subtotal),
    total_tax: minus(record.total_tax),
    total_amount: minus(record.total_amount),
    rounding: minus(record.rounding),
    prepaid: minus(record.prepaid),
    amount_due: minus(record.amount_due),
    taxes: record.taxes.map(({ rate, base, amount }) => ({ rate, base: minus(base), amount: minus(amount) })),
  }
}

function withBreakdown(record: InvoiceRecord): InvoiceRecord {
  const { taxes } = record
  return {
    ...record,
    total_tax:
      record.total_tax ??
      sumOf(
        taxes.map(({ amount }) => amount),
        record,
      ),
    subtotal:
      record.subtotal ??
      sumOf(
        taxes.map(({ base }) => base),
        record,
      ),
  }
}

function withThird(record: InvoiceRecord): InvoiceRecord {
  const { subtotal, total_tax: tax, total_amount: total } = record
  const rounding = record.rounding ?? 0
  if (subtotal === null && tax !== null && total !== null) return { ...record, subtotal: rounded(total - tax - rounding, record) }
  return record
}

function withOnlyRate(record: InvoiceRecord): InvoiceRecord {
  const [only, ...others] = record.taxes
  if (only === undefined || others.length > 0 || only.rate === null) return record
  const { rate } = only
  return { ...record, line_items: record.line_items.map((line) => ({ ...line, tax_rate: line.tax_rate ?? rate })) }
}

function sumOf(values: readonly (number | null)[], record: InvoiceRecord): number | null {
  if (values.length === 0) return null
  const known = values.filter((value) => value !== null)
  return known.length < values.length
    ? null
    : rounded(
        known.reduce((total, value) => total + value, 0),
        record,
      )
}

const rounded = (value: number, { currency }: InvoiceRecord): number => Number(value.toFixed(decimalsOf(currency)))

/** Never -0. */
const minus = (value: number | null): number | null => (value === null ? null : 0 - value)
