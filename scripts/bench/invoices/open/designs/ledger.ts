import type { Model } from '../model.js'
import { page, text } from './table.js'

const WORDS = {
  en: ['Net', 'VAT amount', 'Gross', 'Rate', 'Net amount', 'Invoice', 'of', 'Seller', 'Buyer', 'All amounts in'],
  us: ['Net', 'Tax amount', 'Gross', 'Rate', 'Net amount', 'Invoice', 'dated', 'Seller', 'Buyer', 'All amounts in'],
  de: ['Netto', 'MwSt.-Betrag', 'Brutto', 'Satz', 'Nettobetrag', 'Rechnung', 'vom', 'Verkäufer', 'Käufer', 'Alle Beträge in'],
  ch: ['Netto', 'MWST-Betrag', 'Brutto', 'Satz', 'Nettobetrag', 'Rechnung', 'vom', 'Lieferant', 'Kunde', 'Alle Beträge in'],
  fr: ['Base HT', 'Montant TVA', 'TTC', 'Taux', 'Montant HT', 'Facture', 'du', 'Vendeur', 'Acheteur', 'Montants en'],
  es: ['Base imponible', 'Cuota', 'Total', 'Tipo', 'Importe neto', 'Factura', 'del', 'Emisor', 'Receptor', 'Importes en'],
  it: ['Imponibile', 'Imposta', 'Totale', 'Aliquota', 'Importo netto', 'Fattura', 'del', 'Cedente', 'Cessionario', 'Importi in'],
  nl: ['Grondslag', 'Btw-bedrag', 'Totaal', 'Tarief', 'Netto bedrag', 'Factuur', 'van', 'Leverancier', 'Afnemer', 'Bedragen in'],
  pt: ['Incidência', 'Valor IVA', 'Total', 'Taxa', 'Valor líquido', 'Fatura', 'de', 'Fornecedor', 'Cliente', 'Valores em'],
  pl: [
    'Wartość netto',
    'Kwota VAT',
    'Wartość brutto',
    'Stawka',
    'Wartość netto',
    'Faktura nr',
    'z dnia',
    'Sprzedawca',
    'Nabywca',
    'Kwoty w',
  ],
} as const

/** A dense sheet: both parties named, columns of net, tax and gross, a table of rates, the currency named once, amounts without a sign. */
export function ledger(model: Model): string {
  const { random, truth, word, day, supplier, customer, shares, bare, percent, language, columns } = model
  const [net, tax, gross, rate, netAmount, , , seller, buyer, amounts] = WORDS[language]
  const font = random.pick(['Liberation Sans Narrow', 'DejaVu Sans Condensed', 'Liberation Serif', 'Carlito'])
  const codes = random.next() < 0.4
  const two = random.next() < 0.5
  const head = ['position', codes ? 'code' : '', 'description', 'quantity', 'price', 'rate', 'net', ...(two ? ['gross'] : [])].filter(
    (name) => name !== '',
  )
  const titles: Readonly<Record<string, string>> = {
    position: word('position'),
    code: 'Art. Nr.',
    description: word('description'),
    quantity: word('quantity'),
    price: word('price').replace(' ', '<br>'),
    rate: word('rate'),
    net: netAmount.replace(' ', '<br>'),
    gross,
  }
  const rows = truth.line_items.map((line, at) => {
    const own = {
      position: `${String(at + 1)}.`,
      code: `A-${String(random.whole(1000, 9999))}`,
      description: text(line.description),
      quantity: model.count(line.quantity ?? 0),
      price: bare(line.unit_price ?? 0),
      rate: `${percent(line.tax_rate ?? 0)}%`,
      net: bare(line.total_amount),
      gross: bare(Math.round(line.total_amount * (100 + (line.tax_rate ?? 0))) / 100),
    } as const
    return `<tr>${head.map((name) => `<td class="${name}">${own[name as keyof typeof own]}</td>`).join('')}</tr>`
  })
  const breakdown = `<table class="rates"><tr><th>${text(rate)}</th><th>${text(net)}</th><th>${text(tax)}</th><th>${text(gross)}</th></tr>${shares.map((share) => `<tr><td>${percent(share.rate)}${random.next() < 0.5 ? '%' : ',00'.replace(',', model.bare(1)[1] ?? ',')}</td><td>${bare(share.base)}</td><td>${bare(share.amount)}</td><td>${bare(Math.round((share.base + share.amount) * 100) / 100)}</td></tr>`).join('')}</table>`
  const facts = [
    [word('number'), truth.invoice_number],
    [word('date'), day(truth.date)],
    ...(truth.due_date === null ? [] : [[word('due'), day(truth.due_date)]]),
  ]
  const stack = random.next() < 0.5
  const factBlock = stack
    ? facts.map(([label, value]) => `<div><small>${text(label ?? '')}</small><br><b>${text(value ?? '')}</b></div>`).join('')
    : facts.map(([label, value]) => `<div>${text(label ?? '')}: <b>${text(value ?? '')}</b></div>`).join('')
  const party = (title: string, lines: readonly string[]): string =>
    `<div style="flex:1;border:1px solid #aaa;padding:4pt"><small>${text(title)}</small><br>${lines.map(text).join('<br>')}</div>`
  const parties = [
    party(seller, [truth.supplier_name, supplier.street, supplier.town, supplier.vat]),
    party(buyer, [truth.customer_name ?? '', customer.street, customer.town]),
  ]
  if (random.next() < 0.3) parties.reverse()
  return page(
    `<div style="padding:12mm 14mm"><div style="display:flex;justify-content:space-between"><h2>${text(model.kind === 'credit' ? word('credit') : word('title'))}</h2><div style="display:${stack ? 'flex' : 'block'};gap:12pt">${factBlock}</div></div>
<div style="display:flex;gap:6mm">${parties.join('')}</div><p>${text(amounts)} ${truth.currency}</p>
<table class="items"><thead><tr>${head.map((name) => `<th class="${name}">${titles[name] ?? ''}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>
${breakdown}<table class="sums">${model.discount > 0 ? `<tr><td>${text(word('discount'))}</td><td>${bare(-model.discount)}</td></tr>` : ''}<tr><td>${text(word('subtotal'))}</td><td>${bare(truth.subtotal ?? 0)}</td></tr><tr><td>${text(
      word('tax')
        .replace(/[ (]*[@à]? ?\{r\} ?%\)?/, '')
        .replace(/zzgl\.\s+/, '')
        .trim(),
    )}</td><td>${bare(truth.total_tax ?? 0)}</td></tr><tr><td><b>${text(word('total'))}</b></td><td><b>${bare(truth.total_amount)}</b></td></tr></table>
<p><small>${text(word('thanks'))} ${supplier.iban} ${columns.unit ? supplier.mail : ''}</small></p></div>`,
    `body{font:9.5pt '${font}'}.items{width:100%;margin:4mm 0}.items td,.items th{padding:2pt 5pt;vertical-align:top;border-bottom:1px solid #ccc}.quantity,.price,.rate,.net,.gross,.rates td,.sums td:last-child{text-align:right}.description,.code,.position{text-align:left}.rates td,.rates th,.sums td{padding:2pt 8pt}.sums{margin:4mm 0 0 auto}.rates{float:left;border:1px solid #aaa}`,
  )
}
