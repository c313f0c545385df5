import { packageVersion } from '../runtime/root.js'
import type { Span, Telemetry } from './types.js'
import type { Metrics } from './metrics.js'

interface Tracer {
  span(name: string, traceparent: string | undefined): Span
  close(): Promise<void>
}

/** Sends spans to an OTLP/HTTP endpoint, in batches. The libraries are large and loaded only on use. */
async function openTracer(endpoint: string): Promise<Tracer> {
  const [api, node, otlp, resources, conventions] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/semantic-conventions'),
  ])
  const url = endpoint.endsWith('/v1/traces') ? endpoint : `${endpoint.replace(/\/$/, '')}/v1/traces`
  const provider = new node.NodeTracerProvider({
    resource: resources.resourceFromAttributes({
      [conventions.ATTR_SERVICE_NAME]: 'capstan',
      [conventions.ATTR_SERVICE_VERSION]: packageVersion(),
    }),
    spanProcessors: [new node.BatchSpanProcessor(new otlp.OTLPTraceExporter({ url }))],
  })
  const tracer = provider.getTracer('capstan')
  return {
    span: (name, traceparent) => {
      const remote = parseTraceparent(traceparent)
      const parent = remote === null ? api.ROOT_CONTEXT : api.trace.setSpanContext(api.ROOT_CONTEXT, { ...remote, isRemote: true })
      const span = tracer.startSpan(name, { kind: api.SpanKind.SERVER }, parent)
      return {
        end: (attributes, failed) => {
          span.setAttributes({ ...attributes })
          if (failed) span.setStatus({ code: api.SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    close: () => provider.shutdown(),
  }
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** The remote parent a W3C traceparent header names, or null when it is absent or malformed. */
export function parseTraceparent(header: string | undefined): { traceId: string; spanId: string; traceFlags: number } | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(header ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return { traceId, spanId, traceFlags: parseInt(flags, 16) & 1 }
}

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
