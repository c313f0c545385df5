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

const WISHES: readonly Wish[] = [
  {
    seed: 301,
    country: 'en',
    locale: { ...base, language: 'en', currency: 'GBP', sign: 'GBP', decimal: '.', group: ',', date: 'd/m/y', rates: [20, 5] },
    lines: 5,
    mixed: true,
    gross: true,
    noDue: true,
    noCustomer: true,
  },
  {
    seed: 302,
    country: 'de',
    locale: { ...base, language: 'de', date: 'd.m.y', rates: [19, 7] },
    lines: 6,
    mixed: true,
    gross: true,
    noDue: true,
    noCustomer: true,
  },
  { seed: 303, country: 'fr', locale: { ...base, language: 'fr', group: ' ', date: 'd/m/y', rates: [20, 10, 5.5] }, lines: 7, mixed: true },
  { seed: 304, country: 'es', locale: { ...base, language: 'es', date: 'd-m-y', rates: [21, 10, 4] }, lines: 5, mixed: true },
  {
    seed: 305,
    country: 'it',
    locale: { ...base, language: 'it', sign: '€', date: 'd.m.y', rates: [22, 4] },
    lines: 6,
    mixed: true,
    prepaid: 40,
  },
  {
    seed: 306,
    country: 'nl',
    locale: { ...base, language: 'nl', date: 'd-m-y', rates: [21, 9] },
    lines: 4,
    mixed: true,
    gross: true,
    noDue: true,
    noCustomer: true,
  },
  {
    seed: 307,
    country: 'br',
    locale: { ...base, language: 'pt', currency: 'BRL', sign: 'R$', signFirst: true, date: 'd/m/y', rates: [18] },
    lines: 5,
  },
  {
    seed: 308,
    country: 'jp',
    locale: { ...base, language: 'en', currency: 'JPY', sign: 'JPY', decimals: 0, group: ',', date: 'y-m-d', rates: [10] },
    lines: 5,
  },
]

/** A narrow slip in a typewriter face: quantity before the article, totals across, and the tax by rate in a table below. */
export const slip: InvoiceSet = {
  name: 'scored/slip',
  invoices: () =>
    WISHES.map((wish, index): MadeInvoice => {
      const made = plan(wish)
      const { language } = wish.locale
      return { id: `${language}-${String(index + 1)}`, language, html: html(made), truth: truthOf(made, { rate: true, customer: true }) }
    }),
}

const STYLE = `
  @page { size: 110mm 260mm; margin: 7mm 6mm }
  body { font: 8.5pt 'Liberation Mono', monospace; margin: 0 } .middle { text-align: center } .big { font-size: 12pt; font-weight: bold }
  hr { border: 0; border-top: 0.6pt dashed #000; margin: 2mm 0 } table { width: 100%; border-collapse: collapse } td, th { padding: 0.5mm 0.6mm; text-align: right; vertical-align: top; font-weight: normal }
  .lines td:nth-child(2), .lines th:nth-child(2) { text-align: left; width: 42% } .lines td:first-child, .lines th:first-child { text-align: left } .sums td:first-child { text-align: left }
  .grand td { font-size: 11pt; font-weight: bold }`

function html(made: Plan): string {
  const { locale, seller, buyer, wish } = made
  const words = wording(locale.language, 2)
  const sum = (label: string, value: number, strong = false) =>
    `<tr${strong ? ' class="grand"' : ''}><td>${label}</td><td>${amount(value, locale, strong)}</td></tr>`
  const line = (item: Plan['lines'][number]) =>
    row([
      plain(item.quantity, Number.isInteger(item.quantity) ? 0 : 2, locale),
      escaped([item.first, item.second].filter((part) => part !== '').join(' ')),
      amount(item.unit, locale),
      amount(item.total, locale),
      percent(item.rate, locale),
    ])
  const byRate = ({ rate, base: net, tax }: Plan['taxes'][number]) =>
    row([percent(rate, locale), amount(net, locale), amount(tax, locale), amount(net + tax, locale)])
  return page(
    locale.language,
    STYLE,
    `<div class="middle"><div class="big">${escaped(seller.name)}</div>${seller.address.map(escaped).join('<br>')}<br>${escaped(seller.tax)}</div><hr>
    <div>${wish.credit === undefined ? words.invoice : words.credit} ${words.number} ${escaped(made.number)}</div>
    <div>${words.date} ${printedDate(made.date, locale)}${wish.noDue ? '' : ` &nbsp; ${words.due} ${printedDate(made.due, locale)}`}</div>
    ${wish.noCustomer ? '' : `<div>${words.to}: ${escaped(buyer.name)}</div><div>${buyer.address.map(escaped).join(', ')}</div>`}<hr>
    <table class="lines"><thead>${row([words.quantity, words.description, words.unit, words.amount, words.rate], 'th')}</thead><tbody>${made.lines.map(line).join('')}</tbody></table><hr>
    <table class="sums">${wish.gross ? '' : `${sum(words.net, made.net)}${sum(words.tax, made.tax)}`}${sum(words.total, made.total, true)}
    ${made.prepaid === 0 ? '' : `${sum(words.prepaid, -made.prepaid)}${sum(words.balance, made.total - made.prepaid)}`}</table><hr>
    <table>${row(['%', words.net, words.tax, words.total], 'th')}${made.taxes.map(byRate).join('')}</table><hr><div class="middle">${words.thanks}</div>`,
  )
}
