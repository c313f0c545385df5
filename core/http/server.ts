import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type ServerResponse,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http'
import type { Duplex } from 'node:stream'
import { Problem } from '../problems/problem.js'
import { BoundedResponse, boundedResponse } from './bounded-response.js'
import { rawResponse, type RawResponseOptions } from './raw-response.js'
import { UPLOAD_PATH } from './upload/path.js'
import { withoutSlashes } from './plain-path.js'

/** Limits on connections against slow and greedy peers, in milliseconds. */
const LIMITS = { headersTimeout: 10_000, requestTimeout: 120_000, connectionsCheckingInterval: 1_000 }
/** How long an idle connection stays open where nothing else is said, in milliseconds. */
const IDLE_MS = 10_000
/** How long a peer whose request could not be read may keep its connection behind the answer, in milliseconds. */
const REFUSED_MS = 5_000
const MOST_CONNECTIONS = 10_000
const REQUESTS_PER_SOCKET = 1_000

/**
 * An HTTP server with limits on slow peers, that answers even unreadable requests with the envelope of all errors. `idleMs` is how long an idle
 * connection stays open, in milliseconds.
 */
export function httpServer(listener: RequestListener, about: RawResponseOptions, { idleMs = IDLE_MS } = {}): Server {
  const options: ServerOptions = {
    ...LIMITS,
    keepAliveTimeout: idleMs,
    maxHeaderSize: 16 * 1024,
    rejectNonStandardBodyWrites: false,
    ServerResponse: BoundedResponse,
  }
  const server = createServer(options, listener)
  server.maxConnections = MOST_CONNECTIONS
  server.maxRequestsPerSocket = REQUESTS_PER_SOCKET
  const answering = new WeakMap<Duplex, ServerResponse>()
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    answering.set(request.socket, response)
    // A response that cannot be written ends with its connection, which those who wait for it hear by `close`.
    response.on('error', () => undefined)
  })
  abandonQueued(server, answering)
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    const current = answering.get(socket)
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && current !== undefined && isUpload(current.req)) return
    // In the middle of an answer the peer would take an error for a part of it.
    if (current?.headersSent === true && !current.writableFinished) socket.destroy()
    else refuse(socket, unreadable(error.code), about)
  })
  server.on('connect', (_request, socket: Duplex) =>
    refuse(socket, new Problem('method-not-allowed', 'CONNECT is not offered here.', { headers: { Allow: 'GET, POST, DELETE' } }), about),
  )
  server.on('checkExpectation', (request, response) =>
    refuse(response.socket, new Problem('malformed-request', 'The Expect header is not understood.'), {
      ...about,
      bodiless: request.method === 'HEAD',
    }),
  )
  return server
}

/**
 * Tells responses that stand behind others on a connection when it ends: Node says so to the first of them alone, and what waits for the others
 * would wait for ever.
 */
function abandonQueued(server: Server, answering: WeakMap<Duplex, ServerResponse>): void {
  const queued = new WeakMap<Duplex, Set<BoundedResponse>>()
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const before = answering.get(socket)
    const bounded = boundedResponse({ res: response })
    if (before === undefined || before.closed || bounded === null) return
    let behind = queued.get(socket)
    if (behind === undefined) {
      const all = new Set<BoundedResponse>()
      behind = all
      queued.set(socket, all)
      socket.once('close', () => {
        for (const each of all) each.abandon()
      })
    }
    behind.add(bounded)
    bounded.once('close', () => queued.get(socket)?.delete(bounded))
  })
}

/** A body that may take its time: its route gives up a caller who sends nothing. */
function isUpload({ complete, method, url = '' }: IncomingMessage): boolean {
  return !complete && method === 'POST' && withoutSlashes(url.split('?', 1)[0] ?? '') === UPLOAD_PATH
}

function unreadable(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('malformed-request', 'The headers are larger than 16 KiB.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('malformed-request', 'The request did not arrive in time.')
    default:
      return new Problem('malformed-request', 'The request is not HTTP that could be read.')
  }
}

/** Writes an answer by hand, because the parser has given the connection up. */
function refuse(socket: Duplex | null, problem: Problem, about: RawResponseOptions & { readonly bodiless?: boolean }): void {
  if (socket === null || !socket.writable) return void socket?.destroy()
  // The parser has let go of the connection, and its limits with it.
  const over = setTimeout(() => socket.destroy(), REFUSED_MS).unref()
  socket.once('close', () => clearTimeout(over))
  const { headers, body } = rawResponse(problem, about)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${about.bodiless === true ? '' : body}`,
  )
}
