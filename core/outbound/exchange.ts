import type { Dispatcher } from 'undici'
import type { Cancel, CancelReason } from '../runtime/cancel.js'
import { BodyDecoder, IntakeError, type Sink } from './body-decoder.js'
import type { Watch } from './request-body.js'

/** A request as it is dispatched, with its exchange, which is bound to the connection that carries it. */
interface ExchangeRequest extends Dispatcher.DispatchOptions {
  readonly exchange: BoundedExchange
}

/** The connection that carries an exchange, and whether it has completed one. */
interface Carrier {
  readonly served: boolean
  noteServed(): void
}

/** The head of a reply; header names in lower case, repeated ones joined by commas. */
export interface Head {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** The work was stopped by its caller or by its time limit. */
export class RequestStopped extends Error {
  readonly reason: CancelReason

  constructor(reason: CancelReason) {
    super(`stopped: ${reason}`)
    this.name = 'RequestStopped'
    this.reason = reason
  }
}

interface ExchangeOptions {
  readonly maxBytes: (status: number) => number
  readonly cancel: Cancel
  readonly bodyless: boolean
  /** Notified of the bytes of the reply. */
  readonly watch?: Watch
  /** Called once; false skips the body. */
  readonly head: (head: Head) => boolean
  readonly sink: Sink
}

/** Bytes of a body after which the exchange yields to the event loop: a fast server sends megabytes in one turn. */
const TURN_BYTES = 128 << 10

/** One request and its reply, as a handler of the HTTP client: bounded, stopped by a Cancel; records how far it got. */
export class BoundedExchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions
  #controller: Dispatcher.DispatchController | null = null
  #intake: BodyDecoder | null = null
  #stopped: Error | null = null
  #over = false
  #left = false
  #answered = false
  #flushed = false
  #reused = false
  /** Bytes since it last yielded. */
  #inTurn = 0
  readonly #pausedBy = { decoder: false, turn: false }
  #forget: () => void = () => undefined
  connection: Carrier | null = null

  constructor(options: ExchangeOptions) {
    this.#options = options
  }

  /** True when the outcome is known or no longer awaited. */
  get over(): boolean {
    return this.#over
  }

  /** The signal that stops it; identifies its call. */
  get cancel(): Cancel {
    return this.#options.cancel
  }

  /** True once bytes of the request may have left this machine. */
  get left(): boolean {
    return this.#left
  }

  /** The last byte has arrived: reading is no longer paused. */
  flush(): void {
    this.#flushed = true
    // The timer of a pause must not resume the next request on this connection.
    this.#pausedBy.turn = false
    this.#controller?.resume()
  }

  /** True while the request is sent and the final reply has not begun. */
  get awaitsReply(): boolean {
    return this.#left && !this.#answered
  }

  /** True when a kept-alive connection ended before any byte of the reply: the request may be repeated. */
  get staleConnection(): boolean {
    return this.#left && this.#reused && !this.#answered && this.#stopped === null
  }

  /** Sends the request; the outcome is passed to `head` and `sink`. */
  start(dispatcher: Dispatcher, request: ExchangeRequest): void {
    this.#forget = this.#options.cancel.onCancel((reason) => this.stop(new RequestStopped(reason)))
    if (!this.#over) dispatcher.dispatch(request, this)
  }

  /** Ends the exchange from our side and closes its connection. */
  stop(error: Error): void {
    if (this.#over) return
    this.#stopped = error
    this.#finish(error)
    this.#controller?.abort(error)
  }

  /** Pauses the body while its reader is behind. */
  hold(held: boolean): void {
    this.#intake?.hold(held)
    if (held) this.#options.watch?.rest()
    else if (this.#intake !== null) this.#options.watch?.moved()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#stopped !== null) return controller.abort(this.#stopped)
    this.#left = true
    this.#reused = this.connection?.served === true
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (this.#over || status < 200) return
    this.#answered = true
    this.#options.watch?.moved()
    const maxBytes = this.#options.maxBytes(status)
    const flat = flatten(headers)
    if (!this.#options.head({ status, headers: flat })) return this.#drop()
    const bare = this.#options.bodyless || status === 204 || status === 304
    if (!bare && Number(flat['content-length'] ?? 0) > maxBytes) return this.stop(new IntakeError('large', 'the body is too large'))
    this.#takeIn(controller, bare ? '' : (flat['content-encoding'] ?? ''), maxBytes)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#options.watch?.moved()
    this.#intake?.write(chunk)
    this.#inTurn += chunk.length
    if (this.#inTurn < TURN_BYTES || this.#flushed) return
    this.#inTurn = 0
    this.#pause('turn', true)
    setImmediate(() => this.#pause('turn', false))
  }

  onResponseEnd(): void {
    this.connection?.noteServed()
    if (!this.#over) this.#intake?.end()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#intake?.stop()
    this.#finish(error)
  }

  #takeIn(controller: Dispatcher.DispatchController, encoding: string, maxBytes: number): void {
    try {
      this.#intake = new BodyDecoder({
        encoding,
        maxBytes,
        pause: () => this.#pause('decoder', true),
        resume: () => this.#pause('decoder', false),
        sink: {
          chunk: (data) => this.#options.sink.chunk(data),
          end: () => this.#finish(null),
          fail: (error) => this.stop(error),
        },
      })
    } catch (error) {
      this.stop(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #pause(by: 'decoder' | 'turn', on: boolean): void {
    const was = this.#pausedBy.decoder || this.#pausedBy.turn
    this.#pausedBy[by] = on
    const is = this.#pausedBy.decoder || this.#pausedBy.turn
    if (is && !was && !this.#flushed) this.#controller?.pause()
    if (was && !is) this.#controller?.resume()
  }

  /** The reader refused the body: neither an end nor a failure is reported. */
  #drop(): void {
    this.#over = true
    this.#forget()
    this.#controller?.abort(new RequestStopped('client-gone'))
  }

  #finish(error: Error | null): void {
    if (this.#over) return
    this.#over = true
    this.#forget()
    if (error === null) return this.#options.sink.end()
    this.#intake?.stop()
    this.#options.sink.fail(error)
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ')
  }
  return flat
}

/** One request of a chain of redirects. */
export interface Hop {
  readonly url: URL
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT'
  readonly headers: Readonly<Record<string, string>>
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const CREDENTIALS = /^(authorization|proxy-authorization|cookie2?|origin|referer)$|token|secret|api[-_]?key|password|signature|session/i

/** The target of a redirect; null for any other reply. */
export function location({ status, headers }: Head): string | null {
  const target = headers['location']
  return REDIRECTS.has(status) && target !== undefined && target !== '' ? target : null
}

/** The request after a redirect (RFC 9110 15.4): 303, and POST after 301 and 302, become GET; another origin receives no credentials. */
export function follow(hop: Hop, status: number, url: URL): Hop {
  const method = (status === 303 && hop.method !== 'HEAD') || (status < 303 && hop.method === 'POST') ? 'GET' : hop.method
  const stays = url.origin === hop.url.origin
  const kept = Object.entries(hop.headers).filter(([name]) => {
    if (!stays && CREDENTIALS.test(name)) return false
    return method === hop.method || !name.toLowerCase().startsWith('content-')
  })
  return { url, method, headers: Object.fromEntries(kept) }
}
