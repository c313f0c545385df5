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

/** What is left of the call for the vendors behind one that does not answer. */
const RESERVE_MS = 20_000
/** With less than this no vendor is begun with. */
const LEAST_MS = 1_000
/** Those who read on this machine, which costs nobody anything. */
const FREE: readonly string[] = [eInvoice.id, layout.id]
/** A vendor that failed so has read nothing, and takes no money. */
const UNREAD: readonly Fault['kind'][] = ['busy', 'quota', 'credentials', 'blocked', 'broken', 'invalid']

type Context = HandlerContext<Static<typeof settings>>

/** What a vendor read, and how far its amounts add up. */
export interface Judged {
  readonly vendor: string
  readonly record: InvoiceRecord
  readonly judgement: Judgement
}

/** What came of the vendors. */
interface VendorAnswers {
  /** At least one. */
  readonly answers: readonly Judged[]
  /** With what a vendor failed that might have read more; null when none did. */
  readonly failure: Fault | null
}

/**
 * Asks the vendors one after the other: at least one answer, of which the last one adds up, or all were asked that may be. Of those that take money at most
 * `paid_tries` read the document. Throws the most useful Fault when nobody has an answer.
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
  if (left > 0 && answers.at(-1)?.judgement.adds === false) ctx.note(notAsked(left, most))
  const failed = faults.filter(({ kind }) => kind !== 'missing' && kind !== 'invalid')
  return { answers, failure: failed.length === 0 ? null : mostUseful(failed) }
}

const notAsked = (left: number, most: number): string =>
  `${left === 1 ? 'One further service was' : `${String(left)} further services were`} not asked: at most ${String(most)} read one invoice here.`

const late = (): Fault => new Fault('busy', 'No vendor answered in time.')

/** What one vendor says, or why it says nothing, also for want of something here; null when it took too long. A Fault that the file itself is at fault for ends the call. */
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
