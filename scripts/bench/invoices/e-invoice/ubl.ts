import type { InvoiceTruth } from '../types.js'
import { escaped, placed, type Sums } from './sums.js'

const NAMESPACE = 'urn:oasis:names:specification:ubl:schema:xsd'

/** UBL 2.1 as Peppol BIS Billing 3 has it. */
export function ubl(truth: InvoiceTruth, sums: Sums): string {
  const { credit, decimals } = sums
  const root = credit ? 'CreditNote' : 'Invoice'
  const money = (name: string, value: number) =>
    `<cbc:${name} currencyID="${truth.currency ?? ''}">${value.toFixed(decimals)}</cbc:${name}>`
  const category = (element: string, rate: number) =>
    `<cac:${element}><cbc:ID>S</cbc:ID><cbc:Percent>${String(rate)}</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:${element}>`
  const party = (name: string | null, address: string | null) => {
    const { street, zone, city } = placed(address)
    const post =
      address === null
        ? ''
        : `<cac:PostalAddress><cbc:StreetName>${escaped(street)}</cbc:StreetName><cbc:CityName>${escaped(city)}</cbc:CityName>` +
          `${zone === '' ? '' : `<cbc:PostalZone>${zone}</cbc:PostalZone>`}</cac:PostalAddress>`
    return `<cac:Party>${post}<cac:PartyLegalEntity><cbc:RegistrationName>${escaped(name)}</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party>`
  }
  const lines = sums.lines.map(
    (line, index) => `<cac:${root}Line><cbc:ID>${String(index + 1)}</cbc:ID>
    <cbc:${credit ? 'Credited' : 'Invoiced'}Quantity unitCode="C62">${String(line.quantity)}</cbc:${credit ? 'Credited' : 'Invoiced'}Quantity>
    ${money('LineExtensionAmount', line.total)}<cac:Item><cbc:Name>${escaped(line.description)}</cbc:Name>${category('ClassifiedTaxCategory', line.rate)}</cac:Item>
    <cac:Price>${money('PriceAmount', line.price)}</cac:Price></cac:${root}Line>`,
  )
  const due = truth.due_date === null ? '' : truth.due_date
  return `<?xml version="1.0" encoding="UTF-8"?>
  <${root} xmlns="${NAMESPACE}:${root}-2" xmlns:cac="${NAMESPACE}:CommonAggregateComponents-2" xmlns:cbc="${NAMESPACE}:CommonBasicComponents-2">
  <cbc:CustomizationID>urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0</cbc:CustomizationID>
  <cbc:ID>${escaped(truth.invoice_number)}</cbc:ID><cbc:IssueDate>${truth.date ?? ''}</cbc:IssueDate>${due === '' || credit ? '' : `<cbc:DueDate>${due}</cbc:DueDate>`}
  <cbc:${root}TypeCode>${credit ? '381' : '380'}</cbc:${root}TypeCode><cbc:DocumentCurrencyCode>${truth.currency ?? ''}</cbc:DocumentCurrencyCode>
  <cac:AccountingSupplierParty>${party(truth.supplier_name, truth.supplier_address)}</cac:AccountingSupplierParty>
  ${truth.customer_name === null ? '' : `<cac:AccountingCustomerParty>${party(truth.customer_name, null)}</cac:AccountingCustomerParty>`}
  ${due === '' || !credit ? '' : `<cac:PaymentMeans><cbc:PaymentDueDate>${due}</cbc:PaymentDueDate></cac:PaymentMeans>`}
  ${sums.discount === 0 ? '' : `<cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator>${money('Amount', sums.discount)}</cac:AllowanceCharge>`}
  <cac:TaxTotal>${money('TaxAmount', sums.tax)}${sums.taxes
    .map(
      ({ rate, base, amount }) =>
        `<cac:TaxSubtotal>${money('TaxableAmount', base)}${money('TaxAmount', amount)}${category('TaxCategory', rate)}</cac:TaxSubtotal>`,
    )
    .join('')}</cac:TaxTotal>
  <cac:LegalMonetaryTotal>${money('LineExtensionAmount', sums.sum)}${money('TaxExclusiveAmount', sums.net)}${money('TaxInclusiveAmount', sums.total)}
  ${money('PayableAmount', sums.total)}</cac:LegalMonetaryTotal>${lines.join('')}</${root}>`
}
