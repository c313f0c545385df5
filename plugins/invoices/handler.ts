import { Fault, handle, type HandlerContext } from '../../core/sdk/index.js'
import { completed } from './arithmetic/completed.js'
import { judge, type Judgement } from './arithmetic/judge.js'
import { withoutContradictions } from './arithmetic/without-contradictions.js'
import { invoicesParse, invoiceVendors, type Invoice, type InvoiceInput } from './contract.js'
import { documentAt } from './document.js'
import type { InvoiceRecord } from './record.js'

/** What is left of the call for the vendors behind one that does not answer. */
const RESERVE_MS = 20_000
/** With less than this no vendor is begun with. */
const LEAST_MS = 1_000
/** Lines of an answer, and characters of a text. */
const MOST_LINES = 2_000
const MOST_TEXT = 2_000
const MOST_REMARKS = 20

interface Judged {
  readonly vendor: string
  readonly record: InvoiceRecord
  readonly judgement: Judgement
}

/** Fetches the document once and asks the vendors one after the other until amounts add up; the best answer by arithmetic is given. */
export const invoicesHandler = handle(invoicesParse, async ({ document_url }, ctx) => {
  ctx.progress('fetching', document_url)
  const answers = await ofDocument(async () => await asked(await documentAt(document_url, ctx), ctx))
  const best = bestOf(answers)
  const { record, notes } = withoutContradictions(best.record, best.judgement)
  if (!hasAmounts(record)) throw new Fault('missing', 'No amounts were found in the document: it may be no invoice, or not be readable.')
  const remarks = [...record.notes, ...notes]
  for (const remark of remarks.slice(0, MOST_REMARKS)) ctx.note(remark)
  if (remarks.length > MOST_REMARKS) ctx.note(`${String(remarks.length - MOST_REMARKS)} further fields contradict others and are left out.`)
  if (answers.length > 1)
    ctx.note(`The answer is that of ${best.vendor}, whose amounts fit best of ${answers.map(({ vendor }) => vendor).join(', ')}.`)
  if (record.line_items.length > MOST_LINES)
    ctx.note(`Of ${String(record.line_items.length)} line items the first ${String(MOST_LINES)} are given.`)
  return invoiceOf(record)
})

/** Data of the sender before all, then what adds up, then what holds most rules; of equals the first that was asked. */
function bestOf(answers: readonly Judged[]): Judged {
  const rank = ({ record, judgement }: Judged) => [Number(record.exact), Number(judgement.adds), judgement.score]
  return answers.reduce((best, other) => {
    const [difference = 0] = rank(other)
      .map((value, place) => value - (rank(best)[place] ?? 0))
      .filter((each) => each !== 0)
    return difference > 0 ? other : best
  })
}

/** What is wrong with the file is said of the field that names it. */
async function ofDocument<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!Fault.is(error) || error.kind !== 'invalid' || error.loc !== undefined) throw error
    throw new Fault('invalid', error.message, { cause: error, loc: ['document_url'], costly: error.costly })
  }
}

/** At least one answer; the last one adds up, or all were asked. */
async function asked(input: InvoiceInput, ctx: HandlerContext): Promise<readonly Judged[]> {
  const vendors = ctx.providers(invoiceVendors).filter((vendor) => vendor.serves(input))
  if (vendors.length === 0 && input.content_type === 'image/heic')
    throw new Fault('invalid', 'No vendor that is configured here reads HEIC: give the photo as JPEG or PNG, or the invoice as PDF.')
  if (vendors.length === 0) return [judged('', await ctx.call(invoiceVendors, input))]
  const answers: Judged[] = []
  const faults: Fault[] = []
  for (const [place, { id }] of vendors.entries()) {
    ctx.progress('reading', id, place, vendors.length)
    const withinMs = ctx.timeLeft() - (place === vendors.length - 1 ? 0 : RESERVE_MS)
    if (withinMs < LEAST_MS) continue
    const outcome = await outcomeOf(id, input, { ctx, withinMs })
    if (Fault.is(outcome)) faults.push(outcome)
    else if (outcome !== null) {
      const answer = judged(id, outcome)
      answers.push(answer)
      if (answer.judgement.adds || outcome.exact) break
    }
  }
  if (answers.length === 0) throw mostUseful(faults)
  return answers
}

/** That nothing was found says more than that a vendor was busy or out of order, and that a vendor refused the file is of use only where all did. */
function mostUseful(faults: readonly Fault[]): Fault {
  const kinds = ['blocked', 'missing', 'busy', 'quota', 'credentials', 'broken', 'invalid']
  const [first] = [...faults].sort((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind))
  return first ?? new Fault('busy', 'No vendor answered in time.')
}

/** What one vendor says, or why it says nothing; null when it took too long. A Fault that the file itself is at fault for ends the call. */
async function outcomeOf(
  only: string,
  input: InvoiceInput,
  { ctx, withinMs }: { readonly ctx: HandlerContext; readonly withinMs: number },
): Promise<InvoiceRecord | Fault | null> {
  const outcome = await ctx.aside(
    async (side) => {
      try {
        return await side.call(invoiceVendors, input, { only })
      } catch (error) {
        if (Fault.is(error)) return error
        throw error
      }
    },
    { withinMs },
  )
  if (Fault.is(outcome) && outcome.kind === 'invalid' && outcome.status === undefined) throw outcome
  return outcome
}

function judged(vendor: string, found: InvoiceRecord): Judged {
  const record = completed(found)
  return { vendor, record, judgement: judge(record) }
}

/** A name and a date alone are no invoice. */
function hasAmounts({ subtotal, total_tax, total_amount, line_items }: InvoiceRecord): boolean {
  return [subtotal, total_tax, total_amount, ...line_items.map((line) => line.total_amount)].some((amount) => amount !== null)
}

function invoiceOf(record: InvoiceRecord): Invoice {
  return {
    invoice_number: bounded(record.invoice_number),
    date: record.date,
    due_date: record.due_date,
    supplier_name: bounded(record.supplier_name),
    supplier_address: bounded(record.supplier_address),
    customer_name: bounded(record.customer_name),
    currency: record.currency,
    subtotal: record.subtotal,
    total_tax: record.total_tax,
    total_amount: record.total_amount,
    line_items: record.line_items.slice(0, MOST_LINES).map(({ description, quantity, unit_price, total_amount, tax_rate }) => ({
      description: bounded(description),
      quantity,
      unit_price,
      total_amount,
      tax_rate,
    })),
  }
}

const bounded = (text: string | null): string | null => (text === null ? null : text.slice(0, MOST_TEXT))
