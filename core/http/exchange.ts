import type { Middleware, ParameterizedContext } from 'koa'
import type { Caller } from '../accounts/caller.js'
import type { RateState } from '../limits/rate.js'
import type { Milli } from '../store/types.js'
import type { RequestFact } from '../telemetry/types.js'
import type { DiskWatch } from '../runtime/disk-watch.js'
import type { Log } from '../runtime/log-events.js'

/** How a request failed, for metrics and the log. */
interface RequestFailure {
  /** Slug of the problem, or `client-closed`; empty on success. */
  readonly slug: string
  /** Detail for the log only. */
  readonly internal?: string | undefined
}

export const NO_FAILURE: RequestFailure = { slug: '' }

/** The state of one request. */
export interface Exchange {
  readonly requestId: string
  /** Monotonic milliseconds. */
  readonly started: number
  /** The client's address, resolved through trusted proxies. */
  readonly address: string
  /** The route's template, for metrics: never a caller's text. */
  route: string
  caller: Caller | null
  rate: RateState | null
  /** The price stated in the answer. */
  creditsUsed: Milli
  /** Charged by this request and not refunded; 0 for a replayed answer. */
  creditsCharged: Milli
  /** Whether metrics and log wait for the delivery of a charged answer, which may refund it. */
  delivery: 'none' | 'awaited' | 'over'
  /** Writes metrics and the log line of a request whose delivery was awaited. */
  report: (() => void) | null
  /** Status of the call for a stream of events, whose response status was sent earlier. */
  outcomeStatus: number | null
  failure: RequestFailure
  /** Vendor whose data the answer contains, or a word for several. */
  provider: string | null
  /** `/v1/agent` for a capability that was called by name. */
  via: string | null
  balance: Milli | null
  /** The answer was written directly (a stream of events). */
  written: boolean
  /** The answer of a paid call, sent by `handleErrors` once all headers are set. */
  body: string | Buffer | null
  /** The rest of a refused body is read and discarded for a while, so that a caller still sending gets the answer. */
  lingers: boolean
}

export interface State {
  exchange: Exchange
}

export type HttpContext = ParameterizedContext<State>
export type HttpMiddleware = Middleware<State>

/** Routes that monitoring requests every few seconds. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * Logs one line for a request. Its path is the route's template, since paths, queries and bodies may contain secrets
 * and personal data. A failure's line includes the internal detail, unless the provider's line has it.
 */
export function logRequest(
  { log, disks }: { readonly log: Log; readonly disks: Pick<DiskWatch, 'suspect'> },
  exchange: Exchange,
  fact: RequestFact,
): void {
  const { requestId, caller, failure, provider, via } = exchange
  const { method, route, status, seconds, credits } = fact
  const { slug, internal } = failure
  if (status === 503 && internal !== undefined) disks.suspect()
  log(slug === 'internal' ? 'request-failed' : PROBES.has(route) ? 'probe' : 'request', `${method} ${route} ${status}`, {
    method,
    path: route,
    status,
    ms: Math.round(seconds * 10_000) / 10,
    credits,
    provider: provider ?? undefined,
    slug: slug === '' ? undefined : slug,
    via: via ?? undefined,
    request_id: requestId,
    account: caller?.account.id,
    key_id: caller?.key.id,
    internal,
  })
}

/** Logs a request to the admin listener, or one that is answered before the gateway has started. */
export function logPlainRequest(log: Log, { method, route, status, ms }: PlainRequest): void {
  log(PROBES.has(route) ? 'probe' : 'request', `${method} ${route} ${status}`, { method, path: route, status, ms, listener: 'admin' })
}

interface PlainRequest {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly ms: number
}
