import { Fault, isRecord, parseUrl, poll, provider, type SettingsOf, type Static, Type } from '../../../core/sdk/index.js'
import { valueAt, listAt } from '../../_shared/value-at.js'
import { mindee as vendor } from '../../_vendors/mindee.js'
import { invoiceVendors } from '../contract.js'
import { emptyRecord } from '../empty-record.js'
import type { InvoiceRecord } from '../record.js'
import { addressOf, areShares, asPercent, currencyOf, dayOf, numberOf, textOf } from '../vendor-values.js'

type Settings = SettingsOf<typeof vendor>

const MOST_BYTES = 100_000_000
const TAKEN = ['application/pdf', 'image/jpeg', 'image/png', 'image/webp', 'image/tiff', 'image/heic']
const nullableText = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const Created = Type.Object({ job: Type.Object({ id: Type.String({ minLength: 1 }) }) })
/** A job, or the result itself in the last poll. */
const PollReply = Type.Object({
  job: Type.Optional(Type.Object({ status: Type.String(), result_url: nullableText, error: Type.Optional(Type.Unknown()) })),
  inference: Type.Optional(Type.Unknown()),
})
/** A new job is not finished yet: the first poll comes after a pause. */
const BEGUN: Static<typeof PollReply> = { job: { status: 'Processing' } }
const Result = Type.Object({ inference: Type.Object({ result: Type.Object({ fields: Type.Record(Type.String(), Type.Unknown()) }) }) })

export const mindee = provider(invoiceVendors, {
  vendor,
  rank: 20,
  timeoutMs: 30_000,
  needs: ['model_id'],
  serves: ({ file, content_type }) => file.size <= MOST_BYTES && TAKEN.includes(content_type),
  run: async ({ file, content_type, extension }, context) => {
    const multipart = [
      { name: 'model_id', data: context.settings.model_id ?? '' },
      { name: 'file', filename: `invoice.${extension}`, contentType: content_type, data: file },
    ]
    const { job } = await context.api.json({ method: 'POST', path: '/v2/products/extraction/enqueue', multipart }, Created)
    const done = await poll<Settings, Static<typeof PollReply>, { path: string | null; inference: unknown }>(context, {
      first: BEGUN,
      ask: (own) => own.api.json({ path: `/v2/jobs/${encodeURIComponent(job.id)}` }, PollReply),
      read: ({ job: state, inference }) => {
        if (isRecord(inference)) return { state: 'done', result: { path: null, inference } }
        if (state?.status === 'Failed') return { state: 'failed', fault: new Fault('missing', 'mindee could not read the document.') }
        const result = state?.status === 'Processed' ? resultPath(state.result_url) : null
        if (result !== null) return { state: 'done', result: { path: result, inference: null } }
        if (state?.status === 'Processing' || state?.status === 'Processed') return { state: 'running', step: 'reading' }
        return { state: 'failed', fault: new Fault('broken', 'mindee returned an unknown state of the job.') }
      },
      firstMs: 2_000,
      factor: 1,
    })
    const inference = done.path === null ? done.inference : (await context.api.json({ path: done.path }, Result)).inference
    return recordOf(valueAt(inference, 'result', 'fields'))
  },
})

/** A path relative to the vendor's configured address, whatever host the reply names. */
function resultPath(address: string | null | undefined): string | null {
  const path = address === null || address === undefined ? null : parseUrl(address, 'https://api-v2.mindee.net')?.pathname
  return path?.startsWith('/v2/') === true ? path : null
}

/** Fields are those of the account's own model: all are optional. */
function recordOf(fields: unknown): InvoiceRecord {
  const value = (...path: string[]) => valueAt(fields, ...path, 'value')
  const stated = listAt(fields, 'taxes', 'items').map((tax) => ({
    rate: numberOf(valueAt(tax, 'fields', 'rate', 'value')),
    base: numberOf(valueAt(tax, 'fields', 'base', 'value')),
    amount: numberOf(valueAt(tax, 'fields', 'amount', 'value')),
  }))
  const items = listAt(fields, 'line_items', 'items').map((item) => ({
    ...{
      text: (name: string) => textOf(valueAt(item, 'fields', name, 'value')),
      number: (name: string) => numberOf(valueAt(item, 'fields', name, 'value')),
    },
  }))
  const ofLines = items.map(({ number }) => ({ rate: number('tax_rate'), base: number('total_price'), amount: number('tax_amount') }))
  const shares = areShares([...stated, ...ofLines])
  const address = ['complete', 'value', 'address']
    .map((name) => addressOf(value('supplier_address', 'fields', name)))
    .find((each) => each !== null)
  return {
    ...emptyRecord(),
    document_type: /credit/i.test(textOf(value('document_type')) ?? '') ? 'credit_note' : null,
    invoice_number: textOf(value('invoice_number')),
    date: dayOf(value('date')),
    due_date: dayOf(value('due_date')),
    supplier_name: textOf(value('supplier_name')),
    supplier_address: address ?? addressOf(value('supplier_address')),
    customer_name: textOf(value('customer_name')),
    currency: currencyOf(value('locale', 'fields', 'currency')) ?? currencyOf(value('currency')),
    subtotal: numberOf(value('total_net')),
    total_tax: numberOf(value('total_tax')),
    total_amount: numberOf(value('total_amount')),
    taxes: stated.map((tax) => ({ ...tax, rate: asPercent(tax.rate, shares) })),
    line_items: items.map(({ text, number }) => ({
      description: text('description'),
      quantity: number('quantity'),
      unit_price: number('unit_price'),
      adjustment: null,
      total_amount: number('total_price'),
      tax_rate: asPercent(number('tax_rate'), shares),
    })),
  }
}
