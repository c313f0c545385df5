import type { Socket } from 'node:net'
import { Client, type buildConnector, type Dispatcher } from 'undici'
import type { Connector, Target } from './connector.js'
import { requesterOf } from './name-queue.js'
import { Exchange } from './exchange.js'
import { skipInterim } from './skip-interim.js'

/** Opens a connection, for a given exchange where it is known. */
type Opener = (...args: [...Parameters<buildConnector.connector>, exchange?: Exchange | null]) => void

/** State of one connection: the exchange that it carries, and whether it has completed one. */
export class TrackedConnection {
  #served = false
  #exchange: Exchange | null = null

  get served(): boolean {
    return this.#served
  }

  noteServed(): void {
    this.#served = true
  }

  take(exchange: Exchange): void {
    this.#exchange = exchange
    exchange.connection = this
  }

  /** Opens nothing for an exchange that is over: the HTTP client reconnects after a stop before it checks whether a request is still waiting. */
  gate(open: Opener): buildConnector.connector {
    return (target, done) => {
      if (this.#abandoned()) return done(new Error('stopped before it was connected'), null)
      const opened: buildConnector.Callback = (error, socket) => {
        if (error !== null) return done(error, null)
        this.#served = false
        guardEnd(socket, () => this.#exchange?.flush())
        skipInterim(socket, () => this.#exchange?.awaitsReply === true)
        if (!this.#abandoned()) return done(null, socket)
        socket.destroy()
        done(new Error('stopped while it was connecting'), null)
      }
      open(target, opened, this.#exchange)
    }
  }

  #abandoned(): boolean {
    return this.#exchange?.over === true
  }
}

/** A connection of the HTTP client with its tracked state. */
export class TrackedClient extends Client {
  readonly #tracked: TrackedConnection

  constructor(origin: string | URL, options: object, open: Opener, tracked = new TrackedConnection()) {
    super(origin, { ...options, connect: tracked.gate(open) })
    this.#tracked = tracked
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if ('exchange' in options && options.exchange instanceof Exchange) this.#tracked.take(options.exchange)
    return super.dispatch(options, handler)
  }
}

/**
 * The HTTP client throws in its listeners when a connection ends while the body is paused for its reader: an error outside any call, which
 * a page can cause at will. It also treats a reset as the end of a body without a length, which is then truncated.
 */
function guardEnd(socket: Socket, flush: () => void): void {
  socket.prependListener('end', flush)
  socket.prependListener('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') error.code = 'ECONNABORTED'
  })
}

/** Opens the HTTP client's connections through the dialer, and so only to checked addresses. */
export function connector(dialer: Connector, trust: Target['trust'], { strict = true } = {}): Opener {
  return ({ hostname, protocol, port, servername }, done, exchange) => {
    const tls = protocol === 'https:'
    const requester = exchange ? { requester: requesterOf(exchange.cancel) } : {}
    const target = { host: hostname, port: Number(port) || (tls ? 443 : 80), trust, ...requester }
    const opening = tls ? dialer.dialTls(target, servername ? { servername, strict } : { strict }) : dialer.dial(target)
    opening.then(
      (socket) => done(null, socket),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), null),
    )
  }
}
