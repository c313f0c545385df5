import { Fault, type Call, type ProviderContext, type Static, type TSchema } from '../../core/sdk/index.js'

/** Below this a further try is of no use. */
const LEAST_MS = 1_000
const LEAST_PAUSE_MS = 100

/**
 * Sends a request again as long as the vendor answers 202, which its `fault` reads as a `busy` Fault with the pause to make, and there is time for
 * another try. Rejects with that Fault when there is none, and with any other Fault at once.
 */
export async function whenReady<S extends TSchema>(
  context: Pick<ProviderContext, 'api' | 'timeLeft' | 'wait' | 'progress'>,
  call: Call,
  reply: S,
): Promise<Static<S>> {
  for (;;) {
    try {
      return await context.api.json(call, reply)
    } catch (error) {
      if (!Fault.is(error) || error.status !== 202) throw error
      const pause = Math.max(LEAST_PAUSE_MS, (error.retryAfterSeconds ?? 1) * 1_000)
      if (context.timeLeft() < pause + LEAST_MS) throw error
      context.progress('searching')
      await context.wait(pause)
    }
  }
}
