import { APIConnectionError, CapstanError, fieldsOf, firstWords, numberOf, statusError, textOf } from './errors.js'
import { EventParser } from './events.js'
import { type Download, type FileInput, form, hasFileSystem, save, sourceOf, uniqueId } from './files.js'
import { DEADLINES, type Routes } from './generated.js'
import { type CapabilityId, type Data, type Envelope, type Methods, type Params, Result, type StreamEvent } from './result.js'
import {
  type ClientOptions,
  type Connection,
  jsonOf,
  type Order,
  type Progress,
  type RequestOptions,
  type Sending,
  success,
  Transport,
} from './transport.js'

type AnyParams = Readonly<Record<string, unknown>>
type Unknown<K extends string> = K extends CapabilityId ? never : K

/** What `/v1/capabilities` says of a capability. */
export interface CapabilityInfo {
  readonly id: string
  readonly path: string
  readonly title: string
  readonly price: Readonly<Record<string, number>>
  /** A call would be answered now. */
  readonly live: boolean
  /** Why it is not live. */
  readonly reason: string | null
  /** What of it is live, where not all of it is. */
  readonly limits: string | null
  readonly [field: string]: unknown
}

type Schema = Readonly<Record<string, unknown>>
/** Tool definitions by format. */
export interface Tools {
  openai: { type: 'function'; function: { name: string; description: string; parameters: Schema } }[]
  claude: { name: string; description: string; input_schema: Schema & { type: 'object' } }[]
  mcp: { tools: { name: string; title: string; description: string; inputSchema: Schema; outputSchema?: Schema; annotations: Schema }[] }
  raw: { version: string; capabilities: CapabilityInfo[] }
}

/** Seconds after the deadline of a call until this library gives up. */
const SLACK_SECONDS = 5
/** The deadline of a capability unknown to this version. */
const UNKNOWN_DEADLINE_SECONDS = 600
/** Calls that may take longer are answered as events, whose head comes at once: Node's fetch gives up when none came for 300 s. */
const QUIET_SECONDS = 290
/** Least speed of an upload whose progress is not seen. */
const BYTES_PER_SECOND = 50_000
const IDLE_SECONDS = 60

/** Capabilities whose method has a name of its own. */
const NAMES: Readonly<Record<string, string>> = { 'emails.verify': 'verifyEmail', 'emails.find': 'findEmails' }

/** Makes the methods. @internal */
abstract class WithMethods {
  constructor() {
    const methods: Record<string, object> = {}
    for (const id of Object.keys(DEADLINES)) {
      const [space = '', name] = (NAMES[id] ?? id).replace(/_(.)/g, (_all, letter: string) => letter.toUpperCase()).split('.')
      const call = (params: AnyParams, options?: RequestOptions) => this.run(id, params, options)
      methods[space] = name === undefined ? call : { ...methods[space], [name]: call }
    }
    Object.assign(this, methods)
  }

  abstract run(capability: string, params?: AnyParams, options?: RequestOptions): Promise<Result<unknown>>
}

// The second signature is what the compiler can check: the fields are assigned from a table, so only `Methods` has their types.
function withMethods(): abstract new () => Methods
function withMethods(): abstract new () => object {
  return WithMethods
}

/** A client of one gateway, with one key. */
export class Capstan extends withMethods() {
  readonly keys: Keys
  readonly calls: Calls
  readonly #transport: Transport

