import type { Model } from '../model.js'
import { itemTable, page, sumRows, text } from './table.js'

/** A form of boxes: labels above their values, parties side by side, the amounts in a row or a box. */
export function boxes(model: Model): string {
  const { random, truth, word, day, supplier, customer, kind } = model
  const font = random.pick(['DejaVu Sans', 'Liberation Sans', 'Carlito', 'Nimbus Sans'])
  const colour = random.pick(['#224', '#063', '#733', '#000'])
  const title = kind === 'credit' ? word('credit') : word('title')
  const facts: [string, string][] = [
    [word('number'), truth.invoice_number],
    [word('date'), day(truth.date)],
    ...(truth.due_date === null ? [] : ([[word('due'), day(truth.due_date)]] as [string, string][])),
    ...(random.next() < 0.4 ? ([[word('account'), `K-${String(random.whole(1000, 9999))}`]] as [string, string][]) : []),
  ]
  const sender = `<b style="font-size:${random.pick(['11', '13', '16'])}pt">${text(truth.supplier_name)}</b><br>${text(supplier.street)}<br>${text(supplier.town)}<br>${text(supplier.phone)}<br>${supplier.mail}<br>${text(supplier.vat)}`
  const receiver = `<b>${text(word('customer'))}${random.next() < 0.5 ? ':' : ''}</b><br>${text(truth.customer_name ?? '')}<br>${customer.person === null ? '' : `${text(customer.person)}<br>`}${text(customer.street)}<br>${text(customer.town)}`
  const right = random.next() < 0.5
  const sums = sumRows(model)
  const inRow = random.next() < 0.35
  const block = inRow
    ? `<table style="width:100%;margin-top:12pt;border:1px solid ${colour}"><tr>${sums.map(([label]) => `<th style="text-align:right;padding:3pt">${text(label)}</th>`).join('')}</tr><tr>${sums.map(([, value]) => `<td style="text-align:right;padding:3pt">${value}</td>`).join('')}</tr></table>`
    : `<table style="margin:12pt 0 0 auto;border:1px solid ${colour};width:45%">${sums.map(([label, value]) => `<tr><td style="padding:3pt 6pt">${text(label)}</td><td style="text-align:right;padding:3pt 6pt">${value}</td></tr>`).join('')}</table>`
  return page(
    `<div style="padding:14mm">
<div style="display:flex;justify-content:space-between;flex-direction:${right ? 'row-reverse' : 'row'}"><div style="${right ? 'text-align:right' : ''}">${sender}</div><h1 style="color:${colour}">${text(title)}</h1></div>
<div style="display:flex;gap:10mm;margin-top:10mm"><div style="flex:1">${receiver}</div></div>
<table style="width:100%;margin-top:8mm;border:1px solid ${colour}"><tr>${facts.map(([label]) => `<th style="text-align:left;padding:3pt;font-size:8pt">${text(label)}</th>`).join('')}</tr><tr>${facts.map(([, value]) => `<td style="padding:3pt">${text(value)}</td>`).join('')}</tr></table>
<div style="margin-top:8mm">${itemTable(model, { css: 'width:100%', order: random.pick(['usual', 'quantityFirst'] as const) })}</div>
${block}<p style="font-size:8pt;margin-top:10mm">${text(word('thanks'))}<br>${supplier.iban}</p></div>`,
    `body{font:9.5pt '${font}'}.items th{background:${colour};color:#fff;padding:4pt}.items td{padding:4pt;vertical-align:top;border-bottom:1px solid #ddd}`,
  )
}
