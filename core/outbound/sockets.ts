import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connect, type Socket, type TcpNetConnectOpts, isIP } from 'node:net'
import { connect as secure, type TLSSocket } from 'node:tls'
import { Fault } from '../sdk/index.js'
import { canonical } from './address.js'
import { bareHost } from './allow.js'
import { checkNames } from './certificate.js'

const CREATED = 'net.client.socket'

/** The only place that opens sockets to foreign hosts; also counts sockets that other code of the process opens. */
export class Sockets {
  #opened = 0
  #foreign = 0
  #opening = false
  readonly #watch = (): void => {
    if (!this.#opening) this.#foreign++
  }

  /** Sockets opened here since the start. */
  get opened(): number {
    return this.#opened
  }

  /** Client sockets that other code of the process opened while `audit` was on. */
  get foreign(): number {
    return this.#foreign
  }

  /** Opens a socket; connection errors are emitted as its `error` event. */
  open(options: TcpNetConnectOpts): Socket {
    this.#opening = true
    try {
      this.#opened++
      return guarded(connect(options))
    } finally {
      this.#opening = false
    }
  }

  /** Starts counting sockets of other code; the returned function stops it. */
  audit(): () => void {
    channel(CREATED)
    subscribe(CREATED, this.#watch)
    return () => void unsubscribe(CREATED, this.#watch)
  }
}

/** An error of a socket without an owner must not end the process; every owner handles the `close` that follows. */
export function guarded<S extends Socket>(socket: S): S {
  return socket.on('error', () => undefined)
}

const LIMIT_MS = 5_000

const ATTEMPT_MS = 400

export interface TlsOptions {
  /** Name for SNI and for the check of the certificate; by default the host if it is a name. */
  readonly servername?: string
  /** False accepts an untrusted certificate. */
  readonly strict?: boolean
  /** Protocols to offer above TLS (ALPN), default HTTP/1.1. */
  readonly alpn?: readonly string[]
}

/** Connects to one of the checked addresses; fails when the socket is connected to any other. */
export async function pinned(sockets: Sockets, addresses: readonly string[], port: number): Promise<Socket> {
  const list = addresses.map((address) => ({ address, family: isIP(address) }))
  const first = list[0]
  if (first === undefined) throw new Fault('missing', 'the host name is unknown')
  const socket = sockets.open({
    host: list.length === 1 ? first.address : 'checked.invalid',
    port,
    lookup: (_host, options, done) => (options.all === true ? done(null, list) : done(null, first.address, first.family)),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
    noDelay: true,
  })
  await ready(socket, 'connect')
  const remote = canonical(socket.remoteAddress ?? '')
  if (remote === null || !addresses.some((address) => canonical(address) === remote)) {
    socket.destroy()
    throw new Fault('blocked', 'the connection did not reach the address that was checked')
  }
  return socket
}

/** TLS over a connected socket. */
export async function handshake(
  plain: Socket,
  host: string,
  { servername, strict = true, alpn = ['http/1.1'] }: TlsOptions,
): Promise<TLSSocket> {
  const name = servername ?? bareHost(host)
  const socket = guarded(
    secure({
      socket: plain,
      ...(isIP(name) === 0 ? { servername: name } : { host: name }),
      ...(alpn.length === 0 ? {} : { ALPNProtocols: [...alpn] }),
      rejectUnauthorized: strict,
      checkServerIdentity: checkNames,
    }),
  )
  await ready(socket, 'secureConnect')
  return socket
}

/** Waits for a socket's event; destroys the socket on an error or after 5 s. */
export function ready(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' })), LIMIT_MS)
    const settle = (after: () => void) => (): void => {
      clearTimeout(timer)
      socket.off('error', failed).off('close', closed).off(event, done)
      after()
    }
    const done = settle(resolve)
    const closed = settle(() => reject(Object.assign(new Error('closed before it was ready'), { code: 'ECONNRESET' })))
    const failed = (error: Error): void => {
      settle(() => reject(error))()
      socket.destroy()
    }
    socket.on(event, done).on('error', failed).on('close', closed)
  })
}
