import type { Model } from '../model.js'
import { page, sumRows, text } from './table.js'

/** A form as accounting programs print it: a tall frame with rules between the columns alone, headings in capitals, sums in the foot of the frame. */
export function frame(model: Model): string {
  const { random, truth, word, day, supplier, customer, kind, bare, percent } = model
  const font = random.pick(['Liberation Sans', 'Liberation Sans Narrow', 'DejaVu Sans', 'Carlito'])
  const [back, front] = random.pick([
    ['#2b4a6f', '#fff'],
    ['#444', '#fff'],
    ['#e4e4e4', '#000'],
    ['#fff', '#000'],
  ])
  const rule = random.pick(['#000', '#888', back === '#fff' ? '#000' : back])
  const rows = random.pick(['', 'border-bottom:1px solid #bbb;', `border-bottom:1px solid ${rule};`])
  const capitals = random.next() < 0.5 ? 'text-transform:uppercase;letter-spacing:.5pt;' : ''
  const head = ['position', 'description', 'quantity', 'price', ...(model.columns.rate ? ['rate' as const] : []), 'amount'] as const
  const cells = (at: number): Readonly<Record<(typeof head)[number], string>> => {
    const line = truth.line_items[at]
    return {
      position: random.next() < 0.5 ? String(at + 1) : `0${String(at + 1)}`,
      description: text(line?.description ?? ''),
      quantity: model.count(line?.quantity ?? 0),
      price: bare(line?.unit_price ?? 0),
      rate: `${percent(line?.tax_rate ?? 0)} %`,
      amount: bare(line?.total_amount ?? 0),
    }
  }
  const lines = truth.line_items.map((_, at) => {
    const own = cells(at)
    return `<tr>${head.map((name) => `<td class="${name}">${own[name]}</td>`).join('')}</tr>`
  })
  const space = `<tr>${head.map(() => `<td style="height:${String(random.whole(10, 60))}mm"></td>`).join('')}</tr>`
  const sums = sumRows(model).map(
    ([label, value]) =>
      `<tr><td colspan="${String(head.length - 1)}" class="label">${text(label)}</td><td class="amount">${value}</td></tr>`,
  )
  const facts: [string, string][] = [
    [word('number'), truth.invoice_number],
    [word('date'), day(truth.date)],
    ...(truth.due_date === null ? [] : ([[word('due'), day(truth.due_date)]] as [string, string][])),
  ]
  const sender = `<b style="font-size:14pt">${text(truth.supplier_name)}</b><br>${text(supplier.street)}<br>${text(supplier.town)}<br>${text(supplier.vat)}`
  const receiver = `<small>${text(word('customer'))}</small><br><b>${text(truth.customer_name ?? '')}</b><br>${text(customer.street)}<br>${text(customer.town)}`
  return page(
    `<div style="padding:12mm 15mm"><div style="display:flex;justify-content:space-between"><div>${sender}</div><div class="box">${receiver}</div></div>
<h2>${text(kind === 'credit' ? word('credit') : word('title'))}</h2>
<table class="facts">${facts.map(([label, value]) => `<tr><th>${text(label)}</th><td>${text(value)}</td></tr>`).join('')}</table>
<table class="items"><thead><tr>${head.map((name) => `<th class="${name}">${text(word(name))}</th>`).join('')}</tr></thead><tbody>${lines.join('')}${random.next() < 0.6 ? space : ''}</tbody><tfoot style="display:table-row-group">${sums.join('')}</tfoot></table>
<p><small>${text(word('thanks'))} ${supplier.iban}</small></p></div>`,
    `body{font:${random.pick(['8.5', '9', '10'])}pt '${font}'}.box{border:1px solid ${rule};padding:6pt;width:45%}.facts th{background:${back};color:${front};text-align:left;padding:2pt 6pt}.facts td{border:1px solid ${rule};padding:2pt 6pt}
.items{width:100%;margin-top:6mm;border:1px solid ${rule}}.items td,.items th{border-left:1px solid ${rule};padding:3pt 5pt;vertical-align:top}.items td{${rows}}.items thead th{background:${back};color:${front};border-bottom:1px solid ${rule};${capitals}}
.items tfoot td{border:1px solid ${rule}}.quantity,.price,.rate,.amount,.label{text-align:right}.position{text-align:center;width:8%}.description{text-align:left;width:44%}`,
  )
}
