import { currencyFor } from './currency.js'
import { dateAndDue } from './dates.js'
import { paperOf, type Paper, type Read } from './document.js'
import { tableOf, type Line } from './items.js'
import { lineSums, settled, withoutSums } from './lines.js'
import { numberOf } from './number.js'
import { partiesOf } from './parties.js'
import { receiptLines } from './receipt.js'
import { cents, near, solved } from './solve.js'
import { sharesOf, sumsOf, unknownAdjustments, type Sum } from './sums.js'
import type { Invoice, Language, Page } from './types.js'

/** The result; empty without amounts. */
export interface Reading {
  readonly invoice: Invoice | null
  readonly language: Language | null
}

/** Reads an invoice from the positions of its words. */
export function readingOf(pages: readonly Page[]): Reading {
  const paper = paperOf(pages)
  const invoice = invoiceOf(paper)
  const hasAmounts = invoice.total_amount !== null || invoice.subtotal !== null || invoice.line_items.length > 0
  return { invoice: hasAmounts ? invoice : null, language: paper.language }
}

/** Totals that the lines of an invoice may sum to. */
const LINES_GIVE: readonly Sum['field'][] = ['subtotal', 'total', 'payable']

function invoiceOf(paper: Paper): Invoice {
  const table = tableOf(paper)
  const found = table.lines.length > 0 ? table.lines : receiptLines(paper)
  const taken = new Set<Read>([...table.rows, ...found.map(({ read }) => read)])
  const stated = sumsOf(paper, taken).filter(({ field }) => LINES_GIVE.includes(field))
  const lines = withoutSums(
    found,
    stated.map(({ value }) => value),
  )
  for (const line of found) if (!lines.includes(line)) taken.delete(line.read)
  const sums = sumsOf(paper, taken)
  const unknown = unknownAdjustments(paper, taken, sums)
  const { subtotal, tax, total, between, shares } = solved(sums, sharesOf(paper, taken, sums), lineSums(lines), {
    all: new Set(paper.rows.flatMap(({ amounts }) => amounts.map(({ value }) => Math.abs(value)))),
    recognised: paper.recognised,
    unknown,
  })
  const currency = currencyFor(paper, sums)
  const { date, due } = dateAndDue(paper, currency)
  const parties = partiesOf(paper, table.rows)
  const rates = new Set(shares.map(({ rate }) => rate))
  const isSplit = new Set(shares.map(({ name }) => name)).size < 2 || shares.every(({ base }) => base !== null)
  const [onlyRate = null] = rates.size === 1 && isSplit ? rates : []
  const lineTotal = lines.reduce((sum, line) => sum + (line.net ?? line.amount ?? line.gross ?? 0), 0)
  const isGross = total !== null && near(lineTotal, total) && (subtotal === null || !near(lineTotal, subtotal))
  const due_amount = amountOf(sums, 'payable')
  return {
    document_type: typeOf(paper, lines),
    invoice_number: numberOf(paper),
    date,
    due_date: due,
    supplier_name: parties.supplier,
    supplier_address: parties.address,
    customer_name: parties.customer,
    currency,
    subtotal,
    total_tax: tax,
    total_amount: total,
    adjustment: adjustmentOf(sums, unknown, { lineTotal, target: isGross ? total : subtotal }),
    rounding: between === 0 ? null : between,
    prepaid: absolute(amountOf(sums, 'prepaid')),
    amount_due: due_amount,
    prices_include_tax: lines.length === 0 ? null : isGross,
    taxes: shares.map(({ rate, base, amount }) => ({ rate, base, amount })),
    printed: printedOf(sums, { subtotal, total_tax: tax, total_amount: total }),
    notes: total === null && (subtotal !== null || lines.length > 0) ? [NO_TOTAL] : [],
    line_items: settled(lines, table.kinds, { sum: isGross ? total : subtotal, onlyRate, recognised: paper.recognised }),
  }
}

const NO_TOTAL = 'No total was found at a known label: total_amount is null, since it is not computed.'

/** The amounts with unambiguous labels. */
function printedOf(sums: readonly Sum[], found: Readonly<Record<Invoice['printed'][number], number | null>>): Invoice['printed'] {
  const fields = { subtotal: ['subtotal'], total_tax: ['tax'], total_amount: ['total', 'payable'] } as const
  return (['subtotal', 'total_tax', 'total_amount'] as const).filter((name) =>
    sums.some(({ field, value, sure }) => sure && value === found[name] && fields[name].some((each) => each === field)),
  )
}

function amountOf(sums: readonly Sum[], field: Sum['field']): number | null {
  const own = sums.filter((sum) => sum.field === field).sort((one, two) => two.weight - one.weight)
  return own[0]?.value ?? null
}

/**
 * Document-level discounts and charges: the difference between the lines and the subtotal, when a label names it or
 * an amount with an unlisted label equals it.
 */
function adjustmentOf(
  sums: readonly Sum[],
  unknown: readonly number[],
  { lineTotal, target }: { lineTotal: number; target: number | null },
): number | null {
  if (target === null || lineTotal === 0 || near(lineTotal, target)) return null
  const difference = cents(target - lineTotal)
  const named = sums.some(({ field }) => field === 'discount' || field === 'shipping')
  return named || unknown.some((value) => near(Math.abs(value), Math.abs(difference))) ? difference : null
}

function absolute(value: number | null): number | null {
  return value === null ? null : Math.abs(value)
}

const CREDIT =
  /gutschrift|stornorechnung|rechnungskorrektur|creditnote|creditmemo|factureavoir|^avoir|facturedavoir|rectificativa|notadecredito|notadicredito|notacredito|creditnota|creditfactuur|korygujaca|^korekta|^abono/
const RECEIPT = /receipt|kassenbon|quittung|ticket|scontrino|kassabon|recibo|paragon|simplificada|documentocommerciale|^bon$/

/** By its large words at the top. */
function typeOf({ rows }: Paper, lines: readonly Line[]): Invoice['document_type'] {
  const top = rows.slice(0, 40).map(({ row }) => row.tokens.map(({ folded }) => folded).join(''))
  if (top.some((text) => text.length < 60 && CREDIT.test(text))) return 'credit_note'
  if (top.some((text) => text.length < 50 && RECEIPT.test(text))) return 'receipt'
  return lines.length > 0 ? 'invoice' : null
}
