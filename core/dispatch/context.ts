import type { Sandbox } from '../exec/types.js'
import { storedAt } from '../files/own-links.js'
import type { ScratchFolder } from '../files/scratch-folder.js'
import type { LoadedProvider } from '../loader/types.js'
import { namedLength } from '../outbound/reply-body.js'
import type { Net } from '../outbound/types.js'
import { settledOrStopped, Stopped } from '../problems/errors.js'
import { type Cancel, pause } from '../runtime/cancel.js'
import {
  answerOf,
  type AsideOptions,
  type Cache,
  type CallerNames,
  type CallOptions,
  type Caps,
  type ExecOptions,
  type ExecResult,
  Fault,
  type FileInfo,
  type GatherOptions,
  type Given,
  type HandlerContext,
  type LiveProvider,
  type ModelTokens,
  type NetServices,
  type Page,
  type ParsedFiles,
  type ParseOptions,
  type Port,
  type PortAnswer,
  type ProviderContext,
  type PublicAddress,
  type Resource,
  type Scratch,
  type ScratchFile,
  type SettingValues,
  type Static,
  type Stored,
  type TObject,
  type TSchema,
  type Vendor,
  type WebOptions,
} from '../sdk/index.js'
import type { VendorCost } from '../telemetry/types.js'
import { cacheOf } from './cache.js'
import type { CallState } from './call.js'
import { capsOf } from './caps.js'
import { type CleaningScope, cleanUpAfter } from './clean-up-after.js'
import type { Environment } from './environment.js'
import { fileRefused, scratchOf } from './scratch.js'
import { type ContextScope, liveProvider, type PluginScope, type PortRequest } from './port-request.js'
import { providerApi } from './provider-api.js'

/** The services of one handler or provider within one call. They end with the call. */
export class CallContext implements ProviderContext<SettingValues>, HandlerContext<SettingValues> {
  readonly #environment: Environment
  readonly #scope: ContextScope
  readonly #provider: LoadedProvider | null
  readonly #cancel: Cancel
  #scratch: Scratch | null = null

  constructor(environment: Environment, scope: ContextScope, provider: LoadedProvider | null, cancel = scope.cancel) {
    this.#environment = environment
    this.#scope = scope
    this.#provider = provider
    this.#cancel = cancel
  }

  get requestId(): string {
    return this.#scope.call.requestId
  }

  get caller(): CallerNames {
    return this.#scope.call.caller
  }

  isAccount(id: string): boolean {
    return this.#scope.call.account === id
  }

  get signal(): AbortSignal {
    return this.#cancel.signal
  }

  timeLeft(): number {
    return this.#cancel.timeLeft()
  }

