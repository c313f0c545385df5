import type { InvoiceTruth } from '../types.js'

/** What electronic invoices state beside the answer. Amounts are those of the paper: positive in a credit note. */
export interface Sums {
  readonly credit: boolean
  readonly lines: readonly { description: string; quantity: number; price: number; total: number; rate: number }[]
  readonly sum: number
  readonly discount: number
  readonly taxes: readonly { rate: number; base: number; amount: number }[]
  readonly net: number
  readonly tax: number
  readonly total: number
  readonly decimals: number
}

/** Null for a truth that such a form cannot state: prices with tax, lines without their rate or price. */
export function sumsOf(truth: InvoiceTruth): Sums | null {
  const { subtotal, total_tax: tax, total_amount: total } = truth
  if (subtotal === null || tax === null || total === null) return null
  const sign = total < 0 ? -1 : 1
  const decimals = truth.currency === 'JPY' ? 0 : 2
  const rounded = (value: number) => Number(value.toFixed(decimals))
  const lines = truth.line_items.flatMap(({ description, quantity, unit_price: price, total_amount: amount, tax_rate: rate }) =>
    description === null || quantity === null || price === null || amount === null || rate === null
      ? []
      : [{ description, quantity: quantity * sign, price, total: amount * sign, rate }],
  )
  const sum = rounded(lines.reduce((all, line) => all + line.total, 0))
  const discount = rounded(sum - subtotal * sign)
  const rates = [...new Set(lines.map(({ rate }) => rate))]
  if (lines.length < truth.line_items.length || discount < 0 || (discount > 0 && rates.length > 1) || truth.line_items.length === 0)
    return null
  const taxes = rates.map((rate) => {
    const base = rounded(lines.filter((line) => line.rate === rate).reduce((all, line) => all + line.total, 0) - discount)
    return { rate, base, amount: rounded((base * rate) / 100) }
  })
  if (rounded(taxes.reduce((all, each) => all + each.amount, 0)) !== tax * sign) return null
  return { credit: sign < 0, lines, sum, discount, taxes, net: subtotal * sign, tax: tax * sign, total: total * sign, decimals }
}

export const escaped = (text: string | null): string =>
  (text ?? '').replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')

/** Street, and the rest as post code and town, of an address on one line. */
export function placed(address: string | null): { street: string; zone: string; city: string } {
  const parts = (address ?? '').split(', ')
  const last = parts.at(-1) ?? ''
  const [, zone = '', city = last] = /^(\d[\d-]{3,8}(?: [A-Z]{2})?) (.+)$/.exec(last) ?? []
  return { street: parts.slice(0, -1).join(', '), zone, city }
}
