import type { InvoiceTruth } from '../types.js'

/** One printed row of the sums; amounts in the smallest unit of the currency. */
export type SumRow =
  /** What the rows so far add up to before tax. */
  | readonly ['net', label: string]
  /** A percentage off what the rows so far add up to. */
  | readonly ['off', label: string, percent: number]
  /** A charge (or, negative, a deduction) before tax. */
  | readonly ['charge', label: string, amount: number]
  /** Tax by a rate on `base`, or on the whole amount before tax. */
  | readonly ['tax', label: string, rate: number, base?: number]
  /** Tax that the total above contains already. */
  | readonly ['included', label: string, rate: number]
  /** What bears no tax, such as a tip or a deposit for bottles; negative when withheld. */
  | readonly ['untaxed', label: string, amount: number]
  /** Rounding to whole units of the currency. */
  | readonly ['round', label: string]
  | readonly ['total', label: string]
  /** Paid before. */
  | readonly ['paid', label: string, amount: number]
  | readonly ['due', label: string]

export interface Line {
  readonly text: string
  readonly quantity: number
  readonly price: number
}

export interface Printed {
  readonly label: string
  readonly amount: number
  readonly strong: boolean
}

/** The printed rows, and the amounts that are right: those printed under the labels of subtotal, tax and total. */
export function added(lines: readonly Line[], rows: readonly SumRow[]): { rows: Printed[]; truth: Amounts } {
  let net = lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0)
  let [tax, after, paid] = [0, 0, 0]
  let subtotal: number | null = null
  let [hasTax, isIncluded] = [false, false]
  let total: number | null = null
  const printed = rows.map((row): Printed => {
    const show = (amount: number, strong = false): Printed => ({ label: row[1], amount, strong })
    switch (row[0]) {
      case 'net':
        if (!hasTax) subtotal = net
        return show(net)
      case 'off': {
        const off = Math.round((net * row[2]) / 100)
        net -= off
        return show(-off)
      }
      case 'charge':
        net += row[2]
        return show(row[2])
      case 'tax': {
        const own = Math.round(((row[3] ?? net) * row[2]) / 100)
        hasTax = true
        tax += own
        return show(own)
      }
      case 'included': {
        const own = net - Math.round(net / (1 + row[2] / 100))
        ;[hasTax, isIncluded] = [true, true]
        tax += own
        return show(own)
      }
      case 'untaxed':
        after += row[2]
        return show(row[2])
      case 'round': {
        const whole = net + tax + after
        const rounded = Math.round(whole / 100) * 100
        after += rounded - whole
        return show(rounded - whole)
      }
      case 'total':
        total = net + (isIncluded ? 0 : tax) + after
        return show(total, true)
      case 'paid':
        paid += row[2]
        return show(-row[2])
      case 'due':
        return show((total ?? 0) - paid, true)
    }
  })
  if (total === null) throw new Error('A paper without a total.')
  // Where the total contains the tax, what is left without it is the subtotal by definition.
  if (isIncluded) subtotal = total - tax
  return { rows: printed, truth: { subtotal, total_tax: hasTax ? tax : null, total_amount: total } }
}

type Amounts = Pick<InvoiceTruth, 'subtotal' | 'total_tax' | 'total_amount'>
