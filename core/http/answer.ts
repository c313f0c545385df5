import type { CallOutcome, RunningCall } from '../calls/order.js'
import type { Progress } from '../dispatch/call.js'
import { toCredits } from '../store/amount.js'
import { boundedResponse } from './bounded-response.js'
import { writeOutcome } from './errors.js'
import type { HttpContext } from './exchange.js'
import { endsWithCaller, exchangeHeaders } from './headers.js'
import type { HttpServices } from './services.js'

/** Waits for the call, stops it when the caller disconnects, and writes its outcome. */
export async function answer(
  services: HttpServices,
  ctx: HttpContext,
  { running, events }: { readonly running: RunningCall; readonly events: EventWriter | null },
): Promise<CallOutcome> {
  const { exchange } = ctx.state
  const { res } = ctx
  const hangUp = (): void => {
    if (res.writableFinished) return
    running.hangUp()
    countAbort(services, ctx)
  }
  res.on('close', hangUp)
  // Disconnected during authentication: the event has already fired.
  if (res.closed) hangUp()
  const outcome = await running.outcome.catch((error: unknown) => {
    events?.breakOff()
    throw error
  })
  res.off('close', hangUp)
  // An answer that did not fit into the budget is wasted work, unless it is a replayed one.
  const wasted = outcome.costly || (outcome.recorded && boundedResponse(ctx)?.overdrawn === true)
  if (wasted && exchange.caller !== null) services.aborts.count(exchange.caller.account.id)
  exchange.creditsUsed = outcome.creditsUsed
  exchange.creditsCharged = outcome.charged
  exchange.failure = { slug: outcome.slug, internal: outcome.internal }
  exchange.provider = outcome.provider
  if (outcome.balance !== null) exchange.balance = outcome.balance
  if (res.destroyed || res.closed) {
    exchange.written = true
    // Only for metrics and the log: the caller has disconnected.
    res.statusCode = 499
    exchange.failure = { ...exchange.failure, slug: 'client-closed' }
    if (!outcome.isFinal) exchange.creditsUsed = exchange.creditsCharged = 0
    await outcome.lost()
    return outcome
  }
  watchDelivery(services, ctx, outcome)
  if (events !== null && (events.started || outcome.problem === null)) {
    exchange.outcomeStatus = outcome.status
    events.finish(outcome)
  } else writeOutcome(services, ctx, outcome)
  return outcome
}

/** Counts an aborted call, unless its answer is kept for a repeated request. */
function countAbort(services: HttpServices, ctx: HttpContext): void {
  const { caller } = ctx.state.exchange
  if (caller !== null && endsWithCaller(ctx)) services.aborts.count(caller.account.id)
}

/** An answer is refunded when less than this share was written before its caller disconnected. */
const DELIVERED_SHARE = 0.5

/** Settles a charged answer by its delivery: refunds it when less than half was written. A partial answer counts as an abort. */
function watchDelivery(services: HttpServices, ctx: HttpContext, outcome: CallOutcome): void {
  const { res } = ctx
  const { exchange } = ctx.state
  const { socket } = ctx.req
  const ended = services.refunds.writing()
  const finished = (): void => {
    res.off('close', closed)
    // Node also emits `finish` when a peer disconnected during the last write; the socket is then already destroyed.
    if (socket.destroyed) return closed()
    outcome.delivered()
    ended()
    settled()
  }
  const closed = (): void => {
    res.off('finish', finished)
    countAbort(services, ctx)
    if (!outcome.isFinal && (boundedResponse(ctx)?.takenShare ?? 0) >= DELIVERED_SHARE) {
      outcome.delivered()
      ended()
      services.log('answer-not-delivered', 'the caller disconnected before the whole answer was written; most of it was written', {
        request_id: exchange.requestId,
        refunded: 0,
      })
      return settled()
    }
    const refund = outcome.lost()
    if (!outcome.isFinal) exchange.creditsCharged = 0
    ended()
    settled()
    services.log('answer-not-delivered', 'the caller disconnected before the whole answer was written', {
      request_id: exchange.requestId,
      refunded: outcome.isFinal ? 0 : toCredits(outcome.creditsUsed),
    })
    refund.catch((error: unknown) =>
      services.log('refund-pending', 'a charge could not be refunded yet; the sweeper will refund it', {
        error: String(error),
        request_id: exchange.requestId,
      }),
    )
  }
  const settled = (): void => {
    exchange.delivery = 'over'
    exchange.report?.()
  }
  exchange.delivery = 'awaited'
  res.once('finish', finished)
  res.once('close', closed)
}

const HEARTBEAT_MS = 15_000

/** True when the caller requested the answer as a stream of events. */
export function wantsEvents(ctx: HttpContext): boolean {
  return ctx.get('accept').toLowerCase().includes('text/event-stream')
}

/**
 * Writes a call as server-sent events: `progress` while it runs, and a final `result` with the envelope. The status is
 * sent when the call is admitted, so the credits used follow as a trailer.
 */
export class EventWriter {
  readonly #services: HttpServices
  readonly #ctx: HttpContext
  #stopHeartbeat: () => void = () => undefined
  started = false
  #ended = false

  constructor(services: HttpServices, ctx: HttpContext) {
    this.#services = services
    this.#ctx = ctx
  }

  /** Sends the head once, with these additional headers. */
  start(more: Readonly<Record<string, string>> = {}): void {
    if (this.started) return
    const ctx = this.#ctx
    this.started = true
    ctx.respond = false
    ctx.state.exchange.written = true
    const headers: Record<string, string> = exchangeHeaders(ctx.state.exchange)
    delete headers['X-Credits-Used']
    ctx.res.writeHead(200, {
      ...headers,
      ...more,
      'Content-Type': 'text/event-stream; charset=utf-8',
      'X-Accel-Buffering': 'no',
      Trailer: 'X-Credits-Used',
      ...(this.#services.shedder.leaving ? { Connection: 'close' } : {}),
    })
    // Without this the head waits for the first event.
    ctx.res.flushHeaders()
    this.#stopHeartbeat = this.#services.clock.every(HEARTBEAT_MS, () => ctx.res.write(': heartbeat\n\n'))
    ctx.res.on('close', this.#stopHeartbeat)
  }

  progress(progress: Progress): void {
    if (this.started && !this.#ended) this.#ctx.res.write(event('progress', JSON.stringify(progress)))
  }

  /** Closes a stream without an envelope. */
  breakOff(): void {
    this.#stopHeartbeat()
    this.#ended = true
    if (this.started) this.#ctx.res.destroy()
  }

  /** Writes the envelope as the last event. */
  finish(outcome: CallOutcome): void {
    this.start(outcome.replayed ? { 'Idempotent-Replayed': 'true' } : {})
    this.#stopHeartbeat()
    this.#ended = true
    const { res } = this.#ctx
    res.addTrailers({ 'X-Credits-Used': String(toCredits(outcome.creditsUsed)) })
    const { body } = outcome
    if (typeof body === 'string') res.end(event('result', body))
    else res.end(Buffer.concat([Buffer.from(`event: result\ndata: `), body, Buffer.from('\n\n')]))
  }
}

/** JSON has no line breaks of its own, so one data line is enough. */
function event(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`
}
