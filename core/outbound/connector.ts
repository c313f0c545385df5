import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Guard, Trust } from './guard.js'
import type { Requester } from './name-queue.js'
import { type Sockets, type TlsOptions, pinned, handshake } from './sockets.js'
import type { UpstreamProxy } from './upstream.js'

export interface Target {
  readonly host: string
  readonly port: number
  readonly trust: Trust
  /** The caller on whose behalf the name is resolved; omitted for the operator's own. */
  readonly requester?: Requester
}

/** Opens connections only to checked addresses: one lookup, every answer checked, the socket pinned to them and verified once connected. */
export class Connector {
  readonly #guard: Guard
  readonly #sockets: Sockets
  readonly #proxy: UpstreamProxy | null

  /** An upstream proxy carries the web traffic, still to an address that was checked here. */
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
  find({ host, port, trust, requester }: Target): Promise<readonly string[]> {
    return this.#guard.addresses(host, port, trust, requester)
  }

  /** A connected plain socket to one of the addresses that `find` returned for the target. */
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
