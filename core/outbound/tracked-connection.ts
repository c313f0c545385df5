import type { Socket } from 'node:net'
import { type buildConnector, Client, type Dispatcher } from 'undici'
import type { Connector, Target } from './connector.js'
import { requesterOf } from './name-queue.js'
import { BoundedExchange } from './exchange.js'

/** A reply of status 1xx, except 101, which ends HTTP. */
const INTERIM = /^HTTP\/1\.[01] 1(?:00|0[2-9]|[1-9]\d)[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/
/** Offset of the status in a reply, and the first digit of an interim one. */
const STATUS_AT = 9
const ONE = 0x31
/** An interim reply has hardly any headers. */
const LONGEST = 4096

/**
 * Skips interim replies while a reply is awaited. A client must accept an unrequested `100 Continue` (RFC 9110 15.2), which proxies in
 * front of vendors send; the HTTP client closes the connection instead. One that is split over packets is not detected.
 */
function skipInterim(socket: Socket, awaited: () => boolean): void {
  const read = socket.read.bind(socket)
  socket.read = (size?: number): unknown => {
    const chunk: unknown = read(size)
    return Buffer.isBuffer(chunk) && awaited() ? withoutInterim(chunk) : chunk
  }
}

function withoutInterim(chunk: Buffer): Buffer | null {
  let rest = chunk
  while (rest[STATUS_AT] === ONE) {
    const [interim] = INTERIM.exec(rest.toString('latin1', 0, LONGEST)) ?? []
    if (interim === undefined) return rest
    if (interim.length === rest.length) return null
    rest = rest.subarray(interim.length)
  }
  return rest
}

/** Opens a connection, for a given exchange where it is known. */
type Opener = (...args: [...Parameters<buildConnector.connector>, exchange?: BoundedExchange | null]) => void

/** State of one connection: the exchange that it carries, and whether it has completed one. */
class TrackedConnection {
  #served = false
  #exchange: BoundedExchange | null = null

  get served(): boolean {
    return this.#served
  }

  noteServed(): void {
    this.#served = true
  }

  take(exchange: BoundedExchange): void {
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
    if ('exchange' in options && options.exchange instanceof BoundedExchange) this.#tracked.take(options.exchange)
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
