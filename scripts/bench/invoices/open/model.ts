import { random as randomOf, type Random } from '../random.js'
import type { InvoiceTruth } from '../types.js'
import { WORDING, type Language, type Wording } from './wording.js'

/** What an invoice says, with the values that are always printed. */
type Truth = Omit<InvoiceTruth, 'line_items'> & {
  readonly invoice_number: string
  readonly date: string
  readonly supplier_name: string
  readonly currency: string
  readonly total_amount: number
  readonly line_items: readonly Line[]
}
type Line = InvoiceTruth['line_items'][number] & { readonly description: string; readonly total_amount: number }

/** All that a design needs to print an invoice. */
export interface Model {
  readonly random: Random
  readonly language: Language
  readonly word: (key: keyof Wording) => string
  readonly money: (value: number) => string
  readonly bare: (value: number) => string
  readonly count: (value: number) => string
  readonly percent: (value: number) => string
  readonly day: (iso: string) => string
  readonly truth: Truth
  readonly kind: 'invoice' | 'credit'
  readonly shares: readonly { rate: number; base: number; amount: number }[]
  readonly discount: number
  readonly paid: number
  readonly units: readonly string[]
  readonly wraps: readonly (string | null)[]
  readonly columns: { readonly position: boolean; readonly rate: boolean; readonly unit: boolean }
  readonly supplier: {
    readonly street: string
    readonly town: string
    readonly country: string | null
    readonly mail: string
    readonly vat: string
    readonly phone: string
    readonly iban: string
  }
  readonly customer: { readonly street: string; readonly town: string; readonly person: string | null }
}

const round = (value: number): number => Math.round(value * 100 + Number.EPSILON) / 100

export function modelOf(seed: number, language: Language, { lines: most = 7, receipt = false } = {}): Model {
  const random = randomOf(seed)
  const wording = WORDING[language]
  const chosen = new Map<keyof Wording, string>()
  const word = (key: keyof Wording): string => {
    const known = chosen.get(key) ?? random.pick(String(wording[key]).split('|'))
    chosen.set(key, known)
    return known
  }
  const [name, customerName] = random.several(wording.companies.split('|'), 2) as [string, string]
  const [street, customerStreet] = random.several(wording.streets.split('|'), 2) as [string, string]
  const [town, customerTown] = random.several(wording.towns.split('|'), 2) as [string, string]
  const several = random.next() < 0.35
  const format = formats(random, wording)
  const goods = random.several(wording.goods.split('|'), random.whole(1, Math.min(most, wording.goods.split('|').length)))
  while (goods.length < most && most > 8) goods.push(`${random.pick(wording.goods.split('|'))} ${String(goods.length + 1)}`)
  const columns = { position: random.next() < 0.5, rate: several || random.next() < 0.3, unit: random.next() < 0.3 }
  const mainRate = wording.rates[0] ?? 0
  const wraps = goods.map(() => (random.next() < 0.3 && !receipt ? random.pick(wording.more.split('|')) : null))
  const line_items = goods.map((description, at) => {
    const quantity = random.next() < 0.2 ? random.whole(2, 30) / 4 : random.whole(1, 12)
    const unit_price = random.next() < 0.15 ? random.whole(1_000, 2_400) + 0.5 : random.whole(150, receipt ? 2_000 : 45_000) / 100
    const rate = several ? random.pick(wording.rates) : mainRate
    const wrap = wraps[at] ?? null
    return {
      description: wrap === null ? description : `${description} ${wrap}`,
      quantity: receipt ? Math.ceil(quantity) : quantity,
      unit_price,
      total_amount: round((receipt ? Math.ceil(quantity) : quantity) * unit_price),
      tax_rate: rate,
    }
  })
  const lineTotal = round(line_items.reduce((sum, { total_amount }) => sum + total_amount, 0))
  const discount = !several && !receipt && random.next() < 0.2 ? round(lineTotal * random.pick([0.05, 0.1, 0.03])) : 0
  const rates = [...new Set(line_items.map(({ tax_rate }) => tax_rate))].sort((one, two) => two - one)
  const shares = rates.map((rate) => {
    const own = round(
      line_items.filter(({ tax_rate }) => tax_rate === rate).reduce((sum, { total_amount }) => sum + total_amount, 0) -
        (rates.length === 1 ? discount : 0),
    )
    const base = receipt ? round(own / (1 + rate / 100)) : own
    return { rate, base, amount: receipt ? round(own - base) : round((base * rate) / 100) }
  })
  const tax = round(shares.reduce((sum, { amount }) => sum + amount, 0))
  const total = receipt ? lineTotal : round(lineTotal - discount + tax)
  const date = new Date(Date.UTC(2026, random.whole(0, 11), random.whole(1, 28)))
  const isoOf = (days: number): string => new Date(date.getTime() + days * 86_400_000).toISOString().slice(0, 10)
  const kind = !receipt && random.next() < 0.1 ? 'credit' : 'invoice'
  const paid = kind === 'invoice' && !receipt && random.next() < 0.2 ? round(total * 0.3) : 0
  const hasDue = !receipt && kind === 'invoice' && random.next() < 0.75
  const number = random.pick([
    `${random.whole(2024, 2026)}-${random.whole(100, 9999)}`,
    `RE-${random.whole(10_000, 99_999)}`,
    `INV${random.whole(1000, 9999)}`,
    `${random.whole(100_000, 999_999)}`,
    `F${random.whole(20, 26)}/${random.whole(10, 999)}`,
    `${random.whole(10, 99)}/${random.whole(2025, 2026)}`,
    `FT 2026/${random.whole(10, 999)}`,
  ])
  return {
    random,
    language,
    word,
    ...format,
    kind,
    shares,
    discount,
    paid,
    wraps,
    columns,
    units: goods.map(() => random.pick(wording.units.split('|'))),
    truth: {
      invoice_number: number,
      date: isoOf(0),
      due_date: hasDue ? isoOf(random.pick([7, 14, 30])) : null,
      supplier_name: name,
      supplier_address: `${street}, ${town}`,
      customer_name: receipt ? null : customerName,
      currency: wording.currency,
      subtotal: round(total - tax),
      total_tax: tax,
      total_amount: total,
      line_items: line_items.map((line) => ({
        ...line,
        ...(receipt && line.quantity === 1 ? { quantity: null, unit_price: null } : {}),
        tax_rate: rates.length === 1 || (columns.rate && !receipt) ? line.tax_rate : null,
      })),
    },
    supplier: {
      street,
      town,
      country: null,
      mail: `office@${name
        .toLowerCase()
        .replace(/[^a-z]+/g, '')
        .slice(0, 12)}.example`,
      vat: wording.vatId,
      phone: wording.phone,
      iban: 'IBAN DE12 5001 0517 0648 4898 90',
    },
    customer: { street: customerStreet, town: customerTown, person: random.next() < 0.3 ? random.pick(wording.people.split('|')) : null },
  }
}

