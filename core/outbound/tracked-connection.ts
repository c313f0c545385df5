import type { Socket } from 'node:net'
import { Client, type buildConnector, type Dispatcher } from 'undici'
import type { Connector, Target } from './connector.js'
import { askerOf } from './name-queue.js'
import { Exchange } from './exchange.js'
import { skipInterim } from './skip-interim.js'

/** Opens a connection, for an exchange when it is known which. */
type Opener = (...args: [...Parameters<buildConnector.connector>, exchange?: Exchange | null]) => void

/** What is known of one connection: which exchange it carries, and whether it has carried one to its end. */
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

  /** Opens nothing for an exchange that is over: the HTTP client reconnects after a stop before it looks whether anybody still waits. */
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

/** A connection of the HTTP client that knows what is tracked of it. */
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
 * The HTTP client throws in its listeners when a connection ends while the body is held back for its reader: an error that no call owns, as
 * often as a page likes. It also takes a reset for the end of a body that has no length, which is then cut short.
 */
function guardEnd(socket: Socket, flush: () => void): void {
  socket.prependListener('end', flush)
  socket.prependListener('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') error.code = 'ECONNABORTED'
  })
}

/** How the HTTP client opens connections: through the dialer, so to checked addresses alone. */
export function connector(dialer: Connector, trust: Target['trust'], { strict = true } = {}): Opener {
  return ({ hostname, protocol, port, servername }, done, exchange) => {
    const tls = protocol === 'https:'
    const asker = exchange ? { asker: askerOf(exchange.cancel) } : {}
    const target = { host: hostname, port: Number(port) || (tls ? 443 : 80), trust, ...asker }
    const opening = tls ? dialer.dialTls(target, servername ? { servername, strict } : { strict }) : dialer.dial(target)
    opening.then(
      (socket) => done(null, socket),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), null),
    )
  }
}
