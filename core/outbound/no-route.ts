import { Problem } from '../problems/problem.js'
import { Fault } from '../sdk/index.js'

/** Connection errors of this machine itself, before anything was sent (connect(2)). */
const NO_ROUTE: ReadonlySet<unknown> = new Set(['ENETUNREACH', 'ENETDOWN'])

/**
 * Fault `busy` that does not count against the vendor (`overloaded` to the caller) when this machine has no route to any address of a
 * vendor; else null. Unlike other local failures it may concern one vendor only, such as one with IPv6 addresses only: the next is tried.
 * `internal` names the request.
 */
export function noRoute(error: unknown, internal: string): Fault | null {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error]
  const codes = errors.map((each) => (each instanceof Error && 'code' in each ? each.code : undefined))
  if (codes.length === 0 || !codes.every((code) => NO_ROUTE.has(code))) return null
  const message = 'The gateway has no route to the vendor.'
  const cause = new Problem('overloaded', message, { retryAfterSeconds: 5, internal: String(codes[0]), cause: error })
  return new Fault('busy', message, { unavailable: true, internal: `${internal} -> ${String(codes[0])}`, cause })
}
