import { Readable } from 'node:stream'
import { Agent, Pool } from 'undici'
import type { Cancel } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import { IdleLimit } from '../runtime/idle-limit.js'
import { Problem } from '../problems/problem.js'
import { Fault, type Page, type WebOptions } from '../sdk/index.js'
import { TrackedClient, connector } from './tracked-connection.js'
import { BoundedExchange, follow, type Head, type Hop, location } from './exchange.js'
import type { Connector } from './connector.js'
import { bareHost } from './allow.js'
import { portOf, type Guard } from './guard.js'
import type { Hooks, Web, WebRequest } from './types.js'
import { JoinedBody, mediaType, namedLength } from './reply-body.js'
import { type Body, StreamedBody } from './request-body.js'
import { StreamedReply } from './streamed-reply.js'
import type { LimitByKey } from './throttle.js'
import { ownShortage } from '../problems/own-shortage.js'
import { targetFault } from './target-fault.js'

/** Default size limit of a fetch, in bytes. */
export const MAX_BYTES = 10 << 20
const TIMEOUT_MS = 20_000
const MAX_REDIRECTS = 5
const SILENCE_MS = 30_000
/** Hosts rarely repeat: a connection is kept for redirects and files of a page, then frees its descriptor. */
const KEEP_MS = 1_000
/** Headers that only the client sets. */
export const OWN_HEADERS =
  /^(host|connection|content-length|transfer-encoding|keep-alive|upgrade|te|trailer|expect|proxy-.*|accept-encoding)$/i

interface WebDeps {
  readonly guard: Guard
  readonly dialer: Connector
  readonly clock: Clock
  readonly perHost: LimitByKey
  readonly userAgent: string
  readonly hooks: Hooks
}

/** Content and limits of a fetch. */
interface WebSending {
  readonly maxBytes: number
  readonly idle: IdleLimit
  readonly body: Body['data']
  readonly agent: Agent
}

type OpenedPage = Omit<Page, 'bytes'> & { readonly body: Readable }

/** Fetches of foreign addresses, through the guard at every hop. */
export class GuardedWeb implements Web {
  readonly #parts: WebDeps
  readonly #agent: Agent
  /** Connections that accept untrusted certificates; never shared with other fetches. */
  readonly #untrusting: Agent

  constructor(parts: WebDeps) {
    this.#parts = parts
    this.#agent = agentOf(parts.dialer, true)
    this.#untrusting = agentOf(parts.dialer, false)
  }

  /** The whole body, counted after decompression. */
  async get(url: string, options: WebOptions, cancel: Cancel): Promise<Page> {
    const { body, ...page } = await this.#open(url, options, cancel)
    const maxBytes = options.maxBytes ?? MAX_BYTES
    const joined = new JoinedBody(namedLength(page.headers, maxBytes))
    try {
      for await (const chunk of chunksOf(body)) joined.add(chunk)
    } catch (error) {
      throw ownShortage(error) ?? targetFault(error, maxBytes)
    }
    return { ...page, bytes: joined.bytes() }
  }

  /** The body as a stream. It must be read to the end or left (`break`), which closes the connection. */
  async stream(url: string, options: WebRequest, cancel: Cancel): ReturnType<Web['stream']> {
    const { body, ...page } = await this.#open(url, options, cancel)
    return { ...page, body: faulted(body, options.maxBytes ?? MAX_BYTES) }
  }

