import { problemFrom } from '../dispatch/from-error.js'
import { Problem } from '../problems/problem.js'
import type { CallOutcome } from './order.js'

/** Status and slug in history, metrics and log for a call whose caller disconnected before it succeeded; never sent. */
export const CLIENT_CLOSED = { status: 499, slug: 'client-closed' } as const

/** Slug and internal detail of a failed call for metrics and log, without the detail if the provider's line has it. */
export function failureOf(
  { slug, options: { internal } }: Problem,
  { left, reported }: { readonly left: boolean; readonly reported: boolean },
): Pick<CallOutcome, 'slug' | 'internal'> {
  return { slug: left ? CLIENT_CLOSED.slug : slug, ...(internal === undefined || reported ? {} : { internal }) }
}

/**
 * The problem for the caller of a failed call: not retriable when the work may have been done (`ambiguous`), and with
 * locations under `params` when the capability was called by name (`via`).
 */
export function callProblem(error: unknown, { ambiguous, via }: { readonly ambiguous: boolean; readonly via: string | null }): Problem {
  const problem = problemFrom(error)
  const { validation } = problem.options
  const options = {
    ...problem.options,
    ...(ambiguous ? { retriable: false, action: 'The outcome is unknown. Check whether it happened before sending it again.' } : {}),
    ...(validation === undefined || via === null
      ? {}
      : {
          validation: validation.map((item) =>
            item.loc[0] === 'body' ? { ...item, loc: ['body', 'params', ...item.loc.slice(1)] } : item,
          ),
        }),
  }
  return new Problem(problem.slug, problem.message, options)
}
