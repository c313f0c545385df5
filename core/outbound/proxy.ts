import { chmod, rm } from 'node:fs/promises'
import { createServer, request as forward, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Fault } from '../sdk/index.js'
import { parseUrl } from '../sdk/url.js'
import { bareHost } from './allow.js'
import type { Connector } from './connector.js'
import { type Guard, portOf } from './guard.js'
import type { Requester } from './name-queue.js'
import { targetFault } from './target-fault.js'
import type { GuardProxy, Hooks } from './types.js'

/** Hosts that browsers contact on their own: updates, experiments, crash reports, safe-browsing lists. */
const DENIED = [
  'update.googleapis.com',
  'clients2.google.com',
  'clients2.googleusercontent.com',
  'clientservices.googleapis.com',
  'optimizationguide-pa.googleapis.com',
  'content-autofill.googleapis.com',
  'safebrowsing.googleapis.com',
  'safebrowsingohttpgateway.googleapis.com',
  'android.clients.google.com',
  'mtalk.google.com',
  'edgedl.me.gvt1.com',
  'redirector.gvt1.com',
  'gvt1.com',
  'gvt2.com',
]
/**
 * Hop-by-hop headers (RFC 9110 7.6.1), and those that only the forwarder may write: `host`, and `x-refused`, which reports that an
 * address was refused.
 */
const HOP = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'proxy-authorization',
  'proxy-authenticate',
  'te',
  'trailer',
  'upgrade',
  'host',
  'x-refused',
])

/** True for a denied host or a name below one. */
export function deniedByProxy(host: string): boolean {
  return DENIED.some((name) => host === name || host.endsWith(`.${name}`))
}

/** Raw headers (name, value, name, value) without hop-by-hop headers, including those that `connection` names. */
export function forwardedHeaders(raw: readonly string[]): string[] {
  const dropped = new Set(HOP)
  for (let at = 0; at < raw.length; at += 2) {
    if (raw[at]?.toLowerCase() === 'connection') for (const name of (raw[at + 1] ?? '').split(',')) dropped.add(name.trim().toLowerCase())
  }
  const kept: string[] = []
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2)
    if (!dropped.has(name.toLowerCase())) kept.push(name, value)
  }
  return kept
}

/**
 * A listener on untrusted bytes (a page's reply, a peer's frame) whose exception is passed to `fail`, which ends the connection. Otherwise
 * an exception in an emitter's listener is an uncaught error of the process.
 */
function contained<A extends readonly unknown[]>(listener: (...args: A) => void, fail: (error: unknown) => void): (...args: A) => void {
  return (...args) => {
    try {
      listener(...args)
    } catch (error) {
      fail(error)
    }
  }
}

/** Idle time after which a connection of the guard proxy is closed, in milliseconds. */
const IDLE_MS = 60_000

/** Final statuses of an answer (RFC 9110, 15). */
const LOWEST_STATUS = 200
const HIGHEST_STATUS = 599

/** One request to forward, with its outgoing connection. */
interface RelayedRequest {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly url: URL
  readonly socket: Socket
  /** Most bytes of request and reply bodies together. */
  readonly maxBytes: number
}

/** Forwards one request and its reply. Rejects with the error of the connection. */
function relay({ incoming, outgoing, url, socket, maxBytes }: RelayedRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    const count = meter(maxBytes, () => socket.destroy())
    const upstream = forward({
      createConnection: () => socket,
      method: incoming.method ?? 'GET',
      path: url.pathname + url.search,
      headers: [...forwardedHeaders(incoming.rawHeaders), 'host', url.host, 'connection', 'close'],
      setHost: false,
    })
    const answer = (reply: IncomingMessage): void => {
      const status = reply.statusCode ?? 0
      // The parser accepts any three digits, and an unrequested switch of protocols is not an answer.
      if (status < LOWEST_STATUS || status > HIGHEST_STATUS) throw new Fault('missing', `the address answered with status ${status}`)
      outgoing.writeHead(status, [...forwardedHeaders(reply.rawHeaders), 'connection', 'close'])
      reply.on('error', reject)
      reply.on('end', resolve)
      reply.on('data', count)
      reply.pipe(outgoing)
    }
    const fail = (error: unknown): void => {
      socket.destroy()
      reject(error instanceof Error ? error : new Error(String(error)))
    }
    upstream.on('response', contained(answer, fail))
    upstream.on('error', reject)
    outgoing.on('error', fail)
    socket.setTimeout(IDLE_MS, () => socket.destroy())
    outgoing.on('close', () => {
      socket.destroy()
      resolve()
    })
    incoming.on('data', count)
    incoming.pipe(upstream)
  })
}

/** Two sockets as one connection; when one ends or fails, so does the other. */
function join(client: Duplex, socket: Socket, maxBytes: number): void {
  const count = meter(maxBytes, () => socket.destroy())
  client.on('data', count)
  socket.on('data', count)
  socket.setTimeout(IDLE_MS, () => socket.destroy())
  socket.on('close', () => client.destroy())
  client.on('close', () => socket.destroy())
  client.pipe(socket)
  socket.pipe(client)
}

/** Counts bytes and calls back when they exceed the limit in total. */
function meter(maxBytes: number, over: () => void): (chunk: Buffer) => void {
  let bytes = 0
  return (chunk) => {
    bytes += chunk.length
    if (bytes > maxBytes) over()
  }
}

const CONNECTIONS = 512

interface ProxyDeps {
  readonly guard: Guard
  readonly dialer: Connector
  readonly hooks: Hooks
  /** Bytes one tunnel or one forwarded exchange may carry, both ways together. */
  readonly maxBytes: number
}

