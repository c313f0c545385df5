import { Fault, type Call, type ProviderContext, type Static, type TSchema } from '../../core/sdk/index.js'

/** Below this, another try is pointless. */
const LEAST_MS = 1_000
const LEAST_PAUSE_MS = 100

/**
 * Repeats a request while the vendor answers 202, which its `fault` maps to a `busy` Fault with a pause, and time is
 * left for another try. Rejects with that Fault when no time is left, and with any other Fault at once.
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
