import { Fault, type Services } from '../../../core/sdk/index.js'

/** What work gives, or the Fault it ends in. Throws once the call is over, and what is no Fault. */
export async function attempt<T>(work: () => Promise<T>, ctx: Services): Promise<T | Fault> {
  try {
    return await work()
  } catch (error) {
    if (!Fault.is(error) || ctx.signal.aborted) throw error
    return error
  }
}
