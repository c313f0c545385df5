import type { FaultKind, ModelTokens } from '../sdk/index.js'

type Outcome = 'ok' | FaultKind | 'skipped'

/** One provider's try, as `metadata.attempts` shows it. Made when the try begins, finished when it ends. */
export interface Attempt {
  readonly provider: string
  readonly port: string
  /** What asked the port: the port and vendor of the try, or the capability, that stands above it; none where the call's own capability did. */
  readonly under?: string
  outcome: Outcome
  ms: number
  reason?: string
}

/** What a vendor says one call cost. */
export interface VendorCost {
  readonly vendor: string
  readonly currency: string
  readonly amount: number
}

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
