import type { InvoiceSet, MadeInvoice } from '../types.js'
import { amount, percent, plain, printedDate, type Locale } from './locale.js'
import { escaped, page, row } from './markup.js'
import { plan, truthOf, type Plan, type Wish } from './plan.js'
import { wording } from './wording.js'

const base: Omit<Locale, 'language' | 'date' | 'rates'> = {
  currency: 'EUR',
  sign: 'EUR',
  signFirst: false,
  decimals: 2,
  decimal: ',',
  group: '.',
}
const dollar: Locale = {
  ...base,
  language: 'en',
  currency: 'USD',
  sign: '$',
  signFirst: true,
  decimal: '.',
  group: ',',
  date: 'm/d/y',
  rates: [8.25],
}

const WISHES: readonly Wish[] = [
  { seed: 201, country: 'us', locale: dollar, lines: 4 },
  { seed: 202, country: 'us', locale: { ...dollar, date: 'words-us' }, lines: 5, prepaid: 50, discount: 4 },
  { seed: 203, country: 'de', locale: { ...base, language: 'de', sign: '€', date: 'words', rates: [19] }, lines: 5 },
  {
    seed: 204,
    country: 'ch',
    locale: {
      ...base,
      language: 'de',
      currency: 'CHF',
      sign: 'CHF',
      signFirst: false,
      decimal: '.',
      group: "'",
      date: 'short-year',
      rates: [8.1],
    },
    lines: 6,
  },
  {
    seed: 205,
    country: 'fr',
    locale: { ...base, language: 'fr', sign: '€', group: '\u202f', date: 'words', rates: [20] },
    lines: 3,
    credit: 'printed-negative',
    noDue: true,
  },
  { seed: 206, country: 'es', locale: { ...base, language: 'es', date: 'words', rates: [21] }, lines: 4, discount: 12 },
  { seed: 207, country: 'it', locale: { ...base, language: 'it', sign: '€', date: 'd/m/y', rates: [22] }, lines: 30 },
  {
    seed: 208,
    country: 'nl',
    locale: { ...base, language: 'nl', sign: '€', signFirst: true, date: 'words', rates: [21] },
    lines: 4,
    prepaid: 25,
  },
  {
    seed: 209,
    country: 'pl',
    locale: { ...base, language: 'pl', currency: 'PLN', sign: 'PLN', group: ' ', date: 'y-m-d', rates: [23] },
    lines: 4,
  },
]

/** Two columns at the top with the buyer first, a coloured bar of facts, lines without rules, totals in a box. No rate in the lines. */
export const letterhead: InvoiceSet = {
  name: 'scored/letterhead',
  invoices: () =>
    WISHES.map((wish, index): MadeInvoice => {
      const made = plan(wish)
      const { language } = wish.locale
      return { id: `${language}-${String(index + 1)}`, language, html: html(made), truth: truthOf(made, { rate: false, customer: true }) }
    }),
}

const STYLE = `
  @page { size: A4; margin: 14mm 20mm }
  body { font: 9.5pt 'Carlito', sans-serif; color: #223; margin: 0 }
  .top { display: flex; justify-content: space-between; align-items: flex-start } .logo { font: bold 26pt 'Liberation Serif', serif; color: #1b5e7a }
  .parties { display: flex; gap: 20mm; margin: 9mm 0 6mm } .parties > div { flex: 1 } .label { text-transform: none; font-size: 8pt; color: #678 }
  .bar { display: flex; background: #1b5e7a; color: #fff; padding: 3mm 4mm; justify-content: space-between } .bar b { display: block; font-size: 11pt } .bar span { font-size: 8pt }
  table.lines { width: 100%; border-collapse: collapse; margin-top: 7mm } .lines th { color: #678; font-weight: normal; text-align: right; padding: 1mm }
  .lines td { text-align: right; padding: 2mm 1mm; vertical-align: top } .lines tr:nth-child(even) td { background: #f0f5f8 }
  .lines th:first-child, .lines td:first-child { text-align: left; width: 50% } .lines small { display: block; color: #567 } .lines tr { break-inside: avoid }
  .box { margin: 6mm 0 0 auto; width: 78mm; border: 0.6pt solid #1b5e7a; padding: 3mm; break-inside: avoid } .box div { display: flex; justify-content: space-between; padding: 0.8mm 0 }
  .box .grand { font-size: 13pt; font-weight: bold; color: #1b5e7a } .foot { margin-top: 14mm; font-size: 8pt; color: #678; columns: 2 }`

function html(made: Plan): string {
  const { locale, seller, buyer, wish } = made
  const words = wording(locale.language, 1)
  const title = wish.credit === undefined ? words.invoice : words.credit
  const cell = (label: string, value: string) => `<div><span>${label}</span><b>${escaped(value)}</b></div>`
  const sum = (label: string, value: number, strong = false) =>
    `<div${strong ? ' class="grand"' : ''}><span>${label}</span><span>${amount(value, locale, true)}</span></div>`
  const line = (item: Plan['lines'][number]) =>
    row([
      `${escaped(item.first)}${item.second === '' ? '' : `<small>${escaped(item.second)}</small>`}`,
      plain(item.quantity, Number.isInteger(item.quantity) ? 0 : 2, locale),
      amount(item.unit, locale),
      amount(item.total, locale),
    ])
  return page(
    locale.language,
    STYLE,
    `<div class="top"><div class="logo">${escaped(seller.name.split(' ')[0] ?? '')}</div><div>${title}</div></div>
    <div class="parties"><div><div class="label">${words.to}</div>${[buyer.name, ...buyer.address].map(escaped).join('<br>')}</div>
    <div><b>${escaped(seller.name)}</b><br>${seller.address.map(escaped).join('<br>')}<br>${escaped(seller.tax)}</div></div>
    <div class="bar">${cell(words.number, made.number)}${cell(words.date, printedDate(made.date, locale))}
    ${wish.noDue ? '' : cell(words.due, printedDate(made.due, locale))}${cell(words.account, made.account)}</div>
    <table class="lines"><thead>${row([words.description, words.quantity, words.unit, words.amount], 'th')}</thead><tbody>${made.lines.map(line).join('')}</tbody></table>
    <div class="box">${sum(words.subtotal, made.sum)}
    ${made.discount === 0 ? '' : `${sum(`${words.discount} (${percent(wish.discount ?? 0, locale)})`, -made.discount)}${sum(words.net, made.net)}`}
    ${made.taxes.map(({ rate, tax }) => sum(`${words.tax} (${percent(rate, locale)})`, tax)).join('')}${sum(words.total, made.total, true)}
    ${made.prepaid === 0 ? '' : `${sum(words.prepaid, -made.prepaid)}${sum(words.balance, made.total - made.prepaid)}`}</div>
    <div class="foot">${words.thanks}<br>${words.order}: ${escaped(made.order)}<br>${words.delivered}: ${printedDate(made.delivered, locale)}</div>`,
  )
}
