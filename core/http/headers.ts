import { toCredits } from '../store/amount.js'
import type { Exchange, HttpContext, HttpMiddleware } from './exchange.js'

/** Headers of every answer (OWASP secure headers). */
export const SECURITY: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** Sets the headers of every answer; a route may replace some. */
export function setSecurityHeaders(ctx: HttpContext): void {
  for (const name in SECURITY) ctx.res.setHeader(name, SECURITY[name] ?? '')
}

/** Headers for the request's id, rate limit, price and balance. */
export function exchangeHeaders(exchange: Pick<Exchange, 'requestId' | 'creditsUsed' | 'rate' | 'balance'>): Record<string, string> {
  const { requestId, creditsUsed, rate, balance } = exchange
  const headers: Record<string, string> = { 'X-Request-Id': requestId, 'X-Credits-Used': String(toCredits(creditsUsed)) }
  if (rate !== null) {
    headers['X-RateLimit-Limit'] = String(rate.limit)
    headers['X-RateLimit-Remaining'] = String(rate.remaining)
    headers['X-RateLimit-Reset'] = String(rate.reset)
  }
  if (balance !== null) headers['X-Credits-Balance'] = String(toCredits(balance))
  return headers
}

/** Sets the headers of the exchange from its current state. */
export function setExchangeHeaders(ctx: HttpContext): void {
  const headers = exchangeHeaders(ctx.state.exchange)
  for (const name in headers) ctx.res.setHeader(name, headers[name] ?? '')
}

/** False under an Idempotency-Key without `Prefer: cancel-on-disconnect` (RFC 7240): the caller may repeat the request. */
export function endsWithCaller({ req: { headers } }: HttpContext): boolean {
  const preferences = [headers.prefer ?? []].flat().join().toLowerCase().split(',')
  return headers['idempotency-key'] === undefined || preferences.some((word) => word.trim() === 'cancel-on-disconnect')
}

const METHODS = 'GET, POST, DELETE'
const REQUEST_HEADERS = 'Authorization, Content-Type, Idempotency-Key, Prefer, X-Request-Id'
const ANSWER_HEADERS =
  'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Credits-Used, X-Credits-Balance, Retry-After'

/** Allows cross-origin requests from the configured origins only. */
export function cors(origins: readonly string[]): HttpMiddleware {
  return (ctx, next) => {
    const origin = ctx.req.headers.origin ?? ''
    if (origin === '' || !(origins.includes(origin) || origins.includes('*'))) return next()
    ctx.res.setHeader('Access-Control-Allow-Origin', origin)
    ctx.res.setHeader('Access-Control-Expose-Headers', ANSWER_HEADERS)
    ctx.res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
    ctx.vary('Origin')
    if (ctx.method !== 'OPTIONS' || ctx.get('access-control-request-method') === '') return next()
    ctx.state.exchange.route = 'preflight'
    ctx.set('Access-Control-Allow-Methods', METHODS)
    ctx.set('Access-Control-Allow-Headers', REQUEST_HEADERS)
    ctx.set('Access-Control-Max-Age', '600')
    ctx.status = 204
    return Promise.resolve()
  }
}
