import type { Cancel } from '../cancel.js'
import type { LoadedProvider } from '../loader/types.js'
import { answerOf, Fault } from '../sdk/index.js'
import type {
  Call,
  CallOptions,
  CallerNames,
  ExecOptions,
  ExecResult,
  FileInfo,
  Given,
  HandlerContext,
  HandlerContribution,
  NetServices,
  Page,
  Port,
  ProviderContext,
  Resource,
  Scratch,
  SettingValues,
  Static,
  Stored,
  TObject,
  TSchema,
  WebOptions,
} from '../sdk/index.js'
import { ModelService } from '../llm/model.js'
import type { CallState } from './call.js'
import type { Environment } from './environment.js'
import { Stopped } from './errors.js'
import { fileRefused } from './file-refused.js'
import { netOf } from './net.js'
import { scratchOf } from './scratch.js'

/** What of a question a context needs. */
export interface ContextScope {
  readonly call: CallState
  readonly cancel: Cancel
  /** How many ports stand above the code that gets this context; -1 for a handler. */
  readonly depth: number
  /** The handler that gets it, with the settings of its plugin; none for a provider. */
  readonly handler?: HandlerContribution
  readonly settings?: SettingValues
}

/** What the core lends to one handler or provider for one call. Nothing here outlives the call. */
export class CallContext implements ProviderContext<SettingValues>, HandlerContext<SettingValues> {
  readonly #environment: Environment
  readonly #scope: ContextScope
  readonly #provider: LoadedProvider | null
  #model: ModelService | null = null
  #scratch: Scratch | null = null

  constructor(environment: Environment, scope: ContextScope, provider: LoadedProvider | null) {
    this.#environment = environment
    this.#scope = scope
    this.#provider = provider
  }

  get requestId(): string {
    return this.#scope.call.requestId
  }

  get caller(): CallerNames {
    return this.#scope.call.caller
  }

  get signal(): AbortSignal {
    return this.#scope.cancel.signal
  }

  timeLeft(): number {
    return this.#scope.cancel.timeLeft()
  }

  readonly web = {
    get: (url: string, options: WebOptions = {}): Promise<Page> => this.#environment.web.get(url, options, this.#scope.cancel),
  }

  readonly files = {
    put: async (data: Uint8Array | AsyncIterable<Uint8Array>, about: FileInfo): Promise<Stored> => {
      this.#refuseOver()
      this.#refuseLeft()
      return await this.#environment.files.put(this.#scope.call.account, data, about)
    },
    fetch: async (url: string, about: FileInfo & { maxBytes?: number }): Promise<Stored> => {
      this.#refuseLeft()
      const page = await this.#stream(url, about.maxBytes)
      return await this.#environment.files.put(this.#scope.call.account, page.body, { contentType: page.contentType, ...about })
    },
  }

