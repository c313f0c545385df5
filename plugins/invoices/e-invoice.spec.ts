import { expect } from 'chai'
import { Fault } from '../../core/sdk/index.js'
import read from './work/e-invoice.js'
import { dateOf, numberOf } from './work/values.js'

const amounts = (net: number, tax: number, currency = 'EUR', more = '') =>
  `<cac:TaxTotal><cbc:TaxAmount currencyID="${currency}">${String(tax)}</cbc:TaxAmount></cac:TaxTotal><cac:LegalMonetaryTotal>
  <cbc:TaxExclusiveAmount currencyID="${currency}">${String(net)}</cbc:TaxExclusiveAmount>
  <cbc:TaxInclusiveAmount currencyID="${currency}">${String(net + tax)}</cbc:TaxInclusiveAmount>${more}</cac:LegalMonetaryTotal>`
const ubl = (inside: string, root = 'Invoice') =>
  `<?xml version="1.0"?><u:${root} xmlns:u="urn:oasis:names:specification:ubl:schema:xsd:${root}-2" xmlns:cac="c" xmlns:cbc="b"><cbc:ID>7</cbc:ID>
  <cbc:IssueDate>2026-01-31</cbc:IssueDate><cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>${inside}</u:${root}>`
const line = (quantity: string, price: string, total: string, more = '') =>
  `<cac:InvoiceLine><cbc:InvoicedQuantity>${quantity}</cbc:InvoicedQuantity><cbc:LineExtensionAmount>${total}</cbc:LineExtensionAmount>${more}
  <cac:Item><cbc:Name>A</cbc:Name></cac:Item><cac:Price>${price}</cac:Price></cac:InvoiceLine>`
const price = (amount: string, base = '') =>
  `<cbc:PriceAmount>${amount}</cbc:PriceAmount>${base === '' ? '' : `<cbc:BaseQuantity>${base}</cbc:BaseQuantity>`}`
const invoice = (inside: string, root?: string) => read(Buffer.from(ubl(inside, root)))
const cii = (trade: string, head = '<ram:ID>7</ram:ID>') =>
  read(
    Buffer.from(
      `<rsm:CrossIndustryInvoice xmlns:rsm="r" xmlns:ram="a" xmlns:udt="u"><rsm:ExchangedDocument>${head}</rsm:ExchangedDocument>
      <rsm:SupplyChainTradeTransaction>${trade}</rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`,
    ),
  )
/** The message of a document's Fault. */
function refusal(document: string | Uint8Array): string {
  try {
    read(Buffer.from(document))
  } catch (error) {
    if (Fault.is(error) && error.kind === 'invalid') return error.message
    throw error
  }
  return 'none'
}

