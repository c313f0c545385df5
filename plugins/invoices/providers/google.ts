import { provider, Type } from '../../../core/sdk/index.js'
import { valueAt, listAt } from '../../_shared/value-at.js'
import { google as vendor } from '../../_vendors/google.js'
import { invoiceVendors } from '../contract.js'
import { emptyRecord } from '../empty-record.js'
import { accessToken } from '../google-token.js'
import { jsonWithFile } from '../json-file.js'
import type { InvoiceRecord } from '../record.js'
import { decimalIn, type Decimal } from '../layout/amount.js'
import { addressOf, currencyOf, numberOf, percentOf, printedCurrency, printedNumber, textOf } from '../vendor-values.js'

const MOST_BYTES = 20_000_000
const MOST_PAGES = 15
const NANOS = 1e9
const TAKEN = ['application/pdf', 'image/tiff', 'image/gif', 'image/jpeg', 'image/png', 'image/webp']
const Reply = Type.Object({
  document: Type.Object({
    entities: Type.Optional(Type.Array(Type.Object({ type: Type.String() }))),
    error: Type.Optional(Type.Unknown()),
  }),
})

export const google = provider(invoiceVendors, {
  vendor,
  rank: 50,
  timeoutMs: 30_000,
  needs: ['project', 'processor'],
  serves: ({ file, content_type, pages }) => file.size <= MOST_BYTES && TAKEN.includes(content_type) && (pages ?? 1) <= MOST_PAGES,
  run: async ({ file, content_type }, context) => {
    const { project, processor, location } = context.settings
    const token = await accessToken(context)
    const data = await jsonWithFile(file, context.scratch, (content) => ({
      rawDocument: { content, mimeType: content_type },
      skipHumanReview: true,
      fieldMask: 'entities,error',
    }))
    const { document } = await context.api.json(
      {
        method: 'POST',
        ...(location === 'eu' ? { host: 'eu' } : {}),
        path: `/projects/${project ?? ''}/locations/${location}/processors/${processor ?? ''}:process`,
        headers: { authorization: `Bearer ${token}` },
        bytes: { data, contentType: 'application/json' },
      },
      Reply,
    )
    return document.entities === undefined || document.entities.length === 0 ? null : recordOf(document.entities)
  },
})

function recordOf(entities: readonly unknown[]): InvoiceRecord {
  const decimal = decimalIn(entities.flatMap((each) => [each, ...listAt(each, 'properties')]).map((each) => printOf(each) ?? ''))
  const amountOf = (entity: unknown) => amountIn(entity, decimal)
  const entity = (type: string) => best(entities, type)
  const text = (type: string) => printOf(entity(type))
  const total = amountOf(entity('total_amount')) ?? amountOf(entity('amount_due'))
  const money = ['total_amount', 'net_amount', 'amount_due'].map(entity)
  const codes = money.map((each) => valueAt(each, 'normalizedValue', 'moneyValue', 'currencyCode'))
  const currency = [valueAt(entity('currency'), 'normalizedValue', 'text'), text('currency'), ...codes].map(currencyOf)
  const printed = [entity('currency'), ...money].map((each) => printedCurrency(printOf(each)))
  return {
    ...emptyRecord(),
    invoice_number: text('invoice_id'),
    date: dateOf(entity('invoice_date')),
    due_date: dateOf(entity('due_date')),
    supplier_name: text('supplier_name'),
    supplier_address: addressOf(valueAt(entity('supplier_address'), 'mentionText')),
    customer_name: text('receiver_name') ?? text('ship_to_name'),
    currency: [...currency, ...printed].find((code) => code !== null) ?? null,
    subtotal: amountOf(entity('net_amount')),
    total_tax: amountOf(entity('total_tax_amount')),
    total_amount: total,
    amount_due: amountOf(entity('amount_due')),
    taxes: entities
      .filter((each) => valueAt(each, 'type') === 'vat')
      .map((vat) => {
        const part = (type: string) => best(listAt(vat, 'properties'), type)
        return {
          rate: percentOf(printOf(part('vat/tax_rate'))),
          base: amountOf(part('vat/amount')),
          amount: amountOf(part('vat/tax_amount')),
        }
      }),
    line_items: entities.filter((each) => valueAt(each, 'type') === 'line_item').map((line) => lineOf(line, amountOf)),
  }
}

function lineOf(line: unknown, amountOf: (entity: unknown) => number | null): InvoiceRecord['line_items'][number] {
  const part = (type: string) => best(listAt(line, 'properties'), `line_item/${type}`)
  return {
    description: printOf(part('description')),
    quantity: amountOf(part('quantity')),
    unit_price: amountOf(part('unit_price')),
    adjustment: null,
    total_amount: amountOf(part('amount')),
    tax_rate: null,
  }
}

/** The printed text of an entity. */
const printOf = (entity: unknown): string | null => textOf(valueAt(entity, 'mentionText'))

/** The entity of a type with the vendor's highest confidence. */
function best(entities: readonly unknown[], type: string): unknown {
  const sureness = (entity: unknown) => numberOf(valueAt(entity, 'confidence')) ?? 0
  return entities.filter((entity) => valueAt(entity, 'type') === type).sort((one, other) => sureness(other) - sureness(one))[0]
}

/** Money in units and billionths, a number, or digits with a point; else the printed text, which the vendor did not normalise. */
function amountIn(entity: unknown, decimal: Decimal | null): number | null {
  const value = valueAt(entity, 'normalizedValue')
  const money = valueAt(value, 'moneyValue')
  if (money !== undefined) return Number(valueAt(money, 'units') ?? 0) + (numberOf(valueAt(money, 'nanos')) ?? 0) / NANOS
  const plain = numberOf(valueAt(value, 'floatValue')) ?? numberOf(valueAt(value, 'integerValue'))
  if (plain !== null) return plain
  const normalised = textOf(valueAt(value, 'text')) ?? ''
  return /^-?\d+(?:\.\d+)?$/.test(normalised) ? Number(normalised) : printedNumber(printOf(entity), decimal)
}

function dateOf(entity: unknown): string | null {
  const value = valueAt(entity, 'normalizedValue')
  const text = /^\d{4}-\d\d-\d\d$/.exec(textOf(valueAt(value, 'text')) ?? '')?.[0]
  if (text !== undefined) return text
  const [year, month, day] = ['year', 'month', 'day'].map((part) => numberOf(valueAt(value, 'dateValue', part)))
  if (!year || !month || !day) return null
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}
