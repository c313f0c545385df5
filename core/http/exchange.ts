import type { ParameterizedContext, Middleware } from 'koa'
import type { Caller } from '../accounts/caller.js'
import type { RateState } from '../limits/rate.js'
import type { Milli } from '../store/types.js'

/** How a request failed, for metrics and the log. */
interface Failure {
  /** Slug of the problem, or `client-closed`; empty on success. */
  readonly slug: string
  /** What the log alone says of it. */
  readonly internal?: string | undefined
}

export const NO_FAILURE: Failure = { slug: '' }

/** What is known of one request while it is answered. */
export interface Exchange {
  readonly requestId: string
  /** Monotonic milliseconds. */
  readonly started: number
  /** The visitor's address, behind trusted proxies. */
  readonly address: string
  /** The route's template, for metrics: never a caller's text. */
  route: string
  caller: Caller | null
  rate: RateState | null
  /** The price that the answer states. */
  creditsUsed: Milli
  /** What this request charged and was not refunded: nothing for a repeated answer. */
  creditsCharged: Milli
  /** Of a charged answer: whether the metrics and the log still wait for its end, which may refund it. */
  delivery: 'none' | 'awaited' | 'over'
  /** Writes metrics and the log line of a request whose delivery was awaited. */
  report: (() => void) | null
  /** Status of the call where that of the response was sent before it was known: a stream of events. */
  outcomeStatus: number | null
  failure: Failure
  /** Vendor whose data the answer is made of, or the word for several. */
  provider: string | null
  /** `/v1/agent` for a capability that was called by name. */
  via: string | null
  balance: Milli | null
  /** The answer was written by hand (a stream of events). */
  written: boolean
  /** The answer of a paid call, sent by `handleErrors` once all headers are set. */
  body: string | Buffer | null
  /** What is left of a refused body is passed over for a while, so that a caller who still sends it learns why. */
  lingers: boolean
}

export interface State {
  exchange: Exchange
}

export type HttpContext = ParameterizedContext<State>
export type HttpMiddleware = Middleware<State>
