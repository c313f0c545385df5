import type { Truth } from './model.js'

/** Whether a field was read as it is: the name of the field, and what was found instead. */
export interface Mark {
  readonly field: string
  readonly right: boolean
  readonly wanted: unknown
  readonly got: unknown
}

type Reading = { readonly [K in keyof Truth]: unknown } & { readonly line_items: readonly { readonly [key: string]: unknown }[] }

const FIELDS = ['invoice_number', 'date', 'due_date', 'supplier_name', 'supplier_address', 'customer_name', 'currency', 'subtotal', 'total_tax', 'total_amount'] as const
const LINE_FIELDS = ['description', 'quantity', 'unit_price', 'total_amount', 'tax_rate'] as const

export function marksOf(truth: Truth, reading: Reading): Mark[] {
  const marks = FIELDS.map((field) => markOf(field, truth[field], reading[field]))
  truth.line_items.forEach((line, at) => {
    for (const field of LINE_FIELDS) marks.push(markOf(`line.${field}`, line[field], reading.line_items[at]?.[field] ?? null))
  })
  const more = reading.line_items.length - truth.line_items.length
  if (more > 0) marks.push({ field: 'line.count', right: false, wanted: truth.line_items.length, got: reading.line_items.length })
  return marks
}

function markOf(field: string, wanted: unknown, got: unknown): Mark {
  return { field, right: isSame(wanted, got), wanted, got }
}

function isSame(wanted: unknown, got: unknown): boolean {
  if (typeof wanted === 'number' && typeof got === 'number') return Math.abs(Math.abs(wanted) - Math.abs(got)) < 0.006
  if (typeof wanted === 'string' && typeof got === 'string') return plain(wanted) === plain(got)
  return wanted === got
}

const plain = (text: string): string => text.normalize('NFD').replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()