  async close(): Promise<void> {
    await Promise.all([this.#agent.destroy(), this.#untrusting.destroy()])
  }

  async #open(url: string, options: WebRequest, cancel: Cancel): Promise<OpenedPage> {
    const maxBytes = options.maxBytes ?? MAX_BYTES
    const step = cancel.step(Math.min(options.timeoutMs ?? TIMEOUT_MS, Math.max(1, cancel.timeLeft())))
    const idle = new IdleLimit(this.#parts.clock, step.cancel, options.idleMs ?? Infinity)
    const sending = {
      maxBytes,
      idle,
      body: options.body?.data ?? null,
      agent: options.untrustedTls === true ? this.#untrusting : this.#agent,
    }
    try {
      let hop: Hop = { url: this.#parts.guard.url(url), method: options.method ?? 'GET', headers: this.#headers(options) }
      const limit = Math.min(options.maxRedirects ?? MAX_REDIRECTS, MAX_REDIRECTS)
      for (let count = 0; ; count++) {
        const { head, body, release } = await this.#hop(hop, sending, limit > 0)
        const target = limit > 0 ? location(head) : null
        if (target === null) {
          const done = (): void => {
            release()
            idle.done()
            step.done()
          }
          if (body.closed) done()
          else body.once('close', done)
          return { url: hop.url.href, status: head.status, headers: head.headers, ...mediaType(head.headers['content-type']), body }
        }
        release()
        if (count === limit) throw new Fault('blocked', `the address redirects more than ${limit} times`)
        hop = follow(hop, head.status, this.#parts.guard.url(target, hop.url))
      }
    } catch (error) {
      idle.done()
      step.done()
      if (error instanceof Problem) throw error
      throw ownShortage(error) ?? targetFault(error, maxBytes)
    }
  }

  async #hop(hop: Hop, sending: WebSending, follows: boolean): Promise<{ head: Head; body: Readable; release: () => void }> {
    const host = bareHost(hop.url.hostname)
    const release = this.#parts.guard.exempt(host, portOf(hop.url))
      ? (): void => undefined
      : await this.#parts.perHost.take(host, sending.idle.cancel)
    try {
      return { ...(await this.#send(hop, sending, follows)), release }
    } catch (error) {
      release()
      throw error
    }
  }

  #send(hop: Hop, { maxBytes, idle, body: given, agent }: WebSending, follows: boolean): Promise<{ head: Head; body: Readable }> {
    return new Promise((resolve, reject) => {
      const sent = given instanceof StreamedBody ? given.open(idle) : given
      const reply: StreamedReply = new StreamedReply(
        () => exchange,
        (error) => {
          reject(error)
          return error
        },
      )
      // The unsent rest of a body must not keep its file open.
      if (sent instanceof Readable) reply.body.once('close', () => sent.destroy())
      const exchange = new BoundedExchange({
        maxBytes: () => maxBytes,
        cancel: idle.cancel,
        watch: idle,
        bodyless: hop.method === 'HEAD',
        head: (head) => {
          this.#parts.hooks.onRequest?.({ kind: 'web', vendor: null, status: head.status })
          resolve({ head, body: reply.body })
          return !follows || location(head) === null
        },
        sink: reply.sink,
      })
      exchange.start(agent, {
        origin: hop.url.origin,
        path: hop.url.pathname + hop.url.search,
        method: hop.method,
        headers: hop.headers,
        body: sent,
        exchange,
      })
    })
  }

  #headers({ headers: given = {}, body }: WebRequest): Record<string, string> {
    const own = Object.entries(given).filter(([name]) => !OWN_HEADERS.test(name))
    return {
      'user-agent': this.#parts.userAgent,
      accept: '*/*',
      ...Object.fromEntries(own.map(([name, value]) => [name.toLowerCase(), value])),
      'accept-encoding': 'gzip, deflate, br',
      ...(body === undefined || body.contentType === '' ? {} : { 'content-type': body.contentType }),
      ...(body?.data instanceof StreamedBody ? { 'content-length': String(body.data.length) } : {}),
    }
  }
}

function agentOf(dialer: Connector, strict: boolean): Agent {
  const open = connector(dialer, 'web', { strict })
  return new Agent({
    connect: open,
    factory: (origin, options) => new Pool(origin, { ...options, factory: (url, own) => new TrackedClient(url, own, open) }),
    keepAliveTimeout: KEEP_MS,
    keepAliveMaxTimeout: KEEP_MS,
    maxHeaderSize: 32 << 10,
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
  })
}

function chunksOf(body: Readable): AsyncIterable<Uint8Array> {
  return body
}

/** The chunks of a body, which is closed when the iteration ends, even before the first chunk. */
function faulted(body: Readable, maxBytes: number): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => {
      const chunks = faultedChunks(body, maxBytes)
      return {
        next: () => chunks.next(),
        return: () => {
          body.destroy()
          return chunks.return(undefined)
        },
      }
    },
  }
}

async function* faultedChunks(body: Readable, maxBytes: number): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of chunksOf(body)) yield chunk
  } catch (error) {
    throw ownShortage(error) ?? targetFault(error, maxBytes)
  } finally {
    body.destroy()
  }
}
