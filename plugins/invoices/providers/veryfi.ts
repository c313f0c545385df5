import { provider, Type } from '../../../core/sdk/index.js'
import { valueAt, listAt } from '../../_shared/value-at.js'
import { veryfi as vendor } from '../../_vendors/veryfi.js'
import { invoiceVendors } from '../contract.js'
import { emptyRecord } from '../empty-record.js'
import { jsonWithFile } from '../json-file.js'
import type { InvoiceRecord } from '../record.js'
import { addressOf, currencyOf, dayOf, numberOf, percentOf, printedNumber, textOf } from '../vendor-values.js'

const MOST_BYTES = 20_000_000
const MOST_PAGES = 30
const TAKEN = ['application/pdf', 'image/jpeg', 'image/png', 'image/webp', 'image/heic']
const Reply = Type.Record(Type.String(), Type.Unknown())

export const veryfi = provider(invoiceVendors, {
  vendor,
  rank: 30,
  timeoutMs: 30_000,
  serves: ({ file, content_type }) => file.size <= MOST_BYTES && TAKEN.includes(content_type),
  run: async ({ file, extension }, context) => {
    const data = await jsonWithFile(file, context.scratch, (file_data) => ({
      file_data,
      file_name: `invoice.${extension}`,
      max_pages_to_process: MOST_PAGES,
      auto_delete: true,
    }))
    const bytes = { data, contentType: 'application/json' }
    const reply = await context.api.json({ method: 'POST', path: '/documents/', bytes }, Reply)
    const document = valueAt(reply, 'data') ?? reply
    return valueAt(document, 'id') === undefined ? null : recordOf(document)
  },
})

/** A number, or a text with a printed number. */
const amountOf = (value: unknown): number | null => numberOf(value) ?? printedNumber(value)

function recordOf(document: unknown): InvoiceRecord {
  const number = (name: string) => amountOf(valueAt(document, name))
  const kind = textOf(valueAt(document, 'document_type')) ?? ''
  const [discount, shipping, tip] = [number('discount') ?? 0, number('shipping') ?? 0, number('tip')]
  const adjustment = shipping - Math.abs(discount)
  const [subtotal, tax, total] = [number('subtotal'), number('tax'), number('total')]
  // Some documents state the subtotal before document-level discounts and shipping, which only the total reflects.
  const before =
    adjustment !== 0 && subtotal !== null && total !== null && Math.abs(subtotal + adjustment + (tax ?? 0) + (tip ?? 0) - total) < 0.011
  return {
    ...emptyRecord(),
    document_type: /credit/i.test(kind) ? 'credit_note' : kind === 'receipt' ? 'receipt' : kind === 'invoice' ? 'invoice' : null,
    invoice_number: textOf(valueAt(document, 'invoice_number')),
    date: dayOf(valueAt(document, 'date')),
    due_date: dayOf(valueAt(document, 'due_date')),
    supplier_name: textOf(valueAt(document, 'vendor', 'name')) ?? textOf(valueAt(document, 'vendor', 'raw_name')),
    supplier_address: addressOf(valueAt(document, 'vendor', 'address')),
    customer_name: textOf(valueAt(document, 'bill_to', 'name')) ?? textOf(valueAt(document, 'ship_to', 'name')),
    currency: currencyOf(valueAt(document, 'currency_code')),
    subtotal: before ? Number((subtotal + adjustment).toFixed(4)) : subtotal,
    total_tax: tax,
    total_amount: total,
    adjustment: adjustment === 0 ? null : adjustment,
    // A tip is added after tax, like rounding.
    rounding: tip,
    taxes: listAt(document, 'tax_lines').map((line) => ({
      rate: percentOf(valueAt(line, 'rate')),
      base: amountOf(valueAt(line, 'base')),
      amount: amountOf(valueAt(line, 'total')),
    })),
    line_items: listAt(document, 'line_items').map(lineOf),
  }
}

function lineOf(line: unknown): InvoiceRecord['line_items'][number] {
  const number = (name: string) => amountOf(valueAt(line, name))
  const [quantity, price, total, discount] = [number('quantity'), number('price'), number('total'), number('discount')]
  return {
    description: textOf(valueAt(line, 'description')),
    quantity,
    unit_price: price ?? (quantity !== null && quantity !== 0 && total !== null ? Number((total / quantity).toFixed(4)) : null),
    adjustment: discount === null || discount === 0 || price === null ? null : 0 - Math.abs(discount),
    total_amount: total,
    tax_rate: percentOf(valueAt(line, 'tax_rate')),
  }
}
