import { isIP, type Socket } from 'node:net'
import { connect as secure, type TLSSocket } from 'node:tls'
import { Fault } from '../sdk/index.js'
import { canonical } from './address.js'
import { bareHost } from './allow.js'
import { checkNames } from './certificate.js'
import type { Guard, Trust } from './guard.js'
import type { Asker } from './name-queue.js'
import { guarded, type Sockets } from './sockets.js'
import type { UpstreamProxy } from './upstream.js'

const LIMIT_MS = 5_000
const ATTEMPT_MS = 400

export interface Target {
  readonly host: string
  readonly port: number
  readonly trust: Trust
  /** Whose question for the name it is; left out for the operator's own. */
  readonly asker?: Asker
}

interface TlsOptions {
  /** Name for SNI and for the check of the certificate; default the host when that is a name. */
  readonly servername?: string
  /** False reports an untrusted certificate instead of refusing it. */
  readonly strict?: boolean
  /** Protocols to offer above TLS (ALPN), default HTTP/1.1. */
  readonly alpn?: readonly string[]
}

/** Opens connections to checked addresses alone: one look-up, every answer judged, the socket pinned to them and looked at again once connected. */
export class Connector {
  readonly #guard: Guard
  readonly #sockets: Sockets
  readonly #proxy: UpstreamProxy | null

  /** With an upstream proxy, web traffic goes through it, still to an address that was checked here. */
  constructor(guard: Guard, sockets: Sockets, proxy: UpstreamProxy | null) {
    this.#guard = guard
    this.#sockets = sockets
    this.#proxy = proxy
  }

  /** A connected plain socket. Rejects with a Fault of the guard or the error of the socket. */
  async dial(target: Target): Promise<Socket> {
    return this.reach(target, await this.find(target))
  }

  /** The checked addresses of a target. Rejects with a Fault of the guard. */
  find({ host, port, trust, asker }: Target): Promise<readonly string[]> {
    return this.#guard.addresses(host, port, trust, asker)
  }

  /** A connected plain socket to one of the addresses that `find` gave for the target. */
  async reach(target: Target, addresses: readonly string[]): Promise<Socket> {
    if (this.#proxy !== null && target.trust === 'web' && !this.#guard.exempt(target.host, target.port)) {
      return this.#proxy.tunnel(addresses, target.port)
    }
    return pinned(this.#sockets, addresses, target.port)
  }

  /** The same with TLS on top; the certificate is checked unless `strict` is false. */
  async dialTls(target: Target, options: TlsOptions = {}): Promise<TLSSocket> {
    return handshake(await this.dial(target), target.host, options)
  }
}

/** Connects to one of the addresses, all of them checked before; fails when the socket ends up anywhere else. */
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

/** Waits for a socket's event; destroys it when it fails or takes over 5 s. */
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
