import type { InvoiceTruth } from '../types.js'
import { escaped, placed, type Sums } from './sums.js'

/** The profiles of Factur-X and ZUGFeRD 2, XRechnung, and ZUGFeRD 1. */
type Dialect = 'minimum' | 'basic-wl' | 'basic' | 'en16931' | 'extended' | 'xrechnung' | 'zugferd-1'

const D16 = 'urn:un:unece:uncefact:data:standard'
const PROFILE = {
  minimum: 'urn:factur-x.eu:1p0:minimum',
  'basic-wl': 'urn:factur-x.eu:1p0:basicwl',
  basic: 'urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic',
  en16931: 'urn:cen.eu:en16931:2017',
  extended: 'urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended',
  xrechnung: 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
  'zugferd-1': 'urn:ferd:CrossIndustryDocument:invoice:1p0:comfort',
}

/** Cross Industry Invoice in a dialect. MINIMUM and BASIC WL have no lines, and MINIMUM no address, taxes by rate and terms; EXTENDED groups lines. */
export function cii(truth: InvoiceTruth, sums: Sums, dialect: Dialect): string {
  const old = dialect === 'zugferd-1'
  const small = dialect === 'minimum'
  const hasLines = !small && dialect !== 'basic-wl'
  const money = (name: string, value: number, currency = false) =>
    `<ram:${name}${currency || old ? ` currencyID="${truth.currency ?? ''}"` : ''}>${value.toFixed(sums.decimals)}</ram:${name}>`
  const date = (name: string, iso: string) =>
    `<ram:${name}><udt:DateTimeString format="102">${iso.replaceAll('-', '')}</udt:DateTimeString></ram:${name}>`
  const rate = old ? 'ApplicablePercent' : 'RateApplicablePercent'
  const names = old
    ? {
        root: 'CrossIndustryDocument',
        header: 'HeaderExchangedDocument',
        trade: 'SpecifiedSupplyChainTradeTransaction',
        part: 'ApplicableSupplyChainTrade',
      }
    : { root: 'CrossIndustryInvoice', header: 'ExchangedDocument', trade: 'SupplyChainTradeTransaction', part: 'ApplicableHeaderTrade' }
  const line = old ? 'SpecifiedSupplyChainTrade' : 'SpecifiedLineTrade'
  const summation = old ? 'SpecifiedTradeSettlementMonetarySummation' : 'SpecifiedTradeSettlementLineMonetarySummation'
  const lines = sums.lines
    .map(
      (
        item,
        index,
      ) => `<ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument><ram:LineID>${String(index + 1)}</ram:LineID></ram:AssociatedDocumentLineDocument>
    <ram:SpecifiedTradeProduct><ram:Name>${escaped(item.description)}</ram:Name></ram:SpecifiedTradeProduct>
    <ram:${line}Agreement><ram:NetPriceProductTradePrice>${money('ChargeAmount', item.price * 100)}<ram:BasisQuantity unitCode="C62">100</ram:BasisQuantity></ram:NetPriceProductTradePrice></ram:${line}Agreement>
    <ram:${line}Delivery><ram:BilledQuantity unitCode="C62">${item.quantity.toFixed(4)}</ram:BilledQuantity></ram:${line}Delivery>
    <ram:${line}Settlement><ram:ApplicableTradeTax><ram:TypeCode>VAT</ram:TypeCode><ram:CategoryCode>S</ram:CategoryCode><ram:${rate}>${item.rate.toFixed(2)}</ram:${rate}></ram:ApplicableTradeTax>
    <ram:${summation}>${money('LineTotalAmount', item.total)}</ram:${summation}></ram:${line}Settlement></ram:IncludedSupplyChainTradeLineItem>`,
    )
    .join('')
  const { street, zone, city } = placed(truth.supplier_address)
  const address = `<ram:PostalTradeAddress>${zone === '' ? '' : `<ram:PostcodeCode>${zone}</ram:PostcodeCode>`}<ram:LineOne>${escaped(street)}</ram:LineOne><ram:CityName>${escaped(city)}</ram:CityName></ram:PostalTradeAddress>`
  const taxes = sums.taxes.map(
    (
      tax,
    ) => `<ram:ApplicableTradeTax>${money('CalculatedAmount', tax.amount)}<ram:TypeCode>VAT</ram:TypeCode>${money('BasisAmount', tax.base)}
    <ram:CategoryCode>S</ram:CategoryCode><ram:${rate}>${tax.rate.toFixed(2)}</ram:${rate}></ram:ApplicableTradeTax>`,
  )
  const terms =
    truth.due_date === null
      ? ''
      : `<ram:SpecifiedTradePaymentTerms>${date('DueDateDateTime', truth.due_date)}</ram:SpecifiedTradePaymentTerms>`
  const header = old ? 'SpecifiedTradeSettlementMonetarySummation' : 'SpecifiedTradeSettlementHeaderMonetarySummation'
  const totals = `<ram:${header}>${small ? '' : `${money('LineTotalAmount', sums.sum)}${money('AllowanceTotalAmount', sums.discount)}`}
    ${money('TaxBasisTotalAmount', sums.net)}${money('TaxTotalAmount', sums.tax, true)}${money('GrandTotalAmount', sums.total)}${money('DuePayableAmount', sums.total)}</ram:${header}>`
  const discount =
    sums.discount === 0 || small
      ? ''
      : `<ram:SpecifiedTradeAllowanceCharge><ram:ChargeIndicator><udt:Indicator>false</udt:Indicator></ram:ChargeIndicator>${money('ActualAmount', sums.discount)}</ram:SpecifiedTradeAllowanceCharge>`
  const buyer =
    truth.customer_name === null ? '' : `<ram:BuyerTradeParty><ram:Name>${escaped(truth.customer_name)}</ram:Name></ram:BuyerTradeParty>`
  const body = `<ram:${names.part}Agreement><ram:SellerTradeParty><ram:Name>${escaped(truth.supplier_name)}</ram:Name>${small ? '' : address}</ram:SellerTradeParty>${buyer}</ram:${names.part}Agreement>
    <ram:${names.part}Delivery/><ram:${names.part}Settlement><ram:InvoiceCurrencyCode>${truth.currency ?? ''}</ram:InvoiceCurrencyCode>
    ${small ? '' : `${taxes.join('')}${discount}${terms}`}${totals}</ram:${names.part}Settlement>`
  const space = old
    ? 'xmlns:rsm="urn:ferd:CrossIndustryDocument:invoice:1p0" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:12" xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:15"'
    : `xmlns:rsm="${D16}:CrossIndustryInvoice:100" xmlns:ram="${D16}:ReusableAggregateBusinessInformationEntity:100" xmlns:udt="${D16}:UnqualifiedDataType:100"`
  return `<?xml version="1.0" encoding="UTF-8"?><rsm:${names.root} ${space}>
    <rsm:${old ? 'Specified' : ''}ExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>${PROFILE[dialect]}</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter></rsm:${old ? 'Specified' : ''}ExchangedDocumentContext>
    <rsm:${names.header}><ram:ID>${escaped(truth.invoice_number)}</ram:ID><ram:TypeCode>${sums.credit ? '381' : '380'}</ram:TypeCode>${date('IssueDateTime', truth.date ?? '')}</rsm:${names.header}>
    <rsm:${names.trade}>${old || !hasLines ? '' : dialect === 'extended' ? grouped(lines) : lines}${body}${old ? lines : ''}</rsm:${names.trade}></rsm:${names.root}>`
}

/** Behind a line that gives the whole a name, as EXTENDED may: it is none of those that count. */
function grouped(lines: string): string {
  const about =
    '<ram:AssociatedDocumentLineDocument><ram:LineID>0</ram:LineID><ram:LineStatusReasonCode>GROUP</ram:LineStatusReasonCode></ram:AssociatedDocumentLineDocument>'
  return `<ram:IncludedSupplyChainTradeLineItem>${about}<ram:SpecifiedTradeProduct><ram:Name>Group</ram:Name></ram:SpecifiedTradeProduct></ram:IncludedSupplyChainTradeLineItem>${lines}`
}