  /** Throws CapstanError without a key, which names the variable. */
  constructor(options: ClientOptions = {}) {
    super()
    this.#transport = new Transport(options)
    this.keys = new Keys(this.#transport)
    this.calls = new Calls(this.#transport)
  }

  /** Calls a capability by its id, also one unknown to this version. Throws CapstanError. */
  run<K extends CapabilityId>(capability: K, params: Params<K>, options?: RequestOptions): Promise<Result<Data<K>>>
  run<K extends string>(capability: Unknown<K>, params?: AnyParams, options?: RequestOptions): Promise<Result<unknown>>
  async run(capability: string, params: object = {}, options: RequestOptions = {}): Promise<Result<unknown>> {
    const { onProgress } = options
    for await (const event of this.#events({ capability, params, options, streams: onProgress !== undefined })) {
      if (event.event === 'result') return event.result
      const { step, detail, done, total } = event
      onProgress?.({ step, detail, done, total })
    }
    throw new TypeError('a call ended without its result')
  }

  /** Yields the steps of a call, again from the first after a broken connection, then its result. Leaving the loop ends the call. */
  stream<K extends CapabilityId>(capability: K, params: Params<K>, options?: RequestOptions): AsyncGenerator<StreamEvent<Data<K>>, void>
  stream<K extends string>(capability: Unknown<K>, params?: AnyParams, options?: RequestOptions): AsyncGenerator<StreamEvent<unknown>, void>
  stream(capability: string, params: object = {}, options: RequestOptions = {}): AsyncGenerator<StreamEvent<unknown>, void> {
    return this.#events({ capability, params, options, streams: true })
  }

  /** Uploads a file and returns its link. */
  async upload(file: FileInput, { signal, timeout, maxRetries }: RequestOptions = {}): Promise<Routes['uploadFile']['result']['data']> {
    const source = await sourceOf(file, 'file')
    if (source === null) throw new CapstanError('file: an address is no file; give it to the capability')
    const seconds = IDLE_SECONDS + (hasFileSystem() ? 0 : source.size / BYTES_PER_SECOND)
    const options = { signal, timeout, maxRetries }
    const body = (sending: Sending) => form(source, sending)
    const answer = await this.#transport.json({ method: 'POST', path: '/v1/files', options, body, idle: true, timeout: seconds })
    return (answer.body as Routes['uploadFile']['result']).data
  }

  /** Saves a linked file at a path or into a stream, without sending the key. `timeout` counts between two pieces. */
  async download(url: string | URL, to: string | URL | WritableStream<Uint8Array>, options: RequestOptions = {}): Promise<Download> {
    const order: Order = { method: 'GET', path: String(url), options, foreign: true, idle: true, timeout: IDLE_SECONDS }
    if (!/^https?:/i.test(order.path)) throw new CapstanError(`url: ${firstWords(order.path)} is not an address (https://…)`)
    // A stream cannot take back what it was given.
    const once = typeof to === 'object' && 'getWriter' in to
    for (let attempt = 0; ; attempt++) {
      let began = false
      try {
        const connection = await this.#transport.open(order)
        try {
          if (connection.response.status !== 200) throw statusError(await connection.answer())
          began = true
          const size = await save(connection.pieces(), to)
          return { size, content_type: connection.response.headers.get('content-type') ?? '' }
        } finally {
          connection.close()
        }
      } catch (error) {
        await this.#transport.again(error, attempt, { ...order, once: once && began })
      }
    }
  }

  /** The balance of the account. */
  async account(options: RequestOptions = {}): Promise<Routes['getAccount']['result']> {
    return await fetched(this.#transport, { method: 'GET', path: '/v1/account', options })
  }

  /** The price of a call, which is not made. Local files are uploaded. */
  estimate<K extends CapabilityId>(capability: K, params: Params<K>, options?: RequestOptions): Promise<Routes['estimate']['result']>
  estimate<K extends string>(capability: Unknown<K>, params?: AnyParams, options?: RequestOptions): Promise<Routes['estimate']['result']>
  async estimate(capability: string, params: object = {}, options: RequestOptions = {}): Promise<Routes['estimate']['result']> {
    const sent = { capability, params: await this.#withLinks(params, options) }
    return await fetched(this.#transport, { method: 'POST', path: '/v1/estimate', options, body: json(sent) })
  }

  /** Every capability with its price and whether it is live. */
  async capabilities(options: RequestOptions = {}): Promise<{ readonly capabilities: CapabilityInfo[] }> {
    return await fetched(this.#transport, { method: 'GET', path: '/v1/capabilities', options })
  }

  /** The capabilities as tool definitions. */
  async tools<F extends keyof Tools = 'openai'>(
    format?: F,
    params: { readonly single?: boolean; readonly live?: boolean; readonly product?: string } = {},
    options: RequestOptions = {},
  ): Promise<Tools[F]> {
    return await fetched(this.#transport, { method: 'GET', path: `/v1/tools${query({ format: format ?? 'openai', ...params })}`, options })
  }

  /** The call that a sentence means, after earlier messages. Executes nothing. */
  async playground(
    message: string,
    history: readonly { readonly role: string; readonly content: string }[] = [],
    options: RequestOptions = {},
  ): Promise<Routes['chat']['result']> {
    const body = json({ message, conversation_history: history })
    return await fetched(this.#transport, { method: 'POST', path: '/v1/playground/chat', options, body })
  }

  async *#events(call: {
    readonly capability: string
    readonly params: object
    readonly options: RequestOptions
    readonly streams: boolean
  }): AsyncGenerator<StreamEvent<unknown>, void> {
    const { capability, options } = call
    const params = await this.#withLinks(call.params, options)
    const known = Object.hasOwn(DEADLINES, capability) ? DEADLINES[capability] : undefined
    const path = known === undefined ? '/v1/agent' : `/v1/${capability.replace('.', '/').replace(/_/g, '-')}`
    const [base, standard] = known ?? [UNKNOWN_DEADLINE_SECONDS]
    const deadline = base + (standard === undefined ? 0 : Number(params['timeout'] ?? standard))
    const streams = call.streams || deadline > QUIET_SECONDS
    const { idempotencyKey } = options
    const order: Order = {
      ...{ method: 'POST', path, options, timeout: deadline + SLACK_SECONDS },
      headers: {
        accept: streams ? 'text/event-stream, application/json' : 'application/json',
        'idempotency-key': idempotencyKey ?? uniqueId(),
        // Without it a call under a key runs on when its caller has left.
        ...(idempotencyKey === undefined ? { prefer: 'cancel-on-disconnect' } : {}),
      },
      body: json(known === undefined ? { capability, params } : params),
    }
    for (let attempt = 0; ; attempt++) {
      try {
        const connection = await this.#transport.open(order)
        try {
          yield* eventsOf(connection)
          return
        } finally {
          connection.close()
        }
      } catch (error) {
        await this.#transport.again(error, attempt, order)
      }
    }
  }

  /** The parameters with links in the place of local files. */
  async #withLinks(params: object, { signal, maxRetries }: RequestOptions): Promise<AnyParams> {
    const linked: Record<string, unknown> = { ...params }
    for (const [name, value] of Object.entries(params)) {
      const mayBe = name.endsWith('_url') && (this.#transport.localFiles || typeof value !== 'string')
      const isFile = mayBe && (await sourceOf(value, name)) !== null
      if (isFile) linked[name] = (await this.upload(value as FileInput, { signal, maxRetries })).file_url
    }
    return linked
  }
}

/** API keys of the account. */
export class Keys {
  readonly #transport: Transport
  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Active keys, oldest first. */
  async list(params: Routes['listKeys']['query'] = {}, options: RequestOptions = {}): Promise<Routes['listKeys']['result']> {
    return await fetched(this.#transport, { method: 'GET', path: `/v1/keys${query(params)}`, options })
  }

  /** A new key, which is shown this once. Not repeated when the connection breaks. */
  async create(params: Routes['createKey']['body'] = {}, options: RequestOptions = {}): Promise<Routes['createKey']['result']> {
    return await fetched(this.#transport, { method: 'POST', path: '/v1/keys', options, body: json(params), once: true })
  }

  /** The key is refused from then on. */
  async revoke(id: string, options: RequestOptions = {}): Promise<Routes['deleteKey']['result']> {
    return await fetched(this.#transport, { method: 'DELETE', path: `/v1/keys/${encodeURIComponent(id)}`, options })
  }

  /** A new key with the same limits in the place of this one. Not repeated when the connection breaks. */
  async rotate(id: string, params: Routes['rotateKey']['body'] = {}, options: RequestOptions = {}): Promise<Routes['rotateKey']['result']> {
    const path = `/v1/keys/${encodeURIComponent(id)}/rotate`
    return await fetched(this.#transport, { method: 'POST', path, options, body: json(params), once: true })
  }
}

/** A call of the history. */
export type CallRecord = Routes['listCalls']['result']['calls'][number]

/** The call history of the account. */
export class Calls {
  readonly #transport: Transport
  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Calls, newest first, page by page as they are read; `limit` is the size of a page. */
  async *list(params: Routes['listCalls']['query'] = {}, options: RequestOptions = {}): AsyncGenerator<CallRecord, void> {
    const { limit = 200 } = params
    // New calls move the older ones to later pages.
    const seen = new Set<string>()
    for (let offset = params.offset ?? 0; ; offset += limit) {
      const order: Order = { method: 'GET', path: `/v1/calls${query({ ...params, limit, offset })}`, options }
      const { calls } = await fetched<Routes['listCalls']['result']>(this.#transport, order)
      for (const call of calls) {
        if (!seen.has(call.id)) yield call
        seen.add(call.id)
      }
      if (calls.length < limit) return
    }
  }

  /** Calls, credits and errors by day and by endpoint. */
  async stats(params: Routes['getStats']['query'] = {}, options: RequestOptions = {}): Promise<Routes['getStats']['result']> {
    return await fetched(this.#transport, { method: 'GET', path: `/v1/calls/stats${query(params)}`, options })
  }
}

/** The events of an answer: those of a stream, or the one result of plain JSON. Throws APIStatusError for a call that failed. */
async function* eventsOf(connection: Connection): AsyncGenerator<StreamEvent<unknown>, void> {
  const { headers } = connection.response
  if (headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    const { body, text } = success(await connection.answer())
    yield resultOf(body, text, headers)
    return
  }
  const [parser, decoder] = [new EventParser(), new TextDecoder()]
  let result: string | null = null
  for await (const piece of connection.pieces()) {
    for (const { event, data } of parser.push(decoder.decode(piece, { stream: true }))) {
      if (event === 'result') result = data
      if (event === 'progress') yield { event, ...progressOf(jsonOf(data)) }
    }
  }
  if (result === null) throw new APIConnectionError('the stream ended before its result')
  const body = jsonOf(result)
  const { error } = fieldsOf(body)
  const status = fieldsOf(error)['status']
  if (typeof status === 'number') throw statusError({ status, headers, body, text: result })
  yield resultOf(body, result, headers)
}

/** The step of a progress event, with fields unknown to this library. */
function progressOf(value: unknown): Progress {
  const fields = fieldsOf(value)
  const { step, detail, done, total } = fields
  return { ...fields, step: textOf(step) ?? '', detail: textOf(detail), done: numberOf(done), total: numberOf(total) }
}

function resultOf(body: unknown, text: string, headers: Headers): StreamEvent<unknown> {
  const { success: isSuccess, metadata } = fieldsOf(body)
  if (isSuccess !== true || typeof metadata !== 'object')
    throw new CapstanError(`this is not the answer of a gateway: ${firstWords(text)}; check baseUrl (CAPSTAN_URL)`)
  return { event: 'result', result: new Result(body as Envelope<unknown>, headers) }
}

/** The body of an answer, in the form that the description of the gateway gives it. */
async function fetched<T>(transport: Transport, order: Order): Promise<T> {
  return (await transport.json(order)).body as T
}

function json(value: unknown): () => { body: string; contentType: string } {
  const body = JSON.stringify(value)
  return () => ({ body, contentType: 'application/json' })
}

function query(params: object): string {
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== null)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()}`
}
