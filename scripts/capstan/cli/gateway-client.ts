import { createParser } from 'eventsource-parser'
import { Readable } from 'node:stream'
import { Agent, request, type Dispatcher } from 'undici'
import { LATER } from './exit-codes.js'
import { Failure } from './failure.js'

/** An answer of the gateway: JSON, or a stream of events. */
interface GatewayAnswer {
  readonly status: number
  readonly body: unknown
}

/** One event of a streamed answer. */
export interface StreamedEvent {
  readonly event: string
  readonly data: string
}

/** A body that is sent as it is read. */
export interface GatewayUpload {
  readonly contentType: string
  /** Bytes. */
  readonly length: number
  readonly body: AsyncIterable<Uint8Array>
}

export interface GatewayCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly key?: string
  readonly json?: unknown
  /** Instead of `json`. */
  readonly upload?: GatewayUpload
  /** Accepts an event stream and is called for each event. The body is then that of the `result` event. */
  readonly onEvent?: (event: StreamedEvent) => void
  /** Longest time without a byte of the answer, in milliseconds. */
  readonly idleMs?: number
  /** Longest time until the head of the answer, in milliseconds; unlimited by default. */
  readonly headMs?: number
  /** Ends the request. */
  readonly signal?: AbortSignal
}

interface Streamed extends Required<Pick<GatewayCall, 'key' | 'json'>> {
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** No gateway answers at the address. */
export class NoGateway extends Failure {
  /** The code of the system's error, or its text. */
  readonly why: string
  constructor(base: string, why: string) {
    super(`no gateway answers at ${base} (${why}); start one with npm start, or set CAPSTAN_URL to its address`, undefined, LATER)
    this.why = why
  }
}

/** HTTP client of one running gateway, at an address that the user set. */
export class GatewayClient {
  readonly #base: string
  readonly #dispatcher: Dispatcher | null

  /** `socket`: connects to this Unix socket instead of the address. */
  constructor(base: string, { socket }: { readonly socket?: string } = {}) {
    this.#base = base.replace(/(?<!\/)\/+$/, '')
    this.#dispatcher = socket === undefined ? null : new Agent({ connect: { socketPath: socket } })
  }

  /** Closes the connections to its socket. */
  async close(): Promise<void> {
    await this.#dispatcher?.close()
  }

  /** Sends one request. Throws a Failure when nothing answers, or what answers is not a gateway. */
  async call({ method, path, key, json, upload, onEvent, idleMs = 60_000, headMs = 0, signal }: GatewayCall): Promise<GatewayAnswer> {
    try {
      const { statusCode, headers, body } = await request(`${this.#base}${path}`, {
        method,
        headersTimeout: headMs,
        ...(signal === undefined ? {} : { signal }),
        ...(this.#dispatcher === null ? {} : { dispatcher: this.#dispatcher }),
        bodyTimeout: idleMs,
        headers: {
          accept: onEvent === undefined ? 'application/json' : 'text/event-stream, application/json',
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...(upload === undefined ? {} : { 'content-type': upload.contentType, 'content-length': String(upload.length) }),
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        ...(upload === undefined ? {} : { body: Readable.from(upload.body, { objectMode: false }) }),
      })
      const type = String(headers['content-type'] ?? '')
      if (onEvent !== undefined && type.startsWith('text/event-stream'))
        return { status: statusCode, body: await this.#events(body, onEvent) }
      return { status: statusCode, body: parse(await body.text(), this.#base) }
    } catch (error) {
      if (error instanceof Failure) throw error
      throw new NoGateway(this.#base, reasonOf(error))
    }
  }

  /** Posts JSON and returns the answer while it comes, whatever time it takes. Throws a Failure when nothing answers, and when the signal is aborted. */
  async open(
    path: string,
    { key, json, headers, signal }: Streamed,
  ): Promise<{ readonly type: string; readonly body: Dispatcher.ResponseData['body'] }> {
    try {
      const answer = await request(`${this.#base}${path}`, {
        ...{ method: 'POST', signal, headersTimeout: 0, bodyTimeout: 0, body: JSON.stringify(json) },
        headers: {
          ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream', authorization: `Bearer ${key}` },
          ...headers,
        },
      })
      return { type: String(answer.headers['content-type'] ?? ''), body: answer.body }
    } catch (error) {
      throw new NoGateway(this.#base, reasonOf(error))
    }
  }

  async #events(body: AsyncIterable<unknown>, onEvent: (event: StreamedEvent) => void): Promise<unknown> {
    const results: string[] = []
    const parser = createParser({
      onEvent: ({ event = 'message', data }) => {
        if (event === 'result') results.push(data)
        else onEvent({ event, data })
      },
    })
    const decoder = new TextDecoder()
    for await (const chunk of body) if (chunk instanceof Uint8Array) parser.feed(decoder.decode(chunk, { stream: true }))
    const [result] = results
    if (result === undefined)
      throw new Failure('the gateway ended the answer before its result; the call is not charged, try again', undefined, LATER)
    return parse(result, this.#base)
  }
}

function parse(text: string, base: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Failure(`the server at ${base} is not a gateway: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}

/** The bytes of a file behind a link of a gateway. Throws a Failure when it cannot be fetched. */
export async function download(link: string): Promise<AsyncIterable<unknown>> {
  try {
    const { statusCode, body } = await request(link, { headersTimeout: 30_000, bodyTimeout: 60_000 })
    if (statusCode === 200) return body
    await body.dump()
    throw new Failure(`the file could not be fetched: its link answered ${statusCode}`)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(`the file could not be fetched: ${reasonOf(error)}`)
  }
}
