import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { contained } from '../runtime/contained.js'
import { Fault } from '../sdk/index.js'
import { forwardedHeaders } from './proxy-rules.js'

/** Idle time after which a connection of the guard proxy is closed, in milliseconds. */
export const IDLE_MS = 60_000

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
export function relay({ incoming, outgoing, url, socket, maxBytes }: RelayedRequest): Promise<void> {
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
export function join(client: Duplex, socket: Socket, maxBytes: number): void {
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
