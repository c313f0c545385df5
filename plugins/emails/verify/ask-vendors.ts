import { Fault, mostUseful, type HandlerContext } from '../../../core/sdk/index.js'
import { smtp } from '../../_vendors/smtp.js'
import { verifyVendors, type Verdict, type VerifyInput } from './contract.js'
import { isUnasked } from './finding.js'

/** Time for the age of the domain, which is looked up after the vendors. */
export const AGE_MS = 2_500
/** Time reserved after the vendors: the age of the domain, and the answer. */
const AFTERWARDS_MS = AGE_MS + 500
/** With less time left a vendor is not called. */
const LEAST_MS = 1_000

/**
 * Calls the vendors in order until one has a definite result, while there is time. An unknown result from all is an
 * answer, except when the mail servers could not be reached and a vendor failed. `unresolved` is why the mail hosts
 * are not known, null when they are. Throws the most useful Fault when no vendor answered.
 */
export async function askVendors<S>(input: VerifyInput, unresolved: Fault | null, ctx: HandlerContext<S>): Promise<Verdict> {
  const vendors = ctx.providers(verifyVendors).filter((vendor) => vendor.serves(input))
  const faults: Fault[] = unresolved === null ? [] : [unresolved]
  let unsure: Verdict | null = null
  let unasked: Verdict | null = null
  for (const { id } of vendors) {
    const withinMs = Math.floor(ctx.timeLeft() - AFTERWARDS_MS)
    if (withinMs < LEAST_MS) {
      faults.push(new Fault('busy', 'No time was left to call every vendor.'))
      break
    }
    const question = { ...input, left_ms: Math.min(input.left_ms, withinMs) }
    const found = await ctx.aside((side) => askVendor(id, question, side), { withinMs })
    if (found === null || 'error' in found) {
      faults.push(found === null ? new Fault('busy', 'No vendor answered in time.') : faultOf(found.error))
      continue
    }
    if (found.verdict.status !== 'unknown') return found.verdict
    if (id === smtp.id && isUnasked(found.verdict)) unasked = found.verdict
    else unsure ??= found.verdict
  }
  if (unsure !== null) return unsure
  if (faults.length > 0) throw mostUseful(faults)
  return unasked ?? (await ctx.call(verifyVendors, input))
}

/** A vendor's answer or failure: the context of the side work reports no failures. */
async function askVendor<S>(
  id: string,
  input: VerifyInput,
  side: HandlerContext<S>,
): Promise<{ readonly verdict: Verdict } | { readonly error: unknown }> {
  try {
    return { verdict: await side.call(verifyVendors, input, { only: id }) }
  } catch (error) {
    if (side.signal.aborted) throw error
    return { error }
  }
}

/** The failure of one vendor after which another may be called; throws any other. */
function faultOf(error: unknown): Fault {
  if (!Fault.is(error) || (error.kind === 'invalid' && error.status === undefined)) throw error
  return error
}
