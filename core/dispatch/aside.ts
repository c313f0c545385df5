import { Problem } from '../problems/problem.js'
import { Fault } from '../sdk/index.js'
import { StoreUnavailable } from '../store/types.js'
import type { Environment } from './environment.js'
import { Stopped, Unavailable } from './errors.js'
import { lent, type LentScope } from './lent.js'
import type { AsideRequest } from './port-request.js'

/**
 * Runs work that its call can do without, with a context and a time of its own: null when it fails or is not done in time, and what it began is
 * then cancelled. Throws only Stopped, when the call itself ends.
 */
export async function aside<T>(environment: Environment, scope: LentScope, request: AsideRequest<T>): Promise<T | null> {
  const { task, withinMs, about } = request
  const { cancel, call } = scope
  if (Number.isNaN(withinMs)) throw new TypeError('aside: withinMs is not a number')
  const step = cancel.step(Math.max(0, withinMs))
  try {
    return await lent(environment, { ...scope, cancel: step.cancel }, async (context) => await task(context))
  } catch (error) {
    if (cancel.reason !== null) throw new Stopped(cancel.reason)
    const { why, internal } = reasonOf(error, withinMs)
    if (about !== undefined) call.note(`${about}: ${why}`)
    environment.log(internal === null ? 'part-left-out' : 'part-failed', `a part of a call was left out: ${why}`, {
      request_id: call.requestId,
      ...(about === undefined ? {} : { about }),
      ...(internal === null ? {} : { internal }),
    })
    return null
  } finally {
    step.done()
  }
}

/** Why there is no result, in words for the caller; `internal` is what only the log may say. */
function reasonOf(error: unknown, withinMs: number): { readonly why: string; readonly internal: string | null } {
  if (error instanceof Stopped) return { why: `No result within ${Math.round(withinMs)} ms.`, internal: null }
  if (Fault.is(error)) return { why: error.message, internal: error.internal ?? null }
  if (error instanceof Unavailable || error instanceof Problem) return { why: error.message, internal: null }
  if (error instanceof StoreUnavailable) return { why: 'The database of the gateway did not answer.', internal: error.message }
  return { why: 'It failed unexpectedly.', internal: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
