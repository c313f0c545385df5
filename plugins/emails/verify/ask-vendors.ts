import { Fault, mostUseful, type HandlerContext } from '../../../core/sdk/index.js'
import { smtp } from '../../_vendors/smtp.js'
import { verifyVendors, type Verdict, type VerifyInput } from './contract.js'
import { isUnasked } from './finding.js'

/** For the age of the domain, which is looked up after the vendors. */
export const AGE_MS = 2_500
/** What is left to the call after the vendors: the age of the domain, and the answer. */
const AFTERWARDS_MS = AGE_MS + 500
/** With less left a vendor is not asked. */
const LEAST_MS = 1_000

/**
 * Asks the vendors one after the other until one knows, as long as there is time. That none of them knows is an answer, but not where the mail servers
 * could not be asked and a vendor failed. `unresolved` is why the mail hosts are not known, null when they are. Throws the most useful Fault when nobody
 * answered.
 */
export async function askVendors<S>(input: VerifyInput, unresolved: Fault | null, ctx: HandlerContext<S>): Promise<Verdict> {
  const vendors = ctx.providers(verifyVendors).filter((vendor) => vendor.serves(input))
  const faults: Fault[] = unresolved === null ? [] : [unresolved]
  let unsure: Verdict | null = null
  let unasked: Verdict | null = null
  for (const { id } of vendors) {
    const withinMs = Math.floor(ctx.timeLeft() - AFTERWARDS_MS)
    if (withinMs < LEAST_MS) {
      faults.push(new Fault('busy', 'No time was left to ask every vendor.'))
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

/** What the vendor answers or fails with: the context of the side work reports no failures. */
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

/** The failure of one vendor after which another may be asked; throws any other. */
function faultOf(error: unknown): Fault {
  if (!Fault.is(error) || (error.kind === 'invalid' && error.status === undefined)) throw error
  return error
}