/** An HTTP proxy on Unix sockets through which programs reach only checked addresses: forwarding for http, CONNECT for the rest. */
export class LocalProxy implements GuardProxy {
  readonly #parts: ProxyDeps
  readonly #servers = new Set<Server>()
  readonly #sockets = new Set<Duplex>()
  #closed = false

  constructor(parts: ProxyDeps) {
    this.#parts = parts
  }

  /** Listens on a Unix socket, for a sandbox without network; the returned function closes it. */
  async listenOnSocket(path: string): Promise<() => Promise<void>> {
    const server = await this.#listen(path)
    await chmod(path, 0o666)
    return async () => {
      await this.#stop(server)
      await rm(path, { force: true })
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const socket of this.#sockets) socket.destroy()
    await Promise.all([...this.#servers].map((server) => this.#stop(server)))
  }

  #listen(path: string): Promise<Server> {
    if (this.#closed) return Promise.reject(new Error('the guard proxy is closed'))
    const server = createServer({ maxHeaderSize: 32 << 10, headersTimeout: 10_000, requestTimeout: IDLE_MS * 5 })
    server.maxConnections = CONNECTIONS
    server.on('connection', (socket: Socket) => this.#watch(socket))
    // Each socket serves one host user.
    const caller = `programs ${path}`
    server.on(
      'request',
      (incoming, outgoing) => void this.#forward(incoming, outgoing, { caller, onLeave: (listener) => closed(incoming.socket, listener) }),
    )
    server.on(
      'connect',
      (incoming: IncomingMessage, client: Duplex, head: Buffer) =>
        void this.#tunnel({ url: incoming.url ?? '', client, head }, { caller, onLeave: (listener) => hungUp(client, listener) }),
    )
    server.on('upgrade', (_incoming: IncomingMessage, socket: Duplex) =>
      refuse(socket, new Fault('blocked', 'upgrades go through CONNECT')),
    )
    server.on('clientError', (_error, socket: Duplex) => void socket.destroy())
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(path, () => {
        this.#servers.add(server)
        resolve(server)
      })
    })
  }

  #stop(server: Server): Promise<void> {
    this.#servers.delete(server)
    server.closeAllConnections()
    return new Promise((resolve) => server.close(() => resolve()))
  }

  #watch(socket: Socket): void {
    this.#sockets.add(socket)
    socket.setTimeout(IDLE_MS, () => socket.destroy())
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.#sockets.delete(socket)
      this.#parts.hooks.onProxied?.(socket.bytesRead + socket.bytesWritten)
    })
  }

  async #tunnel({ url, client, head }: { url: string; client: Duplex; head: Buffer }, requester: Requester): Promise<void> {
    try {
      const { host, port } = authority(url)
      if (deniedByProxy(host)) throw new Fault('blocked', 'the host is on the list of refused hosts')
      const socket = await this.#parts.dialer.dial({ host, port, trust: 'web', requester })
      if (client.destroyed) return void socket.destroy()
      this.#note(200)
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      if (head.length > 0) socket.write(head)
      join(client, socket, this.#parts.maxBytes)
    } catch (error) {
      this.#note(refuse(client, targetFault(error, this.#parts.maxBytes)))
    }
  }

  async #forward(incoming: IncomingMessage, outgoing: ServerResponse, requester: Requester): Promise<void> {
    try {
      const url = this.#parts.guard.url(incoming.url ?? '')
      if (url.protocol !== 'http:') throw new Fault('blocked', 'only http is forwarded, https goes through CONNECT')
      if (deniedByProxy(bareHost(url.hostname))) throw new Fault('blocked', 'the host is on the list of refused hosts')
      const socket = await this.#parts.dialer.dial({ host: url.hostname, port: portOf(url), trust: 'web', requester })
      if (outgoing.destroyed) return void socket.destroy()
      await relay({ incoming, outgoing, url, socket, maxBytes: this.#parts.maxBytes })
      this.#note(outgoing.statusCode)
    } catch (error) {
      const fault = targetFault(error, this.#parts.maxBytes)
      const status = statusOf(fault)
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(status, { 'x-refused': fault.message, 'content-length': 0, connection: 'close' }).end()
      this.#note(status)
    }
  }

  #note(status: number): void {
    this.#parts.hooks.onRequest?.({ kind: 'proxy', vendor: null, status })
  }
}

function authority(target: string): { host: string; port: number } {
  const parts = /^(\[[0-9a-f:.]+\]|[^:[\]/@?#\\\s]+):(\d{1,5})$/i.exec(target)
  const host = parts?.[1] ?? ''
  if (host === '' || parseUrl(`http://${host}/`) === null) throw new Fault('blocked', 'the address is not valid')
  return { host: bareHost(new URL(`http://${host}/`).hostname), port: Number(parts?.[2]) }
}

function closed(socket: Duplex, listener: () => void): () => void {
  socket.once('close', listener)
  return () => void socket.off('close', listener)
}

/** The same for a socket that nothing reads yet: its end is detected only by reading. */
function hungUp(client: Duplex, listener: () => void): () => void {
  const poll = (): void => void (client.readableLength === 0 && client.read(0))
  client.on('readable', poll).once('end', listener)
  const forget = closed(client, listener)
  return () => {
    client.off('readable', poll).off('end', listener)
    forget()
  }
}

function statusOf(fault: Fault): number {
  if (fault.kind === 'missing') return 502
  return fault.unavailable ? 504 : 403
}

function refuse(client: Duplex, fault: Fault): number {
  const status = statusOf(fault)
  client.on('error', () => undefined)
  client.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nx-refused: ${fault.message}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
  )
  return status
}
