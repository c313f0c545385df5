import type { Metrics } from './metrics.js'
import type { Telemetry } from './types.js'
import { openTracer, type Tracer } from './tracer.js'

/** Creates telemetry from metrics. The tracing library is imported only when an OTLP endpoint is configured. */
export async function telemetryWith(endpoint: string | null): Promise<(metrics: Metrics) => Telemetry> {
  const tracer: Tracer | null = endpoint === null ? null : await openTracer(endpoint)
  const nothing = { end: () => undefined }
  return (metrics) => ({
    request: (fact) => metrics.request(fact),
    attempt: (attempt) => metrics.attempt(attempt),
    cost: (cost) => metrics.cost(cost),
    tokens: (vendor, tokens) => metrics.tokens(vendor, tokens),
    span: (name, traceparent) => (tracer === null ? nothing : tracer.span(name, traceparent)),
    metrics: async () => ({ contentType: metrics.registry.contentType, text: await metrics.registry.metrics() }),
    close: async () => await tracer?.close(),
  })
}
