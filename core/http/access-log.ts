import type { RequestFact } from '../telemetry/types.js'
import type { Exchange } from './exchange.js'
import type { HttpServices } from './services.js'

/** Routes that monitoring requests every few seconds. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * Logs one line for a request. Its path is the route's template, since paths, queries and bodies may contain secrets
 * and personal data. A failure's line includes the internal detail, unless the provider's line has it.
 */
export function logRequest({ log, disks }: Pick<HttpServices, 'log' | 'disks'>, exchange: Exchange, fact: RequestFact): void {
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
export function logPlainRequest(log: HttpServices['log'], { method, route, status, ms }: PlainRequest): void {
  log(PROBES.has(route) ? 'probe' : 'request', `${method} ${route} ${status}`, { method, path: route, status, ms, listener: 'admin' })
}

interface PlainRequest {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly ms: number
}
