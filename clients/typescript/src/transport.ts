import {
  APIConnectionError,
  APIStatusError,
  APITimeoutError,
  type Answer,
  CapstanError,
  fieldsOf,
  firstWords,
  statusError,
} from './errors.js'

/** @internal */
export const VERSION = '0.1.0'

/** Settings of a client. */
export interface ClientOptions {
  /** An API key; else the variable CAPSTAN_API_KEY. */
  readonly apiKey?: string | undefined
  /** Address of the gateway; else the variable CAPSTAN_URL, else http://127.0.0.1:8420. */
  readonly baseUrl?: string | undefined
  /** Seconds that one request may take; by default the deadline of the capability and 5 seconds. */
  readonly timeout?: number | undefined
  /** Times that a request is repeated at most; 2 by default. */
  readonly maxRetries?: number | undefined
  /** Headers of every request in addition to those of this library, or in their place. */
  readonly defaultHeaders?: Readonly<Record<string, string>> | undefined
  /** False: a text is never read as a path of this machine. For parameters that a model chose. */
  readonly localFiles?: boolean | undefined
  /** Used in place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
}

/** A step of a running call. */
export interface Progress {
  readonly step: string
  readonly detail: string | null
  readonly done: number | null
  readonly total: number | null
}

/** Options of one request; a key and steps are of calls alone. */
export interface RequestOptions {
  /** Ends the request, and the call at the gateway, when it is aborted. */
  readonly signal?: AbortSignal | undefined
  /** Seconds that one attempt may take. */
  readonly timeout?: number | undefined
  /** A key of your own: the call runs on when the connection ends; the same key gives the same answer for 24 hours. */
  readonly idempotencyKey?: string | undefined
  /** Called with each step of a call. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
  readonly maxRetries?: number | undefined
}

/** A body that is made anew for each attempt. @internal */
export interface Body {
  readonly body: NonNullable<RequestInit['body']>
  readonly contentType?: string
  /** Sent while it is read. */
  readonly streamed?: boolean
}

/** A body that is being sent. @internal */
export interface Sending {
  /** Aborted when the rest need not be read. */
  readonly signal: AbortSignal
  /** A piece was read. */
  readonly touch: () => void
}

/** A request, to be sent once or several times. @internal */
export interface Order {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Path at the gateway, or a whole address. */
  readonly path: string
  readonly options: RequestOptions
  /** Seconds, unless the options or the client say others. */
  readonly timeout?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: (sending: Sending) => Body
  /** The time limit begins again with each piece that is sent or received. */
  readonly idle?: boolean
  /** The request must not reach the gateway twice. */
  readonly once?: boolean
  /** Another server: no key is sent, and redirects are followed. */
  readonly foreign?: boolean
}

/** Seconds of requests that are no calls. */
const DEFAULT_SECONDS = 35
const LONGEST_WAIT_SECONDS = 60
const FIRST_WAIT_SECONDS = 0.5
/** What timers of JavaScript can count. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Sends requests of one client. @internal */
export class Transport {
  readonly baseUrl: string
  readonly #key: string
  readonly #options: ClientOptions
  readonly #fetch: typeof fetch
  readonly #logs: boolean
  readonly localFiles: boolean

  /** Throws CapstanError for settings that cannot work. */
  constructor(options: ClientOptions) {
    this.#key = keyOf(options.apiKey)
    this.baseUrl = addressOf(options.baseUrl ?? variable('CAPSTAN_URL') ?? 'http://127.0.0.1:8420')
    this.#options = options
    this.#fetch = options.fetch ?? globalThis.fetch
    this.#logs = variable('CAPSTAN_LOG') === 'debug'
    this.localFiles = options.localFiles !== false
  }

