import { Readable } from 'node:stream'
import type { Dispatcher, Pool } from 'undici'
import type { Clock } from '../runtime/clock.js'
import type { Transport, TransportReply, TransportRequest } from './types.js'
import { connector } from './tracked-connection.js'
import type { Connector } from './connector.js'

const CONNECTIONS = 64
/** Load balancers close idle connections; we close ours earlier. */
const LIMITS = { keepAliveTimeout: 4_000, keepAliveMaxTimeout: 20_000, maxHeaderSize: 32 << 10, headersTimeout: 0, bodyTimeout: 30_000 }

/** Streaming requests to hosts that the operator configured, which may be private; no redirects, no retries. */
export class OperatorHttp implements Transport {
  readonly #dialer: Connector
  readonly #clock: Clock
  readonly #pools = new Map<string, Pool>()

  constructor(dialer: Connector, clock: Clock) {
    this.#dialer = dialer
    this.#clock = clock
  }

  async request({ method, url, headers, body, headMs, cancel }: TransportRequest): Promise<TransportReply> {
    const { origin, pathname, search } = new URL(url)
    const late = new AbortController()
    // The HTTP client observes its signal only once it is connected, which may take long.
    let abandon: (error: Error) => void = () => undefined
    const abandoned = new Promise<never>((_, reject) => {
      abandon = (error) => {
        late.abort(error)
        reject(error)
      }
    })
    const stop = this.#clock.after(headMs, () => abandon(Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })))
    const forget = cancel?.onCancel((reason) => abandon(new Error(`stopped: ${reason}`)))
    try {
      const request = { method, path: pathname + search, headers, body: sendable(body), signal: late.signal }
      const reply = await Promise.race([this.#pool(origin).then((pool) => pool.request(request)), abandoned])
      // An unread body that fails must not raise an unhandled error.
      reply.body.on('error', () => undefined)
      return { status: reply.statusCode, headers: joined(reply.headers), body: reply.body }
    } finally {
      stop()
      forget?.()
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()))
  }

  async #pool(origin: string): Promise<Pool> {
    // The whole package, only for object storage.
    const { Pool } = await import('undici')
    const known = this.#pools.get(origin)
    if (known !== undefined) return known
    const pool = new Pool(origin, { ...LIMITS, connect: connector(this.#dialer, 'operator'), connections: CONNECTIONS })
    this.#pools.set(origin, pool)
    return pool
  }
}

function sendable(body: TransportRequest['body']): NonNullable<Dispatcher.DispatchOptions['body']> | null {
  return body === null || body instanceof Uint8Array ? body : Readable.from(body, { objectMode: false })
}

function joined(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ')
  return flat
}
