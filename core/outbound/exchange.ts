import type { Dispatcher } from 'undici'
import type { Cancel, CancelReason } from '../runtime/cancel.js'
import { BodyDecoder, IntakeError, type Sink } from './body-decoder.js'
import type { Watch } from './streamed-body.js'

/** A request as it goes on the wire, with the handle that tells which connection carries it. */
interface ExchangeRequest extends Dispatcher.DispatchOptions {
  readonly exchange: Exchange
}

/** The connection that carries an exchange, and whether it has carried one to its end. */
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
export class Stopped extends Error {
  readonly reason: CancelReason

  constructor(reason: CancelReason) {
    super(`stopped: ${reason}`)
    this.name = 'Stopped'
    this.reason = reason
  }
}

interface ExchangeOptions {
  readonly maxBytes: (status: number) => number
  readonly cancel: Cancel
  readonly bodyless: boolean
  /** Told of the bytes of the reply. */
  readonly watch?: Watch
  /** Called once; false refuses the body, which is then not read. */
  readonly head: (head: Head) => boolean
  readonly sink: Sink
}

/** Bytes of a body after which other work of the event loop has its turn: a fast server sends megabytes in one. */
const TURN_BYTES = 128 << 10

/** One request and its reply, as a handler of the HTTP client: bounded, stopped by a Cancel, told apart by how far it got. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions
  #controller: Dispatcher.DispatchController | null = null
  #intake: BodyDecoder | null = null
  #stopped: Error | null = null
  #over = false
  #left = false
  #answered = false
  #flushed = false
  #reused = false
  /** Bytes since the last pause for others. */
  #inTurn = 0
  readonly #pausedBy = { decoder: false, turn: false }
  #forget: () => void = () => undefined
  connection: Carrier | null = null

  constructor(options: ExchangeOptions) {
    this.#options = options
  }

  /** True when the outcome is known, or nobody waits for it any more. */
  get over(): boolean {
    return this.#over
  }

  /** Stops it, and says whose call it belongs to. */
  get cancel(): Cancel {
    return this.#options.cancel
  }

  /** True once bytes of the request may have left this machine. */
  get left(): boolean {
    return this.#left
  }

  /** The last byte has come: it is not held back any more. */
  flush(): void {
    this.#flushed = true
    // What a pause for others still has to end may by then be the next request's on this connection.
    this.#pausedBy.turn = false
    this.#controller?.resume()
  }

  /** True while no byte of the reply proper has come. */
  get awaitsReply(): boolean {
    return this.#left && !this.#answered
  }

  /** True when a kept-alive connection ended before any byte of the reply: the request may be repeated. */
  get staleConnection(): boolean {
    return this.#left && this.#reused && !this.#answered && this.#stopped === null
  }

  /** Sends the request; the outcome comes through `head` and `sink`. */
  start(dispatcher: Dispatcher, request: ExchangeRequest): void {
    this.#forget = this.#options.cancel.onCancel((reason) => this.stop(new Stopped(reason)))
    if (!this.#over) dispatcher.dispatch(request, this)
  }

  /** Ends the exchange from our side and closes its connection. */
  stop(error: Error): void {
    if (this.#over) return
    this.#stopped = error
    this.#finish(error)
    this.#controller?.abort(error)
  }

  /** Holds the body back while its reader is behind. */
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

  /** The reader wants nothing more: neither an end nor a failure follows. */
  #drop(): void {
    this.#over = true
    this.#forget()
    this.#controller?.abort(new Stopped('client-gone'))
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
