import type { ParameterizedContext, Middleware } from 'koa'
import type { Caller } from '../accounts/caller.js'
import type { RateState } from '../limits/rate.js'
import type { Milli } from '../store/types.js'

/** How a request failed, for metrics and the log. */
interface Failure {
  /** Slug of the problem, or `client-closed`; empty on success. */
  readonly slug: string
  /** Detail for the log only. */
  readonly internal?: string | undefined
}

export const NO_FAILURE: Failure = { slug: '' }

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
  failure: Failure
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
