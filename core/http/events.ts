import { toCredits } from '../store/amount.js'
import type { CallOutcome } from '../calls/order.js'
import type { Progress } from '../dispatch/call.js'
import type { HttpContext } from './exchange.js'
import { exchangeHeaders } from './headers.js'
import type { HttpServices } from './services.js'

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
