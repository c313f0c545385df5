import type { Model } from '../model.js'
import { itemTable, page, sumRows, text } from './table.js'

/** A business letter: window with the sender in small print, facts at the right, footer with the sender's data. */
export function letter(model: Model): string {
  const { random, truth, word, day, supplier, customer, kind } = model
  const font = random.pick(['Liberation Sans', 'Carlito', 'DejaVu Serif', 'Liberation Serif'])
  const size = random.pick([9.5, 10, 10.5])
  const separator = random.pick([' · ', ' • ', ', ', ' | ', ' - '])
  const facts: [string, string][] = [
    [word('number'), truth.invoice_number],
    ...(random.next() < 0.6 ? ([[word('account'), String(random.whole(10_000, 99_999))]] as [string, string][]) : []),
    [word('date'), day(truth.date)],
    ...(truth.due_date === null ? [] : ([[word('due'), day(truth.due_date)]] as [string, string][])),
    ...(random.next() < 0.3 ? ([[word('order'), `PO-${String(random.whole(100, 999))}`]] as [string, string][]) : []),
  ]
  const colon = random.next() < 0.6 ? ':' : ''
  const logo =
    random.next() < 0.5
      ? `<div style="font-size:20pt;font-weight:bold;text-align:${random.pick(['left', 'right'])}">${text(truth.supplier_name)}</div>`
      : '<div style="height:24pt"></div>'
  const window = [truth.customer_name ?? '', ...(customer.person === null ? [] : [customer.person]), customer.street, customer.town]
    .map(text)
    .join('<br>')
  const rules = random.pick([
    '',
    '.items th{border-bottom:1px solid #000}',
    '.items td,.items th{border:1px solid #999}',
    '.items tr:nth-child(even){background:#eee}',
  ])
  const sums = sumRows(model).map(
    ([label, value]) => `<tr><td style="padding-right:24pt">${text(label)}${colon}</td><td style="text-align:right">${value}</td></tr>`,
  )
  const footer = `${text(truth.supplier_name)}${separator}${text(supplier.street)}${separator}${text(supplier.town)}<br>${text(supplier.phone)} &nbsp; ${supplier.mail} &nbsp; ${text(supplier.vat)}<br>${supplier.iban}`
  const title = kind === 'credit' ? word('credit') : word('title')
  return page(
    `<div style="padding:15mm 20mm 5mm 25mm">${logo}
<div style="margin-top:16mm;font-size:7pt">${text(truth.supplier_name)}${separator}${text(supplier.street)}${separator}${text(supplier.town)}</div>
<div style="display:flex;justify-content:space-between"><div style="margin-top:3mm">${window}</div>
<table>${facts.map(([label, value]) => `<tr><td style="padding-right:10pt">${text(label)}${colon}</td><td>${text(value)}</td></tr>`).join('')}</table></div>
<h2 style="margin-top:18mm">${text(title)}${random.next() < 0.2 ? ` ${text(truth.invoice_number)}` : ''}</h2>
${itemTable(model, { css: 'width:100%', order: 'usual' })}
<table style="margin:8pt 0 0 auto;break-inside:avoid">${sums.join('')}</table>
<p>${text(word('thanks'))}</p></div>
<div class="foot" style="margin:14mm 20mm 0 25mm;font-size:7.5pt;border-top:1px solid #888;padding-top:3pt">${footer}</div>`,
    `body{font:${String(size)}pt '${font}'}.items td,.items th{padding:3pt 4pt;vertical-align:top}${rules}`,
  )
}
