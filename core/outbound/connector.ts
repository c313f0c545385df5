import { isIP, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { parseUrl } from '../sdk/url.js'
import { bareHost } from './allow.js'
import type { Guard, Trust } from './guard.js'
import type { Requester } from './name-queue.js'
import { handshake, pinned, type Sockets, type TlsOptions } from './sockets.js'

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

const MAX_HEAD = 16_384
const TRIES = 3
const LIMIT_MS = 5_000

/** The operator's HTTP proxy for web traffic, reached with CONNECT. */
export class UpstreamProxy {
  readonly #url: URL
  readonly #guard: Guard
  readonly #sockets: Sockets

  /** Throws a RangeError when the setting is not an http or https URL. */
  constructor(setting: string, guard: Guard, sockets: Sockets) {
    const url = parseUrl(setting)
    if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') {
      throw new RangeError('outbound.proxy is not an address such as http://proxy.example.com:3128')
    }
    this.#url = url
    this.#guard = guard
    this.#sockets = sockets
  }

  /** A tunnel to one of the addresses, which the caller has checked; the proxy never sees the name. */
  async tunnel(addresses: readonly string[], port: number): Promise<Socket> {
    let failure: unknown = new Error('no address')
    for (const address of addresses.slice(0, TRIES)) {
      const socket = await this.#connect()
      try {
        await this.#openTunnel(socket, `${isIP(address) === 6 ? `[${address}]` : address}:${port}`)
        return socket
      } catch (error) {
        socket.destroy()
        failure = error
      }
    }
    throw failure
  }

  async #connect(): Promise<Socket> {
    const { protocol, hostname } = this.#url
    const port = Number(this.#url.port || (protocol === 'https:' ? 443 : 80))
    const socket = await pinned(this.#sockets, await this.#guard.addresses(bareHost(hostname), port, 'operator'), port)
    return protocol === 'https:' ? handshake(socket, hostname, {}) : socket
  }

  #openTunnel(socket: Socket, authority: string): Promise<void> {
    const { username, password } = this.#url
    const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
    socket.write(
      `CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${username === '' ? '' : `proxy-authorization: Basic ${credentials}\r\n`}\r\n`,
    )
    return granted(socket)
  }
}

function granted(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0)
    const timer = setTimeout(() => settle(new Error('no answer')), LIMIT_MS)
    const settle = (error?: Error): void => {
      clearTimeout(timer)
      socket.off('data', read).off('error', settle).off('close', closed)
      socket.pause()
      if (error === undefined) resolve()
      else reject(Object.assign(new Error(`the upstream proxy: ${error.message}`), { code: 'EPROXY' }))
    }
    const closed = (): void => settle(new Error('closed'))
    const read = (chunk: Buffer): void => {
      head = Buffer.concat([head, chunk])
      const end = head.indexOf('\r\n\r\n')
      if (end === -1) return head.length > MAX_HEAD ? settle(new Error('endless header')) : undefined
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(head.toString('latin1', 0, 32))?.[1] ?? 'garbage'
      if (!status.startsWith('2')) return settle(new Error(`status ${status}`))
      if (head.length > end + 4) socket.unshift(head.subarray(end + 4))
      settle()
    }
    socket.on('data', read).on('error', settle).on('close', closed)
  })
}
