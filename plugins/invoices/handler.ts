import { Fault, handle } from '../../core/sdk/index.js'
import { withoutContradictions } from './arithmetic/without-contradictions.js'
import { type Judged, vendorAnswers } from './vendor-answers.js'
import { invoicesParse, type Invoice } from './contract.js'
import { documentAt } from './document.js'
import type { InvoiceRecord } from './record.js'
import { settings } from './settings.js'

/** Most lines of an answer, and most characters of a text. */
const MOST_LINES = 2_000
const MOST_TEXT = 2_000
const MOST_REMARKS = 20

/** Fetches the document once and calls the vendors in order until the amounts add up; returns the best answer by arithmetic. */
export const invoicesHandler = handle(
  invoicesParse,
  async ({ document_url }, ctx) => {
    ctx.progress('fetching', document_url)
    const { answers, failure } = await ofDocument(async () => await vendorAnswers(await documentAt(document_url, ctx), ctx))
    const best = bestOf(answers)
    const { record, notes } = withoutContradictions(best.record, best.judgement)
    if (!hasAmounts(record))
      throw (
        failure ??
        new Fault('missing', 'No amounts were found in the document: it may be no invoice, or not be readable.', {
          remedy: 'Send an invoice or a receipt; documents.extract reads other documents by a schema.',
        })
      )
    const remarks = [...record.notes, ...notes]
    for (const remark of remarks.slice(0, MOST_REMARKS)) ctx.note(remark)
    if (remarks.length > MOST_REMARKS)
      ctx.note(`${String(remarks.length - MOST_REMARKS)} further fields contradict others and are left out.`)
    if (answers.length > 1)
      ctx.note(`The answer is that of ${best.vendor}, whose amounts fit best of ${answers.map(({ vendor }) => vendor).join(', ')}.`)
    if (record.line_items.length > MOST_LINES)
      ctx.note(`Of ${String(record.line_items.length)} line items the first ${String(MOST_LINES)} are given.`)
    return invoiceOf(record)
  },
  { settings },
)

/** Sender's data first, then answers that add up, then those that satisfy most rules; among equals the first. */
function bestOf(answers: readonly Judged[]): Judged {
  const rank = ({ record, judgement }: Judged) => [Number(record.exact), Number(judgement.adds), judgement.score]
  return answers.reduce((best, other) => {
    const [difference = 0] = rank(other)
      .map((value, place) => value - (rank(best)[place] ?? 0))
      .filter((each) => each !== 0)
    return difference > 0 ? other : best
  })
}

/** Errors of the file are reported at its input field. */
async function ofDocument<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!Fault.is(error) || error.kind !== 'invalid' || error.loc !== undefined) throw error
    throw new Fault('invalid', error.message, { cause: error, loc: ['document_url'], costly: error.costly })
  }
}

/** A name and a date alone do not make an invoice. */
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
