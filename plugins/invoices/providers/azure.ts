import { Fault, isRecord, parseUrl, poll, provider, Type } from '../../../core/sdk/index.js'
import { valueAt, listAt } from '../../_shared/value-at.js'
import { azure as vendor } from '../../_vendors/azure.js'
import { invoiceVendors } from '../contract.js'
import { emptyRecord } from '../empty-record.js'
import type { InvoiceRecord } from '../record.js'
import { decimalIn } from '../layout/amount.js'
import { addressOf, currencyOf, dayOf, numberOf, percentOf, printedCurrency, printedNumber, textOf } from '../vendor-values.js'

const MODEL = '/documentModels/prebuilt-invoice'
const VERSION = '2024-11-30'
const TAKEN = ['application/pdf', 'image/jpeg', 'image/png', 'image/tiff', 'image/heic']
/** The vendor's media type for HEIC. */
const HEIF = 'image/heif'
const PollReply = Type.Object({
  status: Type.String(),
  analyzeResult: Type.Optional(
    Type.Object({ documents: Type.Optional(Type.Array(Type.Object({ fields: Type.Optional(Type.Unknown()) }))) }),
  ),
})

export const azure = provider(invoiceVendors, {
  vendor,
  rank: 40,
  timeoutMs: 30_000,
  serves: ({ content_type }) => TAKEN.includes(content_type),
  run: async ({ file, content_type }, context) => {
    const query = { 'api-version': VERSION }
    const bytes = { data: file, contentType: content_type === 'image/heic' ? HEIF : content_type }
    const { headers } = await context.api.bytes({ method: 'POST', path: `${MODEL}:analyze`, query, bytes })
    const path = resultPath(headers['operation-location'])
    if (path === null) throw new Fault('broken', 'azure named no place for the result.')
    const documents = await poll(context, {
      ask: (own) => own.api.json({ path, query }, PollReply),
      read: ({ status, analyzeResult }) => {
        if (status === 'succeeded') return { state: 'done', result: analyzeResult?.documents ?? [] }
        if (status === 'notStarted' || status === 'running') return { state: 'running', step: 'reading' }
        const kind = status === 'failed' ? 'missing' : 'broken'
        return { state: 'failed', fault: new Fault(kind, 'azure could not read the document.') }
      },
    })
    const [document, ...others] = documents
    if (document === undefined) return null
    const notes = others.length === 0 ? [] : [`The file has ${String(documents.length)} invoices; the first was read.`]
    return { ...recordOf(document.fields), notes }
  },
})

/** A path relative to the vendor's configured address, whatever host the reply names. */
function resultPath(location: string | undefined): string | null {
  const id = /\/analyzeResults\/([\w-]+)$/.exec(parseUrl(location ?? '')?.pathname ?? '')?.[1]
  return id === undefined ? null : `${MODEL}/analyzeResults/${id}`
}

const MONEY = ['InvoiceTotal', 'SubTotal', 'AmountDue', 'TotalTax']

/** When a field has no value, its printed text is read. */
function recordOf(fields: unknown): InvoiceRecord {
  const items = listAt(fields, 'Items', 'valueArray').map((item) => valueAt(item, 'valueObject'))
  const texts = [fields, ...items].flatMap((each) => (isRecord(each) ? Object.values(each) : [])).map(printOf)
  const decimal = decimalIn(texts.map((each) => each ?? ''))
  const text = (name: string) => textOf(valueAt(fields, name, 'valueString')) ?? printOf(valueAt(fields, name))
  const amount = (field: unknown) => numberOf(valueAt(field, 'valueCurrency', 'amount')) ?? printedNumber(printOf(field), decimal)
  const rate = (field: unknown) => percentOf(valueAt(field, 'valueString')) ?? percentOf(printOf(field))
  const money = (name: string) => amount(valueAt(fields, name))
  const sums = [...MONEY.map((name) => valueAt(fields, name)), valueAt(items[0], 'Amount')]
  const codes = sums.map((each) => currencyOf(valueAt(each, 'valueCurrency', 'currencyCode')))
  const printed = sums.map((each) => printedCurrency(printOf(each)))
  return {
    ...emptyRecord(),
    invoice_number: text('InvoiceId'),
    date: dayOf(valueAt(fields, 'InvoiceDate', 'valueDate')),
    due_date: dayOf(valueAt(fields, 'DueDate', 'valueDate')),
    supplier_name: text('VendorName') ?? text('VendorAddressRecipient'),
    supplier_address: addressOf(valueAt(fields, 'VendorAddress', 'content')),
    customer_name: text('CustomerName') ?? text('CustomerAddressRecipient'),
    currency: [...codes, ...printed].find((code) => code !== null) ?? null,
    subtotal: money('SubTotal'),
    total_tax: money('TotalTax'),
    total_amount: money('InvoiceTotal') ?? money('AmountDue'),
    amount_due: money('AmountDue'),
    taxes: listAt(fields, 'TaxDetails', 'valueArray').map((tax) => ({
      rate: rate(valueAt(tax, 'valueObject', 'Rate')),
      base: null,
      amount: amount(valueAt(tax, 'valueObject', 'Amount')),
    })),
    line_items: items.map((item) => ({
      description: textOf(valueAt(item, 'Description', 'valueString')) ?? printOf(valueAt(item, 'Description')),
      quantity: numberOf(valueAt(item, 'Quantity', 'valueNumber')) ?? printedNumber(printOf(valueAt(item, 'Quantity')), decimal),
      unit_price: amount(valueAt(item, 'UnitPrice')),
      adjustment: null,
      total_amount: amount(valueAt(item, 'Amount')),
      tax_rate: rate(valueAt(item, 'TaxRate')),
    })),
  }
}

/** The printed text of a field. */
const printOf = (field: unknown): string | null => textOf(valueAt(field, 'content'))
