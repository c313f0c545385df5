import { randomBytes, randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { failed } from '../calls/envelope.js'
import type { CallOutcome } from '../calls/order.js'
import { problemFrom } from '../dispatch/from-error.js'
import { addressId } from '../limits/rate.js'
import { type Problem, problemBody } from '../problems/problem.js'
import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import { toCredits } from '../store/amount.js'
import type { Milli } from '../store/types.js'
import { boundedResponse } from './bounded-response.js'
import { clientAddress } from './client-address.js'
import { type Exchange, type HttpContext, type HttpMiddleware, logRequest, NO_FAILURE } from './exchange.js'
import { exchangeHeaders, SECURITY, setExchangeHeaders, setSecurityHeaders } from './headers.js'
import type { HttpServices } from './services.js'

const WELL_FORMED_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/

/** The outermost middleware: assigns request id and start time, and is the only place that answers with errors. */
export function handleErrors(services: HttpServices): HttpMiddleware {
  const { clock, settings, telemetry } = services
  return async (ctx, next) => {
    const exchange: Exchange = {
      requestId: requestId(ctx.req.headers['x-request-id']),
      started: clock.monotonic(),
      address: clientAddress(ctx.req, settings.server.trusted_proxies),
      route: 'unknown',
      caller: null,
      rate: null,
      creditsUsed: 0,
      creditsCharged: 0,
      delivery: 'none',
      report: null,
      outcomeStatus: null,
      failure: NO_FAILURE,
      provider: null,
      via: null,
      balance: null,
      written: false,
      body: null,
      lingers: false,
    }
    ctx.state.exchange = exchange
    bound(services, ctx, exchange)
    setSecurityHeaders(ctx)
    const span = telemetry.span(`${ctx.req.method ?? ''} request`, ctx.get('traceparent') || undefined)
    try {
      await next()
    } catch (error) {
      const problem = problemFrom(error)
      exchange.failure = { slug: problem.slug, internal: problem.options.internal }
      exchange.body = null
      writeProblem(services, ctx, problem)
    } finally {
      if (!exchange.written) await finishHeaders(services, ctx)
      const seconds = (clock.monotonic() - exchange.started) / 1000
      const status = exchange.outcomeStatus ?? ctx.res.statusCode
      const report = (): void => {
        const { route, failure } = exchange
        const fact = { method: ctx.method, route, status, seconds, slug: failure.slug, credits: toCredits(exchange.creditsCharged) }
        telemetry.request(fact)
        logRequest(services, exchange, fact)
      }
      if (exchange.delivery === 'awaited') exchange.report = report
      else report()
      span.end(
        {
          'http.request.method': ctx.method,
          'http.route': exchange.route,
          'http.response.status_code': ctx.res.statusCode,
          'capstan.request_id': exchange.requestId,
        },
        status >= 500,
      )
      if (exchange.body !== null) {
        ctx.respond = false
        ctx.res.end(exchange.body)
      }
    }
  }
}

/** Accounts for unread bytes of the response by the account or address of the request. */
export function bound(
  { bytes }: Pick<HttpServices, 'bytes'>,
  ctx: { readonly res: ServerResponse },
  exchange: Exchange | null = null,
): void {
  const response = boundedResponse(ctx)
  if (response === null) return
  response.budget = bytes
  response.exchange = exchange
}

async function finishHeaders(services: HttpServices, ctx: HttpContext): Promise<void> {
  const { exchange } = ctx.state
  exchange.rate ??= await services.rates.peek(addressId(exchange.address), services.settings.limits.address_per_minute)
  setExchangeHeaders(ctx)
  if (services.shedder.leaving) ctx.res.setHeader('Connection', 'close')
}

function writeProblem(services: HttpServices, ctx: HttpContext, problem: Problem): void {
  const { exchange } = ctx.state
  const { retryAfterSeconds, headers } = problem.options
  if (exchange.written) return
  ctx.status = problem.status
  for (const name in headers) ctx.set(name, headers[name] ?? '')
  if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds))
  // The rest of a refused body would be parsed as the next request.
  if (
    !ctx.req.readableEnded &&
    ((ctx.req.headers['content-length'] ?? '0') !== '0' || ctx.req.headers['transfer-encoding'] !== undefined)
  ) {
    if (exchange.lingers) linger(ctx, services.clock)
    else ctx.set('Connection', 'close')
  }
  if (prefersProblemJson(ctx)) return writeProblemJson(services, ctx, problem)
  const ms = Math.max(0, Math.round(services.clock.monotonic() - exchange.started))
  ctx.type = 'application/json; charset=utf-8'
  ctx.body = uncalled(problem, { requestId: exchange.requestId, ms, balance: exchange.balance, base: services.publicUrl() })
}

