import { random, type Random } from '../random.js'
import type { InvoiceTruth } from '../types.js'
import type { Locale } from './locale.js'
import { buyers, goods, sellers, type Party } from './parties.js'

/** What one invoice shall be; the rest is drawn. */
export interface Wish {
  readonly seed: number
  readonly country: string
  readonly locale: Locale
  readonly lines: number
  /** Several rates, drawn by line; otherwise the first of the locale. */
  readonly mixed?: boolean
  /** Of the whole invoice, percent. Only with one rate. */
  readonly discount?: number
  /** Paid before, percent of the total. */
  readonly prepaid?: number
  readonly credit?: 'printed-positive' | 'printed-negative'
  /** Prices include tax, as on receipts. */
  readonly gross?: boolean
  /** Only a term is printed. */
  readonly noDue?: boolean
  readonly noCustomer?: boolean
}

interface PlannedLine {
  readonly article: string
  readonly first: string
  readonly second: string
  readonly quantity: number
  readonly unit: number
  readonly total: number
  readonly rate: number
}

/** All amounts in smallest units of the currency, as printed. */
export interface Plan {
  readonly wish: Wish
  readonly locale: Locale
  readonly seller: Party
  readonly buyer: Party
  readonly number: string
  readonly date: string
  readonly due: string
  readonly delivered: string
  readonly order: string
  readonly account: string
  readonly lines: readonly PlannedLine[]
  readonly sum: number
  readonly discount: number
  readonly net: number
  readonly taxes: readonly { readonly rate: number; readonly base: number; readonly tax: number }[]
  readonly tax: number
  readonly total: number
  readonly prepaid: number
}

export function plan(wish: Wish): Plan {
  const draw = random(wish.seed)
  const seller = draw.pick(sellers(wish.country))
  const buyer = draw.pick(buyers(wish.country))
  const day = draw.whole(1, 28)
  const month = draw.whole(1, 12)
  const year = draw.whole(2023, 2026)
  const date = iso(year, month, day)
  const sign = wish.credit === 'printed-negative' ? -1 : 1
  const lines = planLines(wish, draw, sign)
  const sum = total(lines.map((line) => line.total))
  const discount = wish.discount === undefined ? 0 : Math.round((sum * wish.discount) / 100)
  const taxes = [...new Set(lines.map(({ rate }) => rate))]
    .sort((one, other) => other - one)
    .map((rate) => {
      const base = total(lines.filter((line) => line.rate === rate).map((line) => line.total)) - discount
      const tax = wish.gross ? base - Math.round(base / (1 + rate / 100)) : Math.round((base * rate) / 100)
      return { rate, base: wish.gross ? base - tax : base, tax }
    })
  const net = total(taxes.map(({ base }) => base))
  const tax = total(taxes.map((one) => one.tax))
  return {
    wish,
    locale: wish.locale,
    seller,
    buyer,
    number: number(draw, year),
    date,
    due: after(date, draw.pick([7, 14, 21, 30])),
    delivered: after(date, -draw.whole(1, 9)),
    order: `${draw.pick(['PO', 'A', 'B-'])}${String(draw.whole(10_000, 99_999))}`,
    account: String(draw.whole(10_000, 79_999)),
    lines,
    sum,
    discount,
    net,
    taxes,
    tax,
    total: net + tax,
    prepaid: wish.prepaid === undefined ? 0 : Math.round(((net + tax) * wish.prepaid) / 100),
  }
}

/** `columns` says which of the columns that may lack this layout has. */
export function truthOf(made: Plan, columns: { rate: boolean; customer: boolean }): InvoiceTruth {
  const { wish, locale, seller } = made
  const unit = 10 ** locale.decimals
  const flip = wish.credit === 'printed-positive' ? -1 : 1
  const money = (minor: number) => minor / unit
  return {
    invoice_number: made.number,
    date: made.date,
    due_date: wish.noDue ? null : made.due,
    supplier_name: seller.name,
    supplier_address: seller.address.join(', '),
    customer_name: columns.customer && !wish.noCustomer ? made.buyer.name : null,
    currency: locale.currency,
    subtotal: money(made.net * flip),
    total_tax: money(made.tax * flip),
    total_amount: money(made.total * flip),
    line_items: made.lines.map((line) => ({
      description: [line.first, line.second].filter((part) => part !== '').join(' '),
      quantity: line.quantity * flip,
      unit_price: money(line.unit),
      total_amount: money(line.total * flip),
      tax_rate: columns.rate || made.taxes.length === 1 ? line.rate : null,
    })),
  }
}

function planLines(wish: Wish, draw: Random, sign: number): PlannedLine[] {
  const list = goods(wish.country)
  const picked = Array.from({ length: Math.ceil(wish.lines / list.length) }, () => draw.several(list, list.length)).flat()
  const [standard = 0] = wish.locale.rates
  return picked.slice(0, wish.lines).map((good) => {
    const quantity = (good.fractional ? draw.whole(2, 30) / 4 : draw.pick([1, 1, 2, 3, 4, 5, 8, 10, 12, 25, 40])) * sign
    const unit = Math.round(good.price * (1 + draw.whole(-10, 10) / 100))
    return {
      article: `${String.fromCharCode(65 + draw.whole(0, 25))}${String(draw.whole(100, 9_999))}`,
      first: good.first,
      second: good.second,
      quantity,
      unit,
      total: Math.round(quantity * unit),
      rate: wish.mixed ? draw.pick(wish.locale.rates) : standard,
    }
  })
}

function number(draw: Random, year: number): string {
  const count = draw.whole(7, 9_900)
  return draw.pick([
    `${String(year)}-${String(count).padStart(4, '0')}`,
    `RE${String(count).padStart(6, '0')}`,
    `${String(count)}/${String(year)}`,
    `F-${String(year).slice(2)}${String(count).padStart(5, '0')}`,
    String(100_000 + count),
  ])
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

const iso = (year: number, month: number, day: number): string =>
  `${String(year)}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

const after = (date: string, days: number): string => new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)