  async wait(ms: number): Promise<void> {
    await pause(ms, this.#cancel, this.#environment.clock, (reason) => new Stopped(reason))
  }

  get web() {
    return { get: (url: string, options: WebOptions = {}): Promise<Page> => this.#environment.web.get(url, options, this.#cancel) }
  }

  get files() {
    return {
      put: async (data: Uint8Array | AsyncIterable<Uint8Array>, about: FileInfo): Promise<Stored> => {
        this.#refuseOver()
        this.#refuseLeft()
        return await this.#environment.files.put(this.#scope.call.account, data, about, this.#cancel)
      },
      fetch: async (url: string, about: FileInfo & { maxBytes?: number }): Promise<Stored> => {
        this.#refuseLeft()
        const page = await this.#stream(url, about.maxBytes)
        const info = { contentType: page.contentType, ...about }
        return await this.#environment.files.put(this.#scope.call.account, page.body, info, this.#cancel)
      },
    }
  }

  get scratch(): Scratch {
    return (this.#scratch ??= scratchOf({
      folder: () => this.#folder(),
      stream: async (url) => {
        const { body, headers } = await this.#stream(url, Number.MAX_SAFE_INTEGER)
        return { body, named: namedLength(headers, Number.MAX_SAFE_INTEGER) }
      },
      stored: (url) => storedAt(url, this.#environment.openLink, this.#cancel),
      work: (module, input, options) => this.work(module, input, options),
      onSource: (bytes) => void (this.#scope.call.sourceBytes += bytes),
      put: (data, about) => this.files.put(data, about),
    }))
  }

  exec(program: string, args: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
    this.#refuseOver()
    const { vendor } = this.#asProvider('exec')
    const run = { sandbox: this.#environment.sandbox, vendor, program, args, callFiles: () => this.#folder() }
    return this.#programEnd(runProgram(run, options, this.#cancel))
  }

  async work<T>(module: URL, input: unknown, options: { timeoutMs?: number; heapMb?: number } = {}): Promise<T> {
    return answerOf<T>(await this.#noteCostly(this.#environment.workers.run(module, input, options, this.#cancel)))
  }

  async parse<T>(module: URL, bytes: Uint8Array | ScratchFile, options: ParseOptions = {}): Promise<T> {
    const read = bytes instanceof Uint8Array ? bytes : this.#folder().read(bytes)
    return answerOf<T>(await this.#noteCostly(this.#environment.sandbox.parse(module, read, options, this.#cancel)))
  }

  async parseFiles<T>(module: URL, files: readonly ScratchFile[], options: ParseOptions = {}): Promise<ParsedFiles<T>> {
    const how = { ...options, callFiles: this.#folder() }
    const { result, file } = await this.#noteCostly(this.#environment.sandbox.parseFiles(module, files, how, this.#cancel))
    return { result: answerOf<T>(result), file }
  }

  get net(): NetServices {
    return netOf(this.#environment.net, this.#cancel)
  }

  async assertPublic(url: string): Promise<PublicAddress> {
    return await this.#environment.net.assertPublic(url, this.#cancel)
  }

  async call<I extends TObject, O extends TSchema>(port: Port<I, O>, input: Given<I>, options: CallOptions = {}): Promise<Static<O>> {
    const answer = await this.#environment.ports.invoke(this.#nested(port.id, input, options.only))
    return answerOf<Static<O>>(answer.data)
  }

  async gather<I extends TObject, O extends TSchema>(
    port: Port<I, O>,
    input: Given<I>,
    { until, ...limits }: GatherOptions<Static<O>> = {},
  ): Promise<PortAnswer<Static<O>>[]> {
    const rule = until === undefined ? {} : { until: (all: readonly PortAnswer<unknown>[]) => until(answerOf(all)) }
    const options = { ...limits, ...rule }
    return answerOf(await this.#environment.ports.gather({ ...this.#nested(port.id, input), options }))
  }

  aside<T>(task: (context: HandlerContext<SettingValues>) => Promise<T>, options: AsideOptions): Promise<T | null> {
    return this.#environment.ports.aside(this.#own, { ...options, task })
  }

  providers<I extends TObject, O extends TSchema>(port?: Port<I, O>): readonly LiveProvider<I>[] {
    return this.#environment.ports.offered(port?.id ?? this.#scope.handler?.of ?? '').map(liveProvider<I>)
  }

  has(port: Port): boolean {
    return this.#environment.ports.live(port.id, this.#scope.handler?.of)
  }

  async use<R>(resource: Resource<R>): Promise<R> {
    this.#refuseOver()
    const user = this.#provider?.contribution ?? this.#scope.handler
    return await this.#environment.resources.use(resource, this.settings, user)
  }

  get cache(): Cache<CallContext> {
    return cacheOf(this.#environment, this.#own, this.#plugin, runWithContext)
  }

  get caps(): Caps {
    const { names, caps: counts } = this.#environment
    return capsOf({ counts, names, plugin: this.#plugin, call: this.#scope.call })
  }

  progress(step: string, detail?: string, done?: number, total?: number): void {
    if (!this.#cancel.cancelled) this.#scope.call.report({ step, detail: detail ?? null, done: done ?? null, total: total ?? null })
  }

  partialResult(step: string, detail: string, done?: number, total?: number): void {
    if (!this.#cancel.cancelled)
      this.#scope.call.report({ step, detail, done: done ?? null, total: total ?? null }, { partialResult: true })
  }

  note(remark: string): void {
    if (!this.#cancel.cancelled) this.#scope.call.note(remark)
  }

  log(message: string, fields?: Readonly<Record<string, unknown>>): void {
    this.#environment.log('plugin', message, { ...fields, request_id: this.requestId })
  }

  #api: ProviderContext['api'] | null = null
  get api(): ProviderContext['api'] {
    const how = { cancel: this.#cancel, tryUse: this.#scope.tryUse, folder: () => this.#folder() }
    return (this.#api ??= providerApi(this.#environment, this.#asProvider('api'), how))
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

  cleanUp(
    work: (context: ProviderContext<SettingValues>) => Promise<unknown>,
    { timeoutMs }: { readonly timeoutMs?: number } = {},
  ): () => void {
    const provider = this.#asProvider('cleanUp')
    if (this.#scope.cleaningUp === true) throw new TypeError('cleanUp is for a try; this is its clean-up')
    const begin = (own: CleaningScope): Promise<unknown> =>
      work(new CallContext(this.#environment, { ...this.#scope, ...own, cleaningUp: true }, provider))
    return cleanUpAfter(this.#environment, { ...this.#own, provider, timeoutMs }, begin)
  }

  cost(amount: number, currency: string): void {
    const { tryUse } = this.#scope
    const reported = reportCost(this.#environment, { vendor: this.#asProvider('cost').vendor.id, amount, currency }, this.requestId)
    if (tryUse !== undefined) tryUse.costs ||= reported && amount > 0
  }

  get #plugin(): string {
    return this.#provider?.plugin ?? this.#scope.plugin ?? ''
  }

  tokens(used: ModelTokens): void {
    const { call } = this.#scope
    reportTokens(this.#environment, { call, provider: this.#asProvider('tokens').vendor.id }, used)
  }

  /** Marks the call as `#noteCostly` does when a program was stopped at its limit. */
  async #programEnd(run: Promise<ExecResult>): Promise<ExecResult> {
    const result = await this.#noteCostly(run)
    this.#scope.call.costly ||= result.stopped === 'time' || result.stopped === 'memory'
    return result
  }

  /** Marks the call as costly when work was stopped at its limit of time or memory, even if the plugin recovers. */
  async #noteCostly<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      this.#scope.call.costly ||= Fault.is(error) && error.costly
      throw error
    }
  }

  #folder(): ScratchFolder {
    this.#refuseOver()
    return this.#scope.call.scratch(this.#environment.openScratch)
  }

  /** Streams a foreign file. Throws a Fault for an error status. */
  async #stream(url: string, maxBytes: number | undefined) {
    const timeoutMs = this.timeLeft()
    const options = maxBytes === undefined ? { timeoutMs } : { timeoutMs, maxBytes }
    const page = await this.#environment.web.stream(url, options, this.#cancel)
    if (page.status < 400) return page
    await page.body[Symbol.asyncIterator]().return?.()
    throw fileRefused(page.status)
  }

  #asProvider(member: string): LoadedProvider {
    if (this.#provider === null) throw new TypeError(`${member} belongs to providers; a handler calls ports instead`)
    return this.#provider
  }

  /** Stops code that was cancelled or continues after its own answer. */
  #refuseOver(): void {
    const { reason } = this.#cancel
    if (reason !== null) throw new Stopped(reason)
  }

  /** A probe that the call no longer waits for stores no file, so that the account does not pay for it. */
  #refuseLeft(): void {
    if (this.#scope.call.left) throw new Fault('missing', 'The call continued without this result.')
  }

  /** The scope with this context's own cancel. */
  get #own(): PluginScope {
    return { ...this.#scope, cancel: this.#cancel, provider: this.#provider }
  }

  /** Explicit, as a spread with further fields takes ten times the memory and 2 µs, several times in every call. */
  #nested(portId: string, given: unknown, only?: string): PortRequest {
    const { call, depth, direct, handler, under, optional } = this.#scope
    const how = this.#provider === null ? direct : false
    return { call, cancel: this.#cancel, depth: depth + 1, portId, given, only, direct: how, requester: handler?.of, under, optional }
  }
}

/**
 * Runs code of a plugin with its own context and returns its result. Rejects with Stopped as soon as its call or step
 * is stopped, since the code may never settle. The context then refuses all further use.
 */
export async function runWithContext<T>(
  environment: Environment,
  scope: PluginScope,
  run: (context: CallContext) => Promise<T>,
): Promise<T> {
  const { cancel, done } = scope.cancel.step(Infinity)
  const context = new CallContext(environment, scope, scope.provider, cancel)
  try {
    return await settledOrStopped(run(context), cancel)
  } finally {
    done()
    cancel.cancel('over')
  }
}

const HTTPS_PORT = 443

/** The network beyond HTTP for the length of one call. */
export function netOf(net: Net, cancel: Cancel): NetServices {
  return {
    dns: (name, type) => net.dns(name, type, cancel),
    query: (name, type, options = {}) => net.query(name, type, cancel, options),
    tls: (host, port = HTTPS_PORT) => net.tls(host, port, cancel),
    inspectTls: (host, port = HTTPS_PORT) => net.inspectTls(host, port, cancel),
    connect: (host, port, options = {}) => net.connect(host, port, options, cancel),
  }
}

interface ProgramRun {
  readonly sandbox: Sandbox
  /** Declares the programs that may run. */
  readonly vendor: Vendor
  readonly program: string
  readonly args: readonly string[]
  readonly callFiles: () => ScratchFolder
}

/** Runs a vendor's program. TypeError for an undeclared one, Fault `missing` for an optional one not installed. */
function runProgram(run: ProgramRun, options: ExecOptions, cancel: Cancel): Promise<ExecResult> {
  const { sandbox, vendor, program, args, callFiles } = run
  for (const name of options.warm === undefined ? [program] : [program, options.warm.program]) assertMay(run, name)
  const memoryUnbounded = options.isolation === 'external' && typeof vendor.memoryUnbounded?.() === 'string'
  return sandbox.run(program, args, { ...options, memoryUnbounded, callFiles }, cancel)
}

function assertMay({ sandbox, vendor }: ProgramRun, program: string): void {
  const optional = vendor.optionalPrograms?.[program]
  if (optional === undefined && vendor.programs?.[program] === undefined && vendor.anyProgram?.[program] === undefined)
    throw new TypeError(`vendor ${vendor.id} runs "${program}" without declaring it under programs`)
  if (optional !== undefined && sandbox.program(program) === undefined)
    throw new Fault('missing', `The program ${program} is not installed here (Debian package ${optional}).`)
}

/** A currency of ISO 4217, or a vendor's own unit. Each one adds a metric series. */
const CURRENCY = /^([A-Z]{3}|[a-z]{1,16})$/
/** Characters kept of a model's name. */
const LONGEST_NAME = 200

/** Counts a cost that a vendor reported and returns true; an invalid one is logged and does not fail the call. */
function reportCost({ telemetry, log }: Pick<Environment, 'telemetry' | 'log'>, cost: VendorCost, requestId: string): boolean {
  const fault = faultOf(cost)
  if (fault === null) telemetry.cost(cost)
  else log('cost-invalid', fault, { request_id: requestId, provider: cost.vendor })
  return fault === null
}

function faultOf({ amount, currency }: VendorCost): string | null {
  if (!Number.isFinite(amount) || amount < 0) return `the reported cost is not a number from 0 on: ${String(amount).slice(0, 40)}`
  return CURRENCY.test(currency) ? null : `a cost was reported in "${currency.slice(0, 40)}", which is neither like USD nor like credits`
}

/** Counts tokens that a vendor reported; invalid figures are logged and do not fail the call. */
function reportTokens(
  { telemetry, log }: Pick<Environment, 'telemetry' | 'log'>,
  { call, provider }: { readonly call: Pick<CallState, 'requestId' | 'tokens' | 'vendorUse'>; readonly provider: string },
  { model, input, output, estimated }: ModelTokens,
): void {
  if (!isCount(input) || !isCount(output)) {
    log('token-count-invalid', 'the reported tokens are not whole numbers from 0 on', { request_id: call.requestId, provider })
    return
  }
  call.vendorUse.add({ tokens: input + output })
  if (estimated === true) return
  const tokens = { model: String(model).slice(0, LONGEST_NAME), input, output }
  call.tokens.add(provider, tokens)
  telemetry.tokens(provider, tokens)
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}
