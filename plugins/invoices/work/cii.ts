import { emptyRecord } from '../empty-record.js'
import type { InvoiceLine, InvoiceRecord } from '../record.js'
import { addressOf, adjustmentOf, amountIn, dateOf, exact, joined, number, priceOfOne, together } from './values.js'
import { all, first, text, type Element } from './xml.js'

/** Kinds of credit notes (UNTDID 1001). */
export const CREDIT = ['81', '83', '261', '262', '296', '308', '381', '396', '420', '458', '532']
/** Lines that group or explain others (Factur-X EXTENDED); their amounts are not added. */
const NOT_COUNTED = ['GROUP', 'INFORMATION']

/** Cross Industry Invoice: Factur-X, ZUGFeRD 2, XRechnung; and the older format of ZUGFeRD 1 with different names. */
export function readCii(root: Element): InvoiceRecord {
  const header = first(root, 'ExchangedDocument|HeaderExchangedDocument')
  const trade = first(root, 'SupplyChainTradeTransaction|SpecifiedSupplyChainTradeTransaction')
  const agreement = first(trade, 'ApplicableHeaderTradeAgreement|ApplicableSupplyChainTradeAgreement')
  const settlement = first(trade, 'ApplicableHeaderTradeSettlement|ApplicableSupplyChainTradeSettlement')
  const sums = first(settlement, 'SpecifiedTradeSettlementHeaderMonetarySummation|SpecifiedTradeSettlementMonetarySummation')
  const currency = text(settlement, 'InvoiceCurrencyCode')
  const inCurrency = (name: string) => amountIn(currency, all(sums, name))
  const rounding = inCurrency('RoundingAmount')
  const due = inCurrency('DuePayableAmount')
  const charges = inCurrency('ChargeTotalAmount')
  const allowances = inCurrency('AllowanceTotalAmount')
  return {
    ...emptyRecord(),
    document_type: CREDIT.includes(text(header, 'TypeCode') ?? '') ? 'credit_note' : 'invoice',
    invoice_number: text(header, 'ID'),
    date: dateOf(text(header, 'IssueDateTime/DateTimeString')),
    due_date: dateOf(text(settlement, 'SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString')),
    supplier_name: text(agreement, 'SellerTradeParty/Name'),
    supplier_address: address(first(agreement, 'SellerTradeParty/PostalTradeAddress')),
    customer_name: text(agreement, 'BuyerTradeParty/Name'),
    currency,
    subtotal: inCurrency('TaxBasisTotalAmount'),
    total_tax: inCurrency('TaxTotalAmount'),
    total_amount: inCurrency('GrandTotalAmount'),
    adjustment: charges === null && allowances === null ? null : exact((charges ?? 0) - (allowances ?? 0)),
    prepaid: inCurrency('TotalPrepaidAmount'),
    // The payable amount is rounded here, not the total.
    amount_due: due === null ? null : exact(due - (rounding ?? 0)),
    prices_include_tax: false,
    taxes: all(settlement, 'ApplicableTradeTax').map((tax) => ({
      rate: number(tax, 'RateApplicablePercent|ApplicablePercent'),
      base: number(tax, 'BasisAmount'),
      amount: number(tax, 'CalculatedAmount'),
    })),
    line_items: all(trade, 'IncludedSupplyChainTradeLineItem')
      .filter((line) => !NOT_COUNTED.includes(text(line, 'AssociatedDocumentLineDocument/LineStatusReasonCode') ?? ''))
      .flatMap(lineOf),
    exact: true,
  }
}

/** None for a line that is a remark (as in ZUGFeRD 1). */
function lineOf(item: Element): InvoiceLine[] {
  const settlement = first(item, 'SpecifiedLineTradeSettlement|SpecifiedSupplyChainTradeSettlement')
  const price = first(item, 'SpecifiedLineTradeAgreement|SpecifiedSupplyChainTradeAgreement')
  const line = {
    description: joined(item, ['SpecifiedTradeProduct/Name', 'SpecifiedTradeProduct/Description']),
    quantity: number(item, 'SpecifiedLineTradeDelivery/BilledQuantity') ?? number(item, 'SpecifiedSupplyChainTradeDelivery/BilledQuantity'),
    adjustment: adjustmentOf(all(settlement, 'SpecifiedTradeAllowanceCharge'), {
      indicator: 'ChargeIndicator/Indicator',
      amount: 'ActualAmount',
    }),
    total_amount: number(
      settlement,
      'SpecifiedTradeSettlementLineMonetarySummation|SpecifiedTradeSettlementMonetarySummation/LineTotalAmount',
    ),
    tax_rate: number(settlement, 'ApplicableTradeTax/RateApplicablePercent|ApplicablePercent'),
  }
  const net = first(price, 'NetPriceProductTradePrice')
  const unit = priceOfOne(line, number(net, 'ChargeAmount'), number(net, 'BasisQuantity'))
  if (line.total_amount === null && line.quantity === null && unit === null) return []
  return [{ ...line, unit_price: unit }]
}

function address(from: Element | undefined): string | null {
  return addressOf([
    text(from, 'LineOne'),
    text(from, 'LineTwo'),
    text(from, 'LineThree'),
    together(text(from, 'PostcodeCode'), text(from, 'CityName')),
    text(from, 'CountrySubDivisionName'),
    text(from, 'CountryID'),
  ])
}
