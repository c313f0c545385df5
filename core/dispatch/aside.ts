import { lacksNames } from '../problems/own-lack.js'
import { problemFrom } from './from-error.js'
import { Problem } from '../problems/problem.js'
import { Fault } from '../sdk/index.js'
import { StoreUnavailable } from '../store/types.js'
import type { Environment } from './environment.js'
import { Stopped, Unavailable } from '../problems/errors.js'
import type { AsideRequest } from './port-request.js'
import type { PluginScope } from './context-scope.js'
import { runWithContext } from './context.js'

/**
 * Runs an optional part of a call with its own context and time limit. Returns null when it fails or exceeds the limit,
 * and cancels it. Throws only Stopped, when the call itself ends, and the error that no name server answers.
 */
export async function aside<T>(environment: Environment, scope: PluginScope, request: AsideRequest<T>): Promise<T | null> {
  const { task, withinMs, about, onFailure } = request
  const { cancel, call } = scope
  if (Number.isNaN(withinMs)) throw new TypeError('aside: withinMs is not a number')
  const step = cancel.step(Math.max(0, withinMs))
  try {
    return await runWithContext(environment, { ...scope, cancel: step.cancel, optional: true }, async (context) => await task(context))
  } catch (error) {
    if (cancel.reason !== null) throw new Stopped(cancel.reason)
    if (lacksNames(error)) throw error
    const fault = faultOf(error, withinMs)
    const { message: why, internal = null } = fault
    onFailure?.(fault)
    if (about !== undefined) call.note(`${about}: ${why}`)
    environment.log(internal === null ? 'part-left-out' : 'part-failed', `an optional part of a call was omitted: ${why}`, {
      request_id: call.requestId,
      ...(about === undefined ? {} : { about }),
      ...(internal === null ? {} : { internal }),
    })
    return null
  } finally {
    step.done()
  }
}

/** Why there is no result, as a Fault: its message is for the caller, `internal` for the log alone. */
function faultOf(error: unknown, withinMs: number): Fault {
  if (Fault.is(error)) return error
  if (error instanceof Stopped) return new Fault('busy', `No result within ${Math.round(withinMs)} ms.`, { cause: error })
  if (error instanceof Unavailable) return new Fault('missing', error.message, { unavailable: true, cause: error })
  // A shortage of the gateway itself: the cause decides how a call ends that requires this part.
  if (error instanceof Problem) return new Fault('busy', error.message, { unavailable: true, cause: error })
  if (error instanceof StoreUnavailable)
    return new Fault('busy', 'The database of the gateway did not answer.', {
      unavailable: true,
      internal: error.message,
      cause: problemFrom(error),
    })
  const internal = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return new Fault('broken', 'It failed unexpectedly.', { internal, cause: error })
}
