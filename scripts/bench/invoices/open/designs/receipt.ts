import type { Model } from '../model.js'
import { page, text } from './table.js'

/** A till receipt: narrow, without a customer and without headings. */
export function receipt(model: Model): string {
  const { random, truth, word, day, supplier, shares, bare, language } = model
  const rows = truth.line_items.map(({ description, quantity, unit_price, total_amount }) => {
    const times = `${String(quantity)} x ${bare(unit_price ?? 0)}`
    return quantity === null
      ? `<tr><td>${text(description)}</td><td>${bare(total_amount)}</td></tr>`
      : random.next() < 0.5
        ? `<tr><td>${text(description)}</td><td></td></tr><tr><td>&nbsp;&nbsp;${times}</td><td>${bare(total_amount)}</td></tr>`
        : `<tr><td>${String(quantity)} x ${text(description)} &nbsp; ${bare(unit_price ?? 0)}</td><td>${bare(total_amount)}</td></tr>`
  })
  const total = {
    de: 'SUMME',
    ch: 'TOTAL',
    en: 'TOTAL',
    us: 'TOTAL',
    fr: 'TOTAL TTC',
    es: 'TOTAL',
    it: 'TOTALE COMPLESSIVO',
    nl: 'TOTAAL',
    pt: 'TOTAL',
    pl: 'SUMA PLN',
  }[language]
  const label = {
    de: 'Bon-Nr.',
    ch: 'Beleg-Nr.',
    en: 'Receipt No.',
    us: 'Receipt #',
    fr: 'Ticket n°',
    es: 'Ticket nº',
    it: 'Documento n.',
    nl: 'Bonnr.',
    pt: 'Fatura simplificada n.º',
    pl: 'Paragon nr',
  }[language]
  const font = random.pick(['Liberation Mono', 'DejaVu Sans Mono', 'Liberation Sans Narrow'])
  return page(
    `<div style="width:74mm;padding:6mm"><div style="text-align:center"><b>${text(truth.supplier_name)}</b><br>${text(supplier.street)}<br>${text(supplier.town)}<br>${text(supplier.phone)}<br>${text(supplier.vat)}</div>
<p>${text(label)} ${text(truth.invoice_number)}<br>${day(truth.date)} 14:32</p>
<table style="width:100%">${rows.join('')}<tr><td style="padding-top:6pt"><b>${total} ${truth.currency === 'PLN' ? '' : truth.currency}</b></td><td style="padding-top:6pt"><b>${bare(truth.total_amount)}</b></td></tr></table>
<p>${shares
      .map(
        ({ rate, amount }) =>
          `${text(
            word('tax')
              .replace('{r}', model.percent(rate))
              .replace(/zzgl\. |plus /, ''),
          )} ${bare(amount)}`,
      )
      .join('<br>')}</p></div>`,
    `body{font:9pt '${font}'}td{vertical-align:top}td:last-child{text-align:right;white-space:nowrap}`,
  )
}
