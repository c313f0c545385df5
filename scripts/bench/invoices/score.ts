import type { InvoiceTruth, LineTruth } from './types.js'

/** One field of an answer held against the truth. */
export interface Field {
  /** `total_amount`, or `line_items.quantity`. */
  readonly name: string
  /** Place of its line, from 0; null for fields of the whole invoice. */
  readonly line: number | null
  readonly right: boolean
  readonly wanted: unknown
  readonly got: unknown
}

const HEAD = [
  'invoice_number',
  'date',
  'due_date',
  'supplier_name',
  'supplier_address',
  'customer_name',
  'currency',
  'subtotal',
  'total_tax',
  'total_amount',
] as const
const LINE = ['description', 'quantity', 'unit_price', 'total_amount', 'tax_rate'] as const
/** Written one way only. */
const LITERAL: readonly string[] = ['date', 'due_date', 'currency']
/** Amounts are the same to the cent. */
const CENT = 0.005

/**
 * Every field of an answer, and whether it is right. Texts are compared by their letters and digits alone, without case and accents; dates and currencies as
 * they are; numbers to the cent. What the truth has as null must be null. Lines are paired in their order so that most fields are right; each field of a line
 * that is missing or that nobody printed is wrong.
 */
export function scored(truth: InvoiceTruth, answer: InvoiceTruth | null): Field[] {
  const head = HEAD.map((name) => field(name, null, truth[name], answer === null ? undefined : answer[name]))
  return [...head, ...paired(truth.line_items, answer?.line_items ?? []).flatMap(([wanted, got], line) => lineFields(wanted, got, line))]
}

function same(name: string, wanted: unknown, got: unknown): boolean {
  if (wanted === null || got === null || got === undefined) return wanted === null && got === null
  if (typeof wanted === 'number') return typeof got === 'number' && Math.abs(wanted - got) < CENT
  if (typeof wanted !== 'string' || typeof got !== 'string') return false
  return LITERAL.includes(name) ? wanted === got : folded(wanted) === folded(got)
}

function folded(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/ł/g, 'l')
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}]/gu, '')
}

type Pair = readonly [wanted: LineTruth | null, got: LineTruth | null]

/** The pairing with most right fields that keeps the order of both lists. */
function paired(wanted: readonly LineTruth[], got: readonly LineTruth[]): Pair[] {
  const best: number[][] = Array.from({ length: wanted.length + 1 }, () => Array.from({ length: got.length + 1 }, () => 0))
  const value = (row: number, column: number) => best[row]?.[column] ?? 0
  for (let row = wanted.length - 1; row >= 0; row--)
    for (let column = got.length - 1; column >= 0; column--) {
      const cells = best[row]
      if (cells !== undefined)
        cells[column] = Math.max(
          value(row + 1, column),
          value(row, column + 1),
          value(row + 1, column + 1) + right(wanted[row], got[column]),
        )
    }
  const pairs: Pair[] = []
  for (let row = 0, column = 0; row < wanted.length || column < got.length;) {
    const [one = null, other = null] = [wanted[row], got[column]]
    if (one !== null && other !== null && value(row, column) === value(row + 1, column + 1) + right(one, other)) {
      pairs.push([one, other])
      row++
      column++
    } else if (one !== null && (other === null || value(row, column) === value(row + 1, column))) {
      pairs.push([one, null])
      row++
    } else {
      pairs.push([null, other])
      column++
    }
  }
  return pairs
}

function right(wanted: LineTruth | undefined, got: LineTruth | undefined): number {
  if (wanted === undefined || got === undefined) return 0
  return LINE.filter((name) => same(name, wanted[name], got[name])).length
}

function lineFields(wanted: LineTruth | null, got: LineTruth | null, line: number): Field[] {
  return LINE.map((name) => field(name, line, wanted === null ? undefined : wanted[name], got === null ? undefined : got[name]))
}

function field(name: string, line: number | null, wanted: unknown, got: unknown): Field {
  const right = wanted !== undefined && same(name, wanted, got)
  return { name: line === null ? name : `line_items.${name}`, line, right, wanted, got }
}
