import { emptyRecord } from '../empty-record.js'
import type { InvoiceLine, InvoiceRecord } from '../record.js'
import { CREDIT } from './cii.js'
import { addressOf, adjustmentOf, amountIn, dateOf, exact, joined, number, priceOfOne, together } from './values.js'
import { all, first, text, type Element } from './xml.js'

const ADJUSTMENT = { indicator: 'ChargeIndicator', amount: 'Amount' }

/** UBL 2.1 invoice or credit note: Peppol BIS, XRechnung. */
export function readUbl(root: Element, name: 'Invoice' | 'CreditNote'): InvoiceRecord {
  const currency = text(root, 'DocumentCurrencyCode')
  const supplier = first(root, 'AccountingSupplierParty/Party')
  const totals = first(root, 'LegalMonetaryTotal')
  const total = (field: string) => amountIn(currency, all(totals, field))
  const rounding = total('PayableRoundingAmount')
  const due = total('PayableAmount')
  // A second one states the tax in the accounting currency.
  const taxTotals = all(root, 'TaxTotal')
  const inCurrency = taxTotals.filter((each) => amountIn(currency, all(each, 'TaxAmount')) !== null)
  const credit = name === 'CreditNote' || CREDIT.includes(text(root, 'InvoiceTypeCode') ?? '')
  return {
    ...emptyRecord(),
    document_type: credit ? 'credit_note' : 'invoice',
    invoice_number: text(root, 'ID'),
    date: dateOf(text(root, 'IssueDate')),
    due_date: dateOf(text(root, 'DueDate') ?? text(root, 'PaymentMeans/PaymentDueDate')),
    supplier_name: partyName(supplier),
    supplier_address: address(first(supplier, 'PostalAddress')),
    customer_name: partyName(first(root, 'AccountingCustomerParty/Party')),
    currency,
    subtotal: total('TaxExclusiveAmount'),
    total_tax: amountIn(currency, all(root, 'TaxTotal/TaxAmount')),
    total_amount: total('TaxInclusiveAmount'),
    adjustment: adjustmentOf(all(root, 'AllowanceCharge'), ADJUSTMENT),
    prepaid: total('PrepaidAmount'),
    // The payable amount is rounded here, not the total.
    amount_due: due === null ? null : exact(due - (rounding ?? 0)),
    prices_include_tax: false,
    taxes: all(inCurrency[0], 'TaxSubtotal').map((tax) => ({
      rate: number(tax, 'TaxCategory/Percent'),
      base: number(tax, 'TaxableAmount'),
      amount: number(tax, 'TaxAmount'),
    })),
    line_items: all(root, `${name}Line`).map(lineOf),
    exact: true,
  }
}

function lineOf(item: Element): InvoiceLine {
  const line = {
    description: joined(item, ['Item/Name', 'Item/Description']),
    quantity: number(item, 'InvoicedQuantity|CreditedQuantity'),
    adjustment: adjustmentOf(all(item, 'AllowanceCharge'), ADJUSTMENT),
    total_amount: number(item, 'LineExtensionAmount'),
    tax_rate: number(item, 'Item/ClassifiedTaxCategory/Percent'),
  }
  return { ...line, unit_price: priceOfOne(line, number(item, 'Price/PriceAmount'), number(item, 'Price/BaseQuantity')) }
}

const partyName = (party: Element | undefined): string | null =>
  text(party, 'PartyLegalEntity/RegistrationName') ?? text(party, 'PartyName/Name')

function address(from: Element | undefined): string | null {
  return addressOf([
    text(from, 'StreetName'),
    text(from, 'AdditionalStreetName'),
    joined(from, ['AddressLine/Line'], ', '),
    together(text(from, 'PostalZone'), text(from, 'CityName')),
    text(from, 'CountrySubentity'),
    text(from, 'Country/IdentificationCode'),
  ])
}
