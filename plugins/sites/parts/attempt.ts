import { Fault, type Services } from '../../../core/sdk/index.js'

/** The result of work, or its Fault. Throws once the call is over, and errors that are not Faults. */
export async function attempt<T>(work: () => Promise<T>, ctx: Services): Promise<T | Fault> {
  try {
    return await work()
  } catch (error) {
    if (!Fault.is(error) || ctx.signal.aborted) throw error
    return error
  }
}