/** The envelope of an error before a call began. */
function uncalled(
  problem: Problem,
  { base, ...about }: { readonly requestId: string; readonly ms: number; readonly balance: Milli | null; readonly base: string },
): string {
  return JSON.stringify(failed(problem, { ...about, attempts: [], notes: [], providerUsed: null, modeUsed: null }, base))
}

/** True when the caller wants the error object itself (RFC 7807). */
function prefersProblemJson(ctx: HttpContext): boolean {
  return ctx.get('accept').toLowerCase().includes('application/problem+json')
}

function writeProblemJson(services: HttpServices, ctx: HttpContext, problem: Problem): void {
  ctx.status = problem.status
  ctx.type = 'application/problem+json; charset=utf-8'
  ctx.body = JSON.stringify({
    ...problemBody(problem, services.publicUrl()),
    request_id: ctx.state.exchange.requestId,
    credits_used: 0,
    ...(problem.options.validation === undefined ? {} : { errors: problem.options.validation }),
  })
}

/** Writes the answer of a call, which has an envelope even when it failed. */
export function writeOutcome(services: HttpServices, ctx: HttpContext, { status, problem, replayed, body }: CallOutcome): void {
  ctx.res.statusCode = status
  if (problem?.options.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(problem.options.retryAfterSeconds))
  if (replayed) ctx.set('Idempotent-Replayed', 'true')
  if (problem !== null && prefersProblemJson(ctx)) return writeProblemJson(services, ctx, problem)
  ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8')
  ctx.res.setHeader('Content-Length', Buffer.byteLength(body))
  ctx.state.exchange.body = typeof body === 'string' || Buffer.isBuffer(body) ? body : Buffer.from(body)
}

/** Options of answers outside the pipeline. */
export interface RawResponseOptions {
  readonly publicUrl: () => string
  readonly addressLimit: number
  readonly log?: Log
}

/** Builds and logs the answer to a request that never reached the pipeline, like any error. */
export function rawResponse(problem: Problem, about: RawResponseOptions): { headers: Record<string, string>; body: string } {
  const requestId = `req_${randomBytes(12).toString('hex')}`
  const { retryAfterSeconds, headers } = problem.options
  about.log?.('request', `unknown ${problem.status}`, {
    path: 'unknown',
    status: problem.status,
    credits: 0,
    slug: problem.slug,
    request_id: requestId,
  })
  const body = uncalled(problem, { requestId, ms: 0, balance: null, base: about.publicUrl() })
  const { addressLimit: limit } = about
  return {
    body,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      ...exchangeHeaders({
        requestId,
        creditsUsed: 0,
        rate: { limit, remaining: limit, reset: Math.ceil(Date.now() / 1000) + 60 },
        balance: null,
      }),
      ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
      ...SECURITY,
      Connection: 'close',
      ...headers,
    },
  }
}

function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && WELL_FORMED_ID.test(given) ? given : `req_${randomUUID().replaceAll('-', '')}`
}

/** How long the rest of a body is discarded, in milliseconds. */
const LINGER_MS = 5_000

/**
 * Call before the answer is written: discards the rest of a refused body, for at most five seconds after it. A
 * connection closed while its peer still sends is reset, and many clients then never read the answer.
 */
function linger({ req, res }: HttpContext, clock: Clock): void {
  const { socket } = req
  const goesOn = res.shouldKeepAlive
  // Otherwise Node closes the connection right after the answer if the client requested that.
  res.shouldKeepAlive = true
  res.once('finish', () => {
    const stop = clock.after(LINGER_MS, () => socket.destroy())
    const over = (): void => {
      stop()
      socket.off('close', stop)
      if (!goesOn) socket.end()
    }
    socket.once('close', stop)
    if (req.readableEnded) over()
    else req.once('end', over)
  })
  req.resume()
}
