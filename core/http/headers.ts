import { toCredits } from '../store/amount.js'
import type { Exchange, HttpContext } from './exchange.js'

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
  const { rate, balance } = exchange
  return {
    'X-Request-Id': exchange.requestId,
    'X-Credits-Used': String(toCredits(exchange.creditsUsed)),
    ...(rate === null
      ? {}
      : {
          'X-RateLimit-Limit': String(rate.limit),
          'X-RateLimit-Remaining': String(rate.remaining),
          'X-RateLimit-Reset': String(rate.reset),
        }),
    ...(balance === null ? {} : { 'X-Credits-Balance': String(toCredits(balance)) }),
  }
}

/** Sets the headers of the exchange from its current state. */
export function setExchangeHeaders(ctx: HttpContext): void {
  const headers = exchangeHeaders(ctx.state.exchange)
  for (const name in headers) ctx.res.setHeader(name, headers[name] ?? '')
}
