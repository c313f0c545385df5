import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Duplex } from 'node:stream'
import { Problem } from '../problems/problem.js'
import { Turns } from '../runtime/turns.js'
import { BoundedResponse, boundedResponse } from './bounded-response.js'
import { rawResponse, type RawResponseOptions } from './errors.js'
import { withoutSlashes } from './target.js'

/** Limits on connections against slow and greedy peers, in milliseconds. */
const LIMITS = { headersTimeout: 10_000, requestTimeout: 120_000, connectionsCheckingInterval: 1_000 }
/** Default time that an idle connection stays open, in milliseconds. */
const IDLE_MS = 10_000
/** Milliseconds that a peer may keep its connection after the answer to an unreadable request. */
const REFUSED_MS = 5_000
const MOST_CONNECTIONS = 10_000
/** Milliseconds between turns that write slices of large bodies. */
const WRITE_PAUSE_MS = 4
const REQUESTS_PER_SOCKET = 1_000
const ignore = (): void => undefined

/** An HTTP server with limits on slow peers that answers even unreadable requests; `idleMs`: of an idle connection. */
export function httpServer(listener: RequestListener, about: RawResponseOptions, { idleMs = IDLE_MS, turns = new Turns() } = {}): Server {
  const options: ServerOptions = {
    ...LIMITS,
    keepAliveTimeout: idleMs,
    maxHeaderSize: 16 * 1024,
    rejectNonStandardBodyWrites: false,
    ServerResponse: BoundedResponse,
  }
  const writes = new Turns(WRITE_PAUSE_MS)
  const server = createServer(options, (request, response) => {
    const answer = (): void => {
      if (!response.destroyed) listener(request, response) // Else its caller has disconnected meanwhile.
    }
    // Node would buffer up to 64 KiB of each postponed body, uncounted.
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers
    turns.run(request.socket.remoteAddress, answer, length === undefined && coding === undefined ? undefined : 'urgent')
  })
  server.on('connection', () => turns.accepted())
  server.maxConnections = MOST_CONNECTIONS
  server.maxRequestsPerSocket = REQUESTS_PER_SOCKET
  const answering = new WeakMap<Duplex, ServerResponse>()
  // Else an idle connection would keep its last request and response.
  const answered = function (this: ServerResponse): void {
    if (this.req.complete && answering.get(this.req.socket) === this) answering.delete(this.req.socket)
  }
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    answering.set(request.socket, response)
    response.on('close', answered)
    if (response instanceof BoundedResponse) response.turns = writes
    // A response that cannot be written ends with its connection; waiting code handles `close`.
    response.on('error', ignore)
  })
  abandonQueued(server, answering)
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    const current = answering.get(socket)
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && current !== undefined && isUpload(current.req)) return
    // After a partial answer the peer would parse an error as its continuation.
    if (current?.headersSent === true && !current.writableFinished) socket.destroy()
    else refuse(socket, unreadable(error.code), about)
  })
  server.on('connect', (_request, socket: Duplex) =>
    refuse(socket, new Problem('method-not-allowed', 'CONNECT is not supported.', { headers: { Allow: 'GET, POST, DELETE' } }), about),
  )
  server.on('checkExpectation', (request, response) =>
    refuse(response.socket, new Problem('malformed-request', 'The Expect header is not supported.'), {
      ...about,
      bodiless: request.method === 'HEAD',
    }),
  )
  return server
}

/**
 * Closes queued responses when their connection ends: Node emits `close` on the first one only, so code that waits for
 * the others would never continue.
 */
function abandonQueued(server: Server, answering: WeakMap<Duplex, ServerResponse>): void {
  const queued = new WeakMap<Duplex, Set<BoundedResponse>>()
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const before = answering.get(socket)
    const bounded = boundedResponse({ res: response })
    if (before === undefined || before.closed || bounded === null) return
    let waiting = queued.get(socket)
    if (waiting === undefined) {
      const all = new Set<BoundedResponse>()
      waiting = all
      queued.set(socket, all)
      socket.once('close', () => {
        for (const each of all) each.abandon()
      })
    }
    waiting.add(bounded)
    bounded.once('close', () => queued.get(socket)?.delete(bounded))
  })
}

/** Whether the request is an unfinished upload, whose route has its own idle limit. */
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
      return new Problem('malformed-request', 'The request is not valid HTTP.')
  }
}

/** Writes an answer directly to the socket, because the parser has abandoned the connection. */
function refuse(socket: Duplex | null, problem: Problem, about: RawResponseOptions & { readonly bodiless?: boolean }): void {
  if (socket === null || !socket.writable) return void socket?.destroy()
  // The parser's time limits no longer apply.
  const over = setTimeout(() => socket.destroy(), REFUSED_MS).unref()
  socket.once('close', () => clearTimeout(over))
  const { headers, body } = rawResponse(problem, about)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${about.bodiless === true ? '' : body}`,
  )
}

/** Where files are uploaded. */
export const UPLOAD_PATH = '/v1/files'
