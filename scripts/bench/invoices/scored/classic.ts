import type { InvoiceSet, MadeInvoice } from '../types.js'
import { amount, percent, plain, printedDate, type Locale } from './locale.js'
import { escaped, page, row } from './markup.js'
import { plan, truthOf, type Plan, type Wish } from './plan.js'
import { wording } from './wording.js'

const base: Omit<Locale, 'language' | 'date' | 'rates'> = {
  currency: 'EUR',
  sign: '€',
  signFirst: false,
  decimals: 2,
  decimal: ',',
  group: '.',
}
const english: Locale = {
  ...base,
  language: 'en',
  currency: 'GBP',
  sign: '£',
  signFirst: true,
  decimal: '.',
  group: ',',
  date: 'words',
  rates: [20, 5, 0],
}

const WISHES: readonly Wish[] = [
  { seed: 101, country: 'en', locale: english, lines: 5, discount: 5 },
  { seed: 102, country: 'de', locale: { ...base, language: 'de', date: 'd.m.y', rates: [19, 7] }, lines: 6, mixed: true },
  { seed: 103, country: 'fr', locale: { ...base, language: 'fr', group: ' ', date: 'd/m/y', rates: [20, 5.5] }, lines: 4, prepaid: 30 },
  { seed: 104, country: 'es', locale: { ...base, language: 'es', date: 'd/m/y', rates: [21, 10] }, lines: 5, mixed: true },
  { seed: 105, country: 'it', locale: { ...base, language: 'it', date: 'words', rates: [22, 10] }, lines: 3, noDue: true },
  { seed: 106, country: 'nl', locale: { ...base, language: 'nl', date: 'd-m-y', rates: [21, 9] }, lines: 7, discount: 10 },
  { seed: 107, country: 'pt', locale: { ...base, language: 'pt', group: ' ', date: 'y-m-d', rates: [23, 6] }, lines: 4 },
  {
    seed: 108,
    country: 'pl',
    locale: { ...base, language: 'pl', currency: 'PLN', sign: 'zł', group: ' ', date: 'd.m.y', rates: [23, 8] },
    lines: 5,
    mixed: true,
  },
  {
    seed: 109,
    country: 'de',
    locale: { ...base, language: 'de', date: 'd.m.y', rates: [19] },
    lines: 3,
    credit: 'printed-positive',
    noDue: true,
  },
  { seed: 110, country: 'en', locale: english, lines: 44, mixed: true },
]

/** Sender at the top, a table of facts at the right, a ruled table of lines, totals at its right. */
export const classic: InvoiceSet = {
  name: 'scored/classic',
  invoices: () =>
    WISHES.map((wish, index): MadeInvoice => {
      const made = plan(wish)
      const { language } = wish.locale
      return { id: `${language}-${String(index + 1)}`, language, html: html(made), truth: truthOf(made, { rate: true, customer: true }) }
    }),
}

const STYLE = `
  @page { size: A4; margin: 18mm 16mm 20mm }
  body { font: 10pt 'Liberation Sans', sans-serif; color: #111; margin: 0 }
  h1 { font-size: 18pt; margin: 8mm 0 4mm }
  .seller { font-size: 12pt; font-weight: bold }
  .head { display: flex; justify-content: space-between }
  .facts td:first-child { padding-right: 6mm; color: #333 } .facts td { padding: 0.4mm 0 }
  table.lines { width: 100%; border-collapse: collapse; margin-top: 6mm }
  .lines th { border-bottom: 1pt solid #000; text-align: left; padding: 1.2mm 1mm } .lines td { border-bottom: 0.3pt solid #999; padding: 1.2mm 1mm; vertical-align: top }
  .lines th:nth-child(n+4), .lines td:nth-child(n+4) { text-align: right } .lines small { color: #444 }
  .lines tr { break-inside: avoid }
  .totals { margin: 4mm 0 0 auto; border-collapse: collapse; break-inside: avoid } .totals td { padding: 0.8mm 1mm; text-align: right } .totals td:first-child { padding-right: 10mm; text-align: left }
  .totals .grand td { border-top: 1pt solid #000; font-weight: bold }
  footer { margin-top: 12mm; font-size: 8pt; color: #555; border-top: 0.3pt solid #999; padding-top: 2mm }`

function html(made: Plan): string {
  const { locale, seller, buyer, wish } = made
  const words = wording(locale.language, 0)
  const credit = wish.credit !== undefined
  const fact = (label: string, value: string) => row([`${label}:`, escaped(value)])
  const line = (item: Plan['lines'][number], index: number) =>
    row([
      String(index + 1),
      escaped(item.article),
      `${escaped(item.first)}${item.second === '' ? '' : `<br><small>${escaped(item.second)}</small>`}`,
      plain(item.quantity, Number.isInteger(item.quantity) ? 0 : 2, locale),
      amount(item.unit, locale),
      percent(item.rate, locale),
      amount(item.total, locale),
    ])
  const grand = (label: string, value: number, strong = false) =>
    `<tr${strong ? ' class="grand"' : ''}><td>${label}</td><td>${amount(value, locale, true)}</td></tr>`
  return page(
    locale.language,
    STYLE,
    `<div class="seller">${escaped(seller.name)}</div><div>${seller.address.map(escaped).join('<br>')}</div>
    <h1>${credit ? words.credit : words.invoice}</h1>
    <div class="head"><div><b>${words.to}</b><br>${[buyer.name, ...buyer.address].map(escaped).join('<br>')}</div>
    <table class="facts">${fact(words.number, made.number)}${fact(words.date, printedDate(made.date, locale))}
    ${wish.noDue ? '' : fact(words.due, printedDate(made.due, locale))}${fact(words.order, made.order)}${fact(words.account, made.account)}
    ${fact(words.delivered, printedDate(made.delivered, locale))}</table></div>
    <table class="lines"><thead>${row(['#', 'Art.', words.description, words.quantity, words.unit, words.rate, words.amount], 'th')}</thead>
    <tbody>${made.lines.map(line).join('')}</tbody></table>
    <table class="totals">${grand(words.subtotal, made.sum)}
    ${made.discount === 0 ? '' : `${grand(`${words.discount} ${percent(wish.discount ?? 0, locale)}`, -made.discount)}${grand(words.net, made.net)}`}
    ${made.taxes.map(({ rate, tax }) => grand(`${words.tax} ${percent(rate, locale)}`, tax)).join('')}
    ${grand(words.total, made.total, true)}
    ${made.prepaid === 0 ? '' : `${grand(words.prepaid, -made.prepaid)}${grand(words.balance, made.total - made.prepaid, true)}`}</table>
    <footer>${words.thanks} ${escaped(seller.name)} · ${escaped(seller.tax)} · IBAN XX00 0000 0000 0000 0000 00</footer>`,
  )
}