function formats(
  random: Random,
  { numbers, dates, months, currency }: Wording,
): Pick<Model, 'money' | 'bare' | 'count' | 'percent' | 'day'> {
  const [group, point] = [numbers[0] ?? ',', numbers[1] ?? '.']
  const grouped = random.next() < 0.85
  const fixed = (value: number, digits: number): string => {
    const [whole = '', rest = ''] = Math.abs(value).toFixed(digits).split('.')
    const parts = grouped ? whole.replace(/\B(?=(\d{3})+(?!\d))/g, group === ' ' ? '\u00a0' : group) : whole
    return `${value < 0 ? '-' : ''}${parts}${digits > 0 ? point + rest : ''}`
  }
  const sign = { EUR: '€', GBP: '£', USD: '$', PLN: 'zł', CHF: 'CHF' }[currency] ?? currency
  const before = currency === 'GBP' || currency === 'USD' || currency === 'CHF' || (currency === 'EUR' && random.next() < 0.3)
  const style = random.pick(['sign', 'sign', 'code', 'none'])
  const bare = (value: number): string => fixed(value, 2)
  const format = random.pick(dates.split('|'))
  const names = months.split(' ')
  return {
    bare,
    money: (value) => {
      const mark = style === 'code' ? currency : sign
      return before ? `${mark}${mark.length > 1 ? ' ' : ''}${bare(value)}` : `${bare(value)} ${mark}`
    },
    count: (value) =>
      Number.isInteger(value) ? (random.next() < 0.1 ? fixed(value, 2) : String(value)) : fixed(value, 2).replace(/0$/, ''),
    percent: (value) => (Number.isInteger(value) ? String(value) : String(value).replace('.', point)),
    day: (iso) => {
      const [year = '', month = '', day = ''] = iso.split('-')
      const long = names[Number(month) - 1] ?? ''
      return format
        .replace('YYYY', year)
        .replace('YY', year.slice(2))
        .replace('MMMM', '@')
        .replace('MMM', '&')
        .replace('DD', day)
        .replace('MM', month)
        .replace(/D(?!e)/, String(Number(day)))
        .replace(/M(?=[/.-])/, String(Number(month)))
        .replace('@', long)
        .replace('&', long.slice(0, 3))
    },
  }
}
