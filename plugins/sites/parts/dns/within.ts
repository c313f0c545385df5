import { Fault, type Services } from '../../../../core/sdk/index.js'

/** The result of work, or null with a note when it fails or takes longer. Throws when the call ends. */
export async function within<T>(ms: number, about: string, work: () => Promise<T>, ctx: Services): Promise<T | null> {
  const late = Symbol()
  try {
    const result = await Promise.race([work(), ctx.wait(Math.max(0, Math.min(ms, ctx.timeLeft() - 500))).then(() => late)])
    if (typeof result !== 'symbol') return result
    ctx.note(`${about}: Nothing came in time.`)
  } catch (error) {
    if (!Fault.is(error) || ctx.signal.aborted) throw error
    ctx.note(`${about}: ${error.message}`)
  }
  return null
}
