import type { Attempt } from '../dispatch/attempts.js'
import type { VendorCost } from '../dispatch/environment.js'
import type { ModelTokens } from '../sdk/index.js'

/** A request as metrics see it: labels are route templates and slugs, never a caller's text. */
export interface RequestFact {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly seconds: number
  /** Problem slug, empty on success. */
  readonly slug: string
  readonly credits: number
}

/** A trace span that can be ended; does nothing when no endpoint is configured. */
export interface Span {
  end(attributes: Readonly<Record<string, string | number>>, failed: boolean): void
}

/** What is told of the gateway's work: metrics always, traces when an endpoint is set. */
export interface Telemetry {
  request(fact: RequestFact): void
  attempt(attempt: Attempt): void
  cost(cost: VendorCost): void
  tokens(vendor: string, tokens: ModelTokens): void
  /** Begins the span of a request, continuing a W3C traceparent when there is one. */
  span(name: string, traceparent: string | undefined): Span
  /** Prometheus text. */
  metrics(): Promise<{ contentType: string; text: string }>
  close(): Promise<void>
}