  get scratch(): Scratch {
    return (this.#scratch ??= scratchOf({
      folder: () => {
        this.#refuseOver()
        return this.#scope.call.scratch(this.#environment.openScratch)
      },
      stream: async (url, maxBytes) => (await this.#stream(url, maxBytes)).body,
      put: (data, about) => this.files.put(data, about),
    }))
  }

  get llm(): ModelService {
    this.#model ??= new ModelService(this, this.#environment.shapes)
    return this.#model
  }

  exec(program: string, args: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
    this.#refuseOver()
    const { vendor } = this.#asProvider('exec')
    const optional = vendor.optionalPrograms?.[program]
    if (optional === undefined && vendor.programs?.[program] === undefined && vendor.anyProgram?.[program] === undefined)
      throw new TypeError(`vendor ${vendor.id} runs "${program}" without declaring it under programs`)
    if (optional !== undefined && this.#environment.sandbox.program(program) === undefined)
      throw new Fault('missing', `The program ${program} is not installed here (Debian package ${optional}).`)
    const memoryUnbounded = options.isolation === 'external' && typeof vendor.memoryUnbounded?.() === 'string'
    return this.#environment.sandbox.run(program, args, { ...options, memoryUnbounded }, this.#scope.cancel)
  }

  async work<T>(module: URL, input: unknown, options: { timeoutMs?: number; heapMb?: number } = {}): Promise<T> {
    return answerOf<T>(await this.#environment.workers.run(module, input, options, this.#scope.cancel))
  }

  async parse<T>(module: URL, bytes: Uint8Array, options: { timeoutMs?: number; memoryMb?: number; args?: unknown } = {}): Promise<T> {
    return answerOf<T>(await this.#environment.sandbox.parse(module, bytes, options, this.#scope.cancel))
  }

  get net(): NetServices {
    return netOf(this.#environment.net, this.#scope.cancel)
  }

  async call<I extends TObject, O extends TSchema>(port: Port<I, O>, input: Given<I>, options: CallOptions = {}): Promise<Static<O>> {
    const answer = await this.#environment.ports.invoke({ ...this.#nested(), portId: port.id, given: input, only: options.only })
    return answerOf<Static<O>>(answer.data)
  }

  async gather<I extends TObject, O extends TSchema>(port: Port<I, O>, input: Given<I>): Promise<{ provider: string; data: Static<O> }[]> {
    const answers = await this.#environment.ports.gather({ ...this.#nested(), portId: port.id, given: input })
    return answers.map((answer) => ({ provider: answer.provider, data: answerOf<Static<O>>(answer.data) }))
  }

  has(port: Port): boolean {
    return this.#environment.ports.live(port.id)
  }

  async use<R>(resource: Resource<R>): Promise<R> {
    this.#refuseOver()
    const user = this.#provider?.contribution ?? this.#scope.handler
    return await this.#environment.resources.use(resource, this.settings, user)
  }

  progress(step: string, detail?: string, done?: number, total?: number): void {
    if (!this.#scope.cancel.cancelled)
      this.#scope.call.onProgress?.({ step, detail: detail ?? null, done: done ?? null, total: total ?? null })
  }

  note(remark: string): void {
    if (!this.#scope.cancel.cancelled) this.#scope.call.note(remark)
  }

  log(message: string, fields?: Readonly<Record<string, unknown>>): void {
    this.#environment.log('info', message, { ...fields, request_id: this.requestId })
  }

  readonly api = {
    json: async <S extends TSchema>(call: Call, reply: S): Promise<Static<S>> => {
      const { body } = await this.#request({ ...call, reads: call.reads ?? 'json' })
      return this.#environment.shapes.read(reply, body)
    },
    text: async (call: Call): Promise<string> => {
      const { body } = await this.#request({ ...call, reads: 'text' })
      return typeof body === 'string' ? body : ''
    },
    bytes: async (call: Call): Promise<Page> => {
      const reply = await this.#request({ ...call, reads: 'bytes' })
      const [type = '', ...parameters] = (reply.headers['content-type'] ?? '').toLowerCase().split(';')
      const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='))
      return {
        url: reply.url,
        status: reply.status,
        headers: reply.headers,
        contentType: type.trim(),
        charset: charset?.slice(8).replaceAll('"', '') ?? '',
        bytes: reply.bytes,
      }
    },
  }

  secret(name: string): string {
    return this.#asProvider('secret').access.secret(name)
  }

  get settings(): SettingValues {
    return this.#provider?.access.settings ?? this.#scope.settings ?? {}
  }

  get baseUrl(): string {
    return this.#asProvider('baseUrl').access.baseUrl
  }

  #request(call: Call) {
    const provider = this.#asProvider('api')
    return this.#environment.api.request(provider.access, call, this.#scope.cancel, { once: provider.contribution.of.once === true })
  }

  /** A foreign file on its way. Throws a Fault for a status that is none of success. */
  async #stream(url: string, maxBytes: number | undefined) {
    const page = await this.#environment.web.stream(url, maxBytes === undefined ? {} : { maxBytes }, this.#scope.cancel)
    if (page.status < 400) return page
    await page.body[Symbol.asyncIterator]().return?.()
    throw fileRefused(page.status)
  }

  #asProvider(member: string): LoadedProvider {
    if (this.#provider === null) throw new TypeError(`${member} belongs to providers; a handler asks ports instead`)
    return this.#provider
  }

  /** What code does that was given up, or goes on behind its own answer. */
  #refuseOver(): void {
    const { reason } = this.#scope.cancel
    if (reason !== null) throw new Stopped(reason)
  }

  /** The probe of a provider that comes to keep a file has had its answer, and the caller gets none of it: nothing is put on the account. */
  #refuseLeft(): void {
    if (this.#scope.call.left) throw new Fault('missing', 'The call went on without this result.')
  }

  #nested() {
    return { call: this.#scope.call, cancel: this.#scope.cancel, depth: this.#scope.depth + 1 }
  }
}