  /** One attempt of a request. Throws APIConnectionError, APITimeoutError, and the reason of an aborted signal. Close what it returns. */
  async open(order: Order): Promise<Connection> {
    const { method, path, options, foreign = false } = order
    const seconds = options.timeout ?? this.#options.timeout ?? order.timeout ?? DEFAULT_SECONDS
    const url = foreign ? path : this.baseUrl + path
    const connection = new Connection({ url, seconds, signal: options.signal, idle: order.idle === true })
    const began = performance.now()
    const log = (says: string | number, id = ''): void => {
      // Standard error: what a program prints stays its own.
      if (this.#logs)
        console.error(`capstan ${method} ${path.split('?')[0]} ${says} ${Math.round(performance.now() - began)} ms ${id}`.trimEnd())
    }
    try {
      const body = order.body?.(connection)
      const response = await connection.opened((signal) =>
        // Called as a function: the global one accepts no other `this`.
        (0, this.#fetch)(url, {
          method,
          signal,
          headers: this.#headers(order, body),
          redirect: foreign ? 'follow' : 'manual',
          ...sent(body),
        }),
      )
      log(response.status, response.headers.get('x-request-id') ?? '')
      return connection
    } catch (error) {
      connection.close()
      log(error instanceof Error ? error.name : 'failed')
      throw error
    }
  }

  /** The JSON of an answer that succeeded. Throws APIStatusError for one that failed, after its retries. */
  async json(order: Order): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      try {
        const connection = await this.open(order)
        try {
          return success(await connection.answer())
        } finally {
          connection.close()
        }
      } catch (error) {
        await this.again(error, attempt, order)
      }
    }
  }

  /** Waits before another attempt. Throws the error where there is none. */
  async again(error: unknown, attempt: number, { options, once = false }: Order): Promise<void> {
    const most = options.maxRetries ?? this.#options.maxRetries ?? 2
    const retriable = error instanceof APIStatusError ? error.is_retriable : error instanceof APIConnectionError && !once
    // Not more than a quarter less, so that the attempts of many clients spread.
    const pause = FIRST_WAIT_SECONDS * 2 ** attempt * (1 - Math.random() / 4)
    const wait = (error instanceof APIStatusError ? error.retry_after_seconds : null) ?? pause
    if (!retriable || attempt >= most || wait > LONGEST_WAIT_SECONDS) throw error
    await waited(wait, options.signal)
  }

  #headers({ headers, foreign = false }: Order, body: Body | undefined): Headers {
    const all = new Headers(headers)
    if (!all.has('accept')) all.set('accept', foreign ? '*/*' : 'application/json')
    if (body?.contentType !== undefined) all.set('content-type', body.contentType)
    if (foreign) return all
    all.set('authorization', `Bearer ${this.#key}`)
    // Browsers name themselves, and this header would need a preflight request.
    if (!('document' in globalThis) && !('importScripts' in globalThis)) all.set('user-agent', `capstan-typescript/${VERSION}`)
    for (const [name, value] of Object.entries(this.#options.defaultHeaders ?? {})) all.set(name, value)
    return all
  }
}

interface Terms {
  readonly url: string
  readonly seconds: number
  readonly signal: AbortSignal | undefined
  readonly idle: boolean
}

/** One request and its answer, within one time limit and until the caller's signal is aborted. @internal */
export class Connection implements Sending {
  readonly #terms: Terms
  readonly #controller = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  #isLate = false
  #isRead = false
  #response: Response | undefined

