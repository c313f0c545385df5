import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connect, isIP, type Socket, type TcpNetConnectOpts } from 'node:net'
import { checkServerIdentity, type PeerCertificate, connect as secure, type TLSSocket } from 'node:tls'
import { type Certificate, Fault } from '../sdk/index.js'
import { canonical } from './address.js'
import { bareHost } from './allow.js'

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

/** The peer's certificate, trusted or not; null when it presented none. */
export function certificateOf(socket: TLSSocket): Certificate | null {
  const peer = socket.getPeerCertificate(false)
  if (Object.keys(peer).length === 0) return null
  const reason: unknown = socket.authorizationError
  return {
    ...namesOf(peer),
    protocol: socket.getProtocol() ?? '',
    cipher: socket.getCipher().name,
    trusted: socket.authorized,
    reason: socket.authorized ? null : word(reason),
  }
}

/** Node's host name check by the subject alternative names only (RFC 9525 6.3): the common name is ignored. */
export function checkNames(host: string, peer: PeerCertificate): Error | undefined {
  const error = checkServerIdentity(host, peer)
  if (error !== undefined || /(?:^|, )(?:DNS|IP Address):/.test(peer.subjectaltname ?? '')) return error
  return Object.assign(new Error('the certificate has no subject alternative name'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
}

/** Subject, issuer, validity and names of a certificate. */
export function namesOf(peer: PeerCertificate): Pick<Certificate, 'subject' | 'issuer' | 'validFrom' | 'validTo' | 'names'> {
  return {
    subject: fields(peer.subject),
    issuer: fields(peer.issuer),
    validFrom: iso(peer.valid_from),
    validTo: iso(peer.valid_to),
    names: (peer.subjectaltname ?? '').split(', ').flatMap((name) => (name.startsWith('DNS:') ? [name.slice(4)] : [])),
  }
}

function fields(name: PeerCertificate['subject']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(name).map(([key, value]: [string, unknown]) => [key, Array.isArray(value) ? value.join(', ') : String(value)]),
  )
}

function iso(date: string): string {
  const time = Date.parse(date)
  return Number.isNaN(time) ? '' : new Date(time).toISOString()
}

function word(reason: unknown): string {
  if (typeof reason === 'string') return reason
  return reason instanceof Error && 'code' in reason ? String(reason.code) : 'UNTRUSTED'
}
