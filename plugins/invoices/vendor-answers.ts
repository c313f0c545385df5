import { Fault, mostUseful, type HandlerContext, type Static } from '../../core/sdk/index.js'
import { chat } from '../llm/contract.js'
import { eInvoice } from '../_vendors/e-invoice.js'
import { layout } from '../_vendors/layout.js'
import { completed } from './arithmetic/completed.js'
import { judge, type Judgement } from './arithmetic/judge.js'
import { invoiceVendors, type InvoiceInput } from './contract.js'
import { modelSees } from './model.js'
import type { InvoiceRecord } from './record.js'
import type { settings } from './settings.js'

/** Time reserved for the vendors after one that does not answer. */
const RESERVE_MS = 20_000
/** With less time left no vendor is started. */
const LEAST_MS = 1_000
/** Providers on this machine, which are free. */
const FREE: readonly string[] = [eInvoice.id, layout.id]
/** Faults of vendors that have read nothing and charge nothing. */
const UNREAD: readonly Fault['kind'][] = ['busy', 'quota', 'credentials', 'blocked', 'broken', 'invalid']

type Context = HandlerContext<Static<typeof settings>>

/** A vendor's record, and how well its amounts add up. */
export interface Judged {
  readonly vendor: string
  readonly record: InvoiceRecord
  readonly judgement: Judgement
}

/** Results of the vendors. */
interface VendorAnswers {
  /** At least one. */
  readonly answers: readonly Judged[]
  /** The failure of a vendor that might have read more; null when none failed. */
  readonly failure: Fault | null
}

/**
 * Calls the vendors in order until an answer adds up or none are left; at least one answer is returned. At most
 * `paid_tries` paid vendors read the document. Throws the most useful Fault when there is no answer.
 */
export async function vendorAnswers(input: InvoiceInput, ctx: Context): Promise<VendorAnswers> {
  const vendors = ctx.providers(invoiceVendors).filter((vendor) => vendor.serves(input))
  if (vendors.length === 0 && input.content_type === 'image/heic')
    throw new Fault('invalid', 'No vendor that is configured here reads HEIC: give the photo as JPEG or PNG, or the invoice as PDF.')
  if (vendors.length === 0) return { answers: [judged('', await ctx.call(invoiceVendors, input))], failure: null }
  const models = ctx.providers(chat).map(({ id }) => id)
  const answers: Judged[] = []
  const faults: Fault[] = []
  const most = ctx.settings.paid_tries
  let [paid, left] = [0, 0]
  for (const [place, { id }] of vendors.entries()) {
    const isPaid = !FREE.includes(id) && !(models.includes(id) && !modelSees(input, ctx, id))
    const withinMs = ctx.timeLeft() - (place === vendors.length - 1 ? 0 : RESERVE_MS)
    if (isPaid && paid >= most) left += 1
    if (isPaid && paid >= most) continue
    if (withinMs < LEAST_MS) {
      faults.push(late())
      continue
    }
    ctx.progress('reading', id, place, vendors.length)
    const outcome = await outcomeOf(id, input, { ctx, withinMs })
    if (isPaid && !(Fault.is(outcome) && UNREAD.includes(outcome.kind))) paid += 1
    if (outcome === null || Fault.is(outcome)) faults.push(outcome ?? late())
    else {
      const answer = judged(id, outcome)
      answers.push(answer)
      if (answer.judgement.adds || outcome.exact) break
    }
  }
  if (answers.length === 0) throw mostUseful(faults)
  if (left > 0 && answers.at(-1)?.judgement.adds === false) ctx.note(skippedNote(left, most))
  const failed = faults.filter(({ kind }) => kind !== 'missing' && kind !== 'invalid')
  return { answers, failure: failed.length === 0 ? null : mostUseful(failed) }
}

const skippedNote = (left: number, most: number): string =>
  `${left === 1 ? 'One further service was' : `${String(left)} further services were`} not asked: at most ${String(most)} read one invoice here.`

const late = (): Fault => new Fault('busy', 'No vendor answered in time.')

/** One vendor's answer or Fault, also for missing local dependencies; null on a timeout. A Fault of the file itself ends the call. */
async function outcomeOf(
  only: string,
  input: InvoiceInput,
  { ctx, withinMs }: { readonly ctx: Context; readonly withinMs: number },
): Promise<InvoiceRecord | Fault | null> {
  let isLate = true
  let failure = late()
  const onFailure = (fault: Fault): void => void (failure = fault)
  const ask = async (side: Context): Promise<InvoiceRecord> => {
    try {
      return await side.call(invoiceVendors, input, { only })
    } catch (error) {
      isLate = !Fault.is(error)
      throw error
    }
  }
  const outcome = await ctx.aside(ask, { withinMs, onFailure })
  if (outcome !== null) return outcome
  if (failure.kind === 'invalid' && failure.status === undefined) throw failure
  return isLate && !failure.unavailable ? null : failure
}

function judged(vendor: string, found: InvoiceRecord): Judged {
  const record = completed(found)
  return { vendor, record, judgement: judge(record) }
}
