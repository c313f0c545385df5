import type { FaultKind, ModelTokens } from '../sdk/index.js'

type AttemptOutcome = 'ok' | FaultKind | 'skipped'

/** One provider's try, as shown in `metadata.attempts`. Created when the try begins, completed when it ends. */
export interface Attempt {
  readonly provider: string
  readonly port: string
  /** The caller of the port: a port and vendor, or a capability; absent where it is the call's own capability. */
  readonly under?: string
  outcome: AttemptOutcome
  ms: number
  reason?: string
}

/** A cost that a vendor reported for one call. */
export interface VendorCost {
  readonly vendor: string
  readonly currency: string
  readonly amount: number
}

/** A request for metrics: labels are route templates and slugs, never a caller's text. */
export interface RequestFact {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly seconds: number
  /** Problem slug, empty on success. */
  readonly slug: string
  readonly credits: number
}

/** A trace span; does nothing when no endpoint is configured. */
export interface Span {
  end(attributes: Readonly<Record<string, string | number>>, failed: boolean): void
}

/** Metrics, and traces when an endpoint is set. */
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