describe('invoices: electronic invoices', () => {
  it('amounts are those in the currency of the invoice, beside others in that of accounting', () => {
    const inBoth = `<cac:TaxTotal><cbc:TaxAmount currencyID="SEK">217.4</cbc:TaxAmount></cac:TaxTotal>${amounts(100, 20)}`
    expect(invoice(inBoth)).to.deep.include({ subtotal: 100, total_tax: 20, total_amount: 120, currency: 'EUR' })
    const sums = `<ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode><ram:SpecifiedTradeSettlementHeaderMonetarySummation>
      <ram:TaxTotalAmount currencyID="SEK">217.4</ram:TaxTotalAmount><ram:TaxTotalAmount currencyID="EUR">20</ram:TaxTotalAmount>
      </ram:SpecifiedTradeSettlementHeaderMonetarySummation></ram:ApplicableHeaderTradeSettlement>`
    expect(cii(sums).total_tax).to.equal(20)
  })

  it('what was paid before and what is rounded at paying leave the total as it is', () => {
    const more =
      '<cbc:PrepaidAmount>50</cbc:PrepaidAmount><cbc:PayableRoundingAmount>0.3</cbc:PayableRoundingAmount><cbc:PayableAmount>70.3</cbc:PayableAmount>'
    expect(invoice(amounts(100, 20, 'EUR', more))).to.deep.include({ total_amount: 120, prepaid: 50, amount_due: 70, rounding: null })
  })

  it('a price for a number of pieces becomes the price of one, unless the number does not fit the line', () => {
    const prices = invoice(
      line('200', price('50', '100'), '100') + line('2', price('50', '100'), '100') + line('3', price('7', '2'), '90'),
    ).line_items
    expect(prices.map((each) => each.unit_price)).to.deep.equal([0.5, 50, 30])
  })

  it('discounts and charges of a line and of the document have their sign', () => {
    const charge = (charged: boolean, amount: number) =>
      `<cac:AllowanceCharge><cbc:ChargeIndicator>${String(charged)}</cbc:ChargeIndicator><cbc:Amount>${String(amount)}</cbc:Amount></cac:AllowanceCharge>`
    const read = invoice(charge(false, 10) + charge(true, 4) + line('2', price('50'), '95', charge(false, 5)))
    expect(read.adjustment).to.equal(-6)
    expect(read.line_items[0]?.adjustment).to.equal(-5)
  })

  it('due dates stand where each form has them', () => {
    expect(invoice('<cbc:DueDate>2026-02-28+01:00</cbc:DueDate>').due_date).to.equal('2026-02-28')
    const means = '<cac:PaymentMeans><cbc:PaymentDueDate>2026-03-01</cbc:PaymentDueDate></cac:PaymentMeans>'
    expect(invoice(means, 'CreditNote')).to.deep.include({ due_date: '2026-03-01', document_type: 'credit_note' })
    const terms =
      '<ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime><udt:DateTimeString format="102">20260301</udt:DateTimeString></ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms>'
    expect(cii(`<ram:ApplicableHeaderTradeSettlement>${terms}</ram:ApplicableHeaderTradeSettlement>`).due_date).to.equal('2026-03-01')
  })

  it('only dates that are days, and plain decimals, are taken', () => {
    expect(['20260230', '2026-13-01', '202601', '01.02.2026', '', null].map(dateOf)).to.deep.equal([null, null, null, null, null, null])
    expect(['1e3', '1,5', 'NaN', '0x10', '', null].map(numberOf)).to.deep.equal([null, null, null, null, null, null])
    expect(['-1.50', '+2', '.5', '3.'].map(numberOf)).to.deep.equal([-1.5, 2, 0.5, 3])
  })

  it('lines that group or explain others are left out', () => {
    const part = (status: string, total: number) => `<ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument>
      <ram:LineStatusReasonCode>${status}</ram:LineStatusReasonCode></ram:AssociatedDocumentLineDocument><ram:SpecifiedLineTradeSettlement>
      <ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>${String(total)}</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation>
      </ram:SpecifiedLineTradeSettlement></ram:IncludedSupplyChainTradeLineItem>`
    expect(
      cii(part('GROUP', 100) + part('DETAIL', 60) + part('INFORMATION', 1) + part('DETAIL', 40)).line_items.map(
        (each) => each.total_amount,
      ),
    ).to.deep.equal([60, 40])
  })

  it('a rate that is not there, as for exempt lines, is null', () => {
    expect(invoice(line('1', price('5'), '5')).line_items[0]).to.deep.include({
      tax_rate: null,
      quantity: 1,
      unit_price: 5,
      description: 'A',
    })
  })

  it('kinds of credit notes are recognised in both forms', () => {
    expect(cii('', '<ram:TypeCode>381</ram:TypeCode>').document_type).to.equal('credit_note')
    expect(invoice('<cbc:InvoiceTypeCode>381</cbc:InvoiceTypeCode>').document_type).to.equal('credit_note')
    expect(invoice('<cbc:InvoiceTypeCode>384</cbc:InvoiceTypeCode>').document_type).to.equal('invoice')
  })

  it('texts keep their letters: entities, numbers of letters, CDATA, other encodings, byte order marks', () => {
    const named = (name: string) =>
      ubl(
        `<cac:AccountingSupplierParty><cac:Party><cac:PartyName><cbc:Name>${name}</cbc:Name></cac:PartyName></cac:Party></cac:AccountingSupplierParty>`,
      )
    const name = (document: Uint8Array) => read(document).supplier_name
    expect(name(Buffer.from(named('A &amp; B &#246;&#xF6; &lt;c&gt;')))).to.equal('A & B öö <c>')
    expect(name(Buffer.from(named('<![CDATA[A &amp; B]]>')))).to.equal('A &amp; B')
    expect(
      name(Buffer.from(named('Jörg').replace('<?xml version="1.0"?>', '<?xml version="1.0" encoding="ISO-8859-1"?>'), 'latin1')),
    ).to.equal('Jörg')
    expect(name(Buffer.from(`\ufeff${named('Jörg')}`, 'utf16le'))).to.equal('Jörg')
    expect(name(Buffer.from(`\ufeff${named('Jörg')}`))).to.equal('Jörg')
  })

  it('F20 blanks, line ends and a byte order mark may stand before the declaration', () => {
    const declared = ubl(amounts(100, 20)).replace('<?xml version="1.0"?>', '<?xml version="1.0" encoding="UTF-8"?>')
    for (const before of ['\n  ', '\r\n\r\n\t', '\ufeff\n', ' \ufeff', '\u00a0\n'])
      expect(read(Buffer.from(before + declared)), JSON.stringify(before)).to.include({ invoice_number: '7', total_amount: 120 })
    const wide = Buffer.from(`\ufeff\n${declared.replace('UTF-8', 'UTF-16')}`, 'utf16le')
    expect(read(wide), 'UTF-16').to.include({ invoice_number: '7', total_amount: 120 })
    expect(refusal(`.${declared}`)).to.match(/^The XML is broken at line 1/)
  })

  it('an envelope of Peppol is opened', () => {
    const inside = ubl(amounts(100, 20)).replace('<?xml version="1.0"?>', '')
    const envelope = `<StandardBusinessDocument><StandardBusinessDocumentHeader><HeaderVersion>1.0</HeaderVersion></StandardBusinessDocumentHeader>${inside}</StandardBusinessDocument>`
    expect(read(Buffer.from(envelope))).to.deep.include({ invoice_number: '7', total_amount: 120 })
  })

  it('names that objects have by themselves are refused', () => {
    for (const name of ['constructor', 'prototype', '__proto__'])
      expect(refusal(ubl(`<cac:${name}><cbc:ID>1</cbc:ID></cac:${name}>`)), name).to.match(/^The XML is broken/)
  })

  it('entities of a document type, nesting without end, broken and other XML are refused with the reason', () => {
    const bomb = `<!DOCTYPE a [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;">]><Invoice><ID>&b;</ID></Invoice>`
    expect(refusal(bomb)).to.equal('The XML has a document type, which is not supported: invoices have none.')
    expect(refusal(`${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}`)).to.match(/^The XML is broken/)
    expect(refusal(ubl('').slice(0, -10))).to.match(/^The XML is broken/)
    expect(refusal('')).to.match(/^The XML is (?:broken|empty)/)
    expect(refusal('<FatturaElettronica/>')).to.match(/its root is FatturaElettronica, not Invoice/)
  })

  it('more lines than are read are refused with their number', () => {
    expect(refusal(ubl(line('1', price('1'), '1').repeat(10_001)))).to.equal(
      'The invoice has 10001 lines, more than the 10000 that are read.',
    )
  })

  it('an entity that nothing defines stays as it is written', () => {
    expect(invoice('').invoice_number).to.equal('7')
    for (const name of ['&boom;', '&constructor;', '&toString;', '&__proto__;'])
      expect(read(Buffer.from(`<Invoice><ID>${name}</ID></Invoice>`)).invoice_number).to.equal(name)
  })
})