  constructor(terms: Terms) {
    this.#terms = terms
    terms.signal?.addEventListener('abort', this.#abort)
    if (terms.signal?.aborted === true) this.#abort()
    this.#startTimer()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get response(): Response {
    if (this.#response === undefined) throw new TypeError('the connection is not open')
    return this.#response
  }

  /** Begins the time limit again where it counts between two pieces. */
  readonly touch = (): void => {
    if (!this.#terms.idle) return
    clearTimeout(this.#timer)
    this.#startTimer()
  }

  /** Sends the request and waits for the head of its answer. */
  async opened(send: (signal: AbortSignal) => Promise<Response>): Promise<Response> {
    return (this.#response = await this.#network(() => send(this.signal)))
  }

  /** The pieces of the body as they come. */
  async *pieces(): AsyncGenerator<Uint8Array> {
    const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = this.response.body?.getReader()
    while (reader !== undefined) {
      const { done, value } = await this.#network(() => reader.read())
      if (done) break
      this.touch()
      yield value
    }
    this.#isRead = true
  }

  /** The whole answer. */
  async answer(): Promise<Answer> {
    const { status, headers } = this.response
    const text = await this.#network(() => this.response.text())
    this.#isRead = true
    return { status: status === 0 ? 307 : status, headers, text, body: jsonOf(text) }
  }

  /** Frees the timer, and ends what is still sent or received. */
  close(): void {
    clearTimeout(this.#timer)
    this.#terms.signal?.removeEventListener('abort', this.#abort)
    if (!this.#isRead || this.#terms.idle) this.#controller.abort()
  }

  readonly #abort = (): void => this.#controller.abort()

  #startTimer(): void {
    const late = (): void => {
      this.#isLate = true
      this.#controller.abort()
    }
    this.#timer = setTimeout(late, Math.min(this.#terms.seconds * 1000, LONGEST_TIMER_MS))
  }

  async #network<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const { signal, seconds, url } = this.#terms
      if (signal?.aborted === true) throw signal.reason
      // A file that could not be read while it was sent.
      const cause = fieldsOf(error)['cause']
      if (error instanceof CapstanError || cause instanceof CapstanError) throw error instanceof CapstanError ? error : cause
      const at = new URL(url).origin
      if (this.#isLate)
        throw new APITimeoutError(`${at} did not answer within ${seconds} s; a longer time is set by timeout`, { cause: error })
      const why = reasonOf(error)
      throw new APIConnectionError(`the connection to ${at} failed (${why}); check baseUrl (CAPSTAN_URL) and that the gateway runs`, {
        cause: error,
      })
    }
  }
}

/** The answer, if it succeeded and is JSON. Throws APIStatusError, and CapstanError for what no gateway answers. @internal */
export function success(answer: Answer): Answer {
  const { status, headers, text, body } = answer
  if (status >= 400) throw statusError(answer)
  if (status >= 300)
    throw new CapstanError(
      `the address redirects to ${headers.get('location') ?? 'another one'}; set baseUrl (CAPSTAN_URL) to the final one`,
    )
  if (typeof body === 'object' && body !== null) return answer
  throw new CapstanError(`this is not the answer of a gateway: ${firstWords(text)}; check baseUrl (CAPSTAN_URL)`)
}

/** A variable of the environment; undefined where there is none. */
function variable(name: string): string | undefined {
  const { env } = fieldsOf((globalThis as { process?: unknown }).process)
  try {
    const value = fieldsOf(env)[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  } catch {
    // Deno throws for a variable that the program has no permission to read: it is then not set for this program.
    return undefined
  }
}

function keyOf(given: string | undefined): string {
  const key = (given ?? variable('CAPSTAN_API_KEY'))?.trim() ?? ''
  if (key === '') throw new CapstanError('no API key: give apiKey, or set the variable CAPSTAN_API_KEY')
  if (!/^[\x21-\x7e]+$/.test(key)) throw new CapstanError('the API key (apiKey or CAPSTAN_API_KEY) has characters that no key has')
  return key
}

function addressOf(given: string): string {
  if (/^https?:\/\/[^/?#\s]+[^?#\s]*$/i.test(given)) return given.replace(/\/{1,100}$/, '')
  throw new CapstanError(
    `baseUrl (CAPSTAN_URL) must be an address such as http://127.0.0.1:8420, not ${JSON.stringify(given.slice(0, 100))}`,
  )
}

/** Node's fetch keeps a copy of a streamed body in memory for redirects and windows unless there can be none. */
function sent(body: Body | undefined): RequestInit {
  if (body === undefined) return {}
  const streamed: RequestInit & { window: null } = { body: body.body, redirect: 'error', window: null, duplex: 'half' }
  return body.streamed === true ? streamed : { body: body.body }
}

/** The value of a JSON text; undefined for another text. @internal */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The code of the system's error where there is one: `fetch failed` says nothing. */
function reasonOf(error: unknown): string {
  const { cause, message } = fieldsOf(error)
  const inner = fieldsOf(cause)
  const texts = [inner['code'], inner['message'], message].filter((text) => typeof text === 'string')
  return texts.find((text) => text !== '') ?? String(error)
}

/** Resolves after so many seconds. Rejects with the reason of the signal when it is aborted. */
function waited(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      if (signal?.aborted === true) reject(signal.reason as Error)
      else resolve()
    }
    const timer = setTimeout(end, seconds * 1000)
    signal?.addEventListener('abort', end)
    if (signal?.aborted === true) end()
  })
}
