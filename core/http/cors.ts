import type { HttpMiddleware } from './exchange.js'

const METHODS = 'GET, POST, DELETE'
const REQUEST_HEADERS = 'Authorization, Content-Type, Idempotency-Key, X-Request-Id'
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
