import { Cancel } from '../../../../core/runtime/cancel.js'
import type { BodyFiles } from '../../../../core/outbound/request-body.js'
import {
  answerOf,
  Fault,
  type ExecOptions,
  type ExecResult,
  type Given,
  type LiveProvider,
  type ModelTokens,
  type NetServices,
  type Page,
  type Port,
  type ProviderContext,
  type PublicAddress,
  type Resource,
  type ScratchFile,
  type Static,
  type TObject,
  type TSchema,
} from '../../../../core/sdk/index.js'
import { scratchOf } from '../../../../core/dispatch/scratch.js'
import { difference, type OutputFiles } from './expected.js'
import { outputFiles } from './output-files.js'
import { emptyCache, freshCaps } from './scripted-shared.js'
import { scriptedCall } from './scripted-call.js'
import { runScripted } from './scripted-programs.js'
import { scriptedAddress } from './scripted-address.js'
import { ScriptedFiles } from './scripted-files.js'
import { scriptedApi } from './scripted-api.js'
import type { ScriptedContextOptions } from './scripted-options.js'
import { scriptedNet, type NetEntry } from './scripted-net.js'
import { ScriptedResources } from './scripted-resources.js'
import { ScriptedCleanUps, ScriptedTime } from './scripted-time.js'
import { RecordedCalls, failing, numberedFolder, pageOf, piece, ScriptError, seeded } from './script.js'

/** Time a fixture case may take, in milliseconds. */
const CASE_MS = 30_000
/** The same of one that really starts programs, which take longer on a slow machine. */
const LIVE_CASE_MS = 120_000

/** The context of a fixture case: HTTP to the vendor is real, everything else comes from the fixture, except that `work` and `parse` really run. */
export class ScriptedContext implements ProviderContext<Readonly<Record<string, unknown>>> {
  readonly #options: ScriptedContextOptions
  readonly #calls
  readonly #web
  readonly #exec
  readonly #net: RecordedCalls<NetEntry>
  readonly #resources: ScriptedResources
  readonly #faults: string[] = []
  readonly #tokens: ModelTokens[] = []
  readonly #costs: { readonly amount: number; readonly currency: string }[] = []
  readonly #folder = numberedFolder()
  readonly #time: ScriptedTime
  readonly #cleanUps = new ScriptedCleanUps<ScriptedContext>()
  readonly files = new ScriptedFiles((url) => this.web.get(url))
  /** Everything the provider reported besides its result: notes, progress, log lines. */
  readonly reported: string[] = []
  readonly cancel: Cancel
  readonly requestId = 'req_fixture'
  readonly caller = { account: 'account_fixture', key: 'key_fixture' }

  constructor(options: ScriptedContextOptions) {
    const { fixture, machine } = options
    this.#options = options
    this.#calls = new RecordedCalls('ctx.call', fixture.calls)
    this.#web = new RecordedCalls('ctx.web', fixture.web)
    this.#exec = new RecordedCalls('ctx.exec', fixture.exec)
    this.#net = new RecordedCalls('ctx.net', fixture.net)
    this.#resources = new ScriptedResources(machine, options.access.settings, (error) => this.#blame(error))
    this.cancel = new Cancel(machine.clock, machine.clock.monotonic() + (options.live ? LIVE_CASE_MS : CASE_MS))
    this.#time = new ScriptedTime(this.cancel)
  }

  /** The first use of something that is not in the fixture, or null. */
  mistake(): string | null {
    return this.#faults[0] ?? null
  }

  /** The first deviation from the fixture, including unused entries; null when there is none. */
  fault(): string | null {
    const { tokens = this.#tokens, costs = this.#costs } = this.#options.fixture
    const counted = difference(tokens, this.#tokens, 'tokens') ?? difference(costs, this.#costs, 'costs')
    return this.mistake() ?? counted ?? this.#calls.left() ?? this.#web.left() ?? this.#exec.left() ?? this.#net.left()
  }

  /** Writes the files that the fixture's input names. */
  readonly seed = (): Promise<void> => seeded(this.#folder, this.#options.fixture)

  get signal(): AbortSignal {
    return this.cancel.signal
  }

  timeLeft(): number {
    return this.#time.timeLeft()
  }

  async wait(ms: number): Promise<void> {
    await this.#time.wait(ms)
  }

  /** Names are not resolved but assumed to be public. */
  async assertPublic(text: string): Promise<PublicAddress> {
    return await Promise.resolve(scriptedAddress(text))
  }

  cleanUp(work: (context: ScriptedContext) => Promise<unknown>): () => void {
    return this.#cleanUps.add(work)
  }

  /** Files of the call, for bodies of requests. */
  get bodyFiles(): BodyFiles {
    return this.#folder
  }

  /** Runs the provider's clean-ups; returns their number. */
  async cleanUpNow(): Promise<number> {
    return await this.#cleanUps.run(this)
  }

  /** The files that an output names, those of the call and links of stored ones. */
  async filesIn(output: unknown): Promise<OutputFiles> {
    return await outputFiles(output, { folder: this.#folder, stored: this.files.stored })
  }

  cost(amount: number, currency: string): void {
    this.#costs.push({ amount, currency })
    this.reported.push(`cost ${String(amount)} ${currency}`)
  }

  tokens({ model, input, output }: ModelTokens): void {
    this.#tokens.push({ model, input, output })
  }

  readonly web = { get: (url: string): Promise<Page> => this.#scripted(() => this.#fetch(url)) }

  readonly scratch = scratchOf({
    folder: () => this.#folder,
    stream: async (url) => ({ body: piece((await this.files.found(url)).bytes), named: 0 }),
    stored: () => Promise.resolve(null),
    work: (module, input, options) => this.work(module, input, options),
    put: (data, about) => this.files.put(data, about),
  })

  async exec(program: string, args: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
    const { live, machine, access } = this.#options
    const scripted = <T>(step: () => T): Promise<T> => this.#scripted(step)
    const how = { vendor: access.vendor, recorded: this.#exec, live, machine, folder: this.#folder, cancel: this.cancel, scripted }
    return await runScripted(how, [program, args], options)
  }

  async work<T>(module: URL, input: unknown, options: { timeoutMs?: number; heapMb?: number } = {}): Promise<T> {
    const { workers } = this.#options.machine
    if (workers === null) throw this.#blame(new ScriptError('ctx.work: this run has no worker threads'))
    return answerOf<T>(await this.#time.during(() => workers.run(module, input, options, this.cancel)))
  }

  async parse<T>(
    module: URL,
    bytes: Uint8Array | ScratchFile,
    options: { timeoutMs?: number; memoryMb?: number; args?: unknown } = {},
  ): Promise<T> {
    const { sandbox } = this.#options.machine
    if (sandbox === null) throw this.#blame(new ScriptError('ctx.parse: this run has no sandbox'))
    const read = bytes instanceof Uint8Array ? bytes : this.#folder.read(bytes)
    return answerOf<T>(await this.#time.during(() => sandbox.parse(module, read, options, this.cancel)))
  }

  async parseFiles<T>(
    module: URL,
    files: readonly ScratchFile[],
    options: { timeoutMs?: number; memoryMb?: number; args?: unknown; maxBytes?: number } = {},
  ): Promise<{ readonly result: T; readonly file: ScratchFile | null }> {
    const { sandbox } = this.#options.machine
    if (sandbox === null) throw this.#blame(new ScriptError('ctx.parseFiles: this run has no sandbox'))
    const { result, file } = await sandbox.parseFiles(module, files, { ...options, callFiles: this.#folder }, this.cancel)
    return { result: answerOf<T>(result), file }
  }

  get net(): NetServices {
    return scriptedNet(this.#net, (step) => this.#scripted(step))
  }

  call<I extends TObject, O extends TSchema>(port: Port<I, O>, input: Given<I>): Promise<Static<O>> {
    return this.#scripted(() => scriptedCall(this.#calls, this.#options.compiler, { port, input }))
  }

  has(port: Port): boolean {
    return this.#options.fixture.calls?.some((each) => each.port === port.id) === true
  }

  /** A port that the fixture records calls of has one vendor, that of the provider, which serves every input. */
  providers<I extends TObject, O extends TSchema>(port: Port<I, O>): readonly LiveProvider<I>[] {
    const { id, title } = this.#options.access.vendor
    return this.has(port) ? [{ id, title, suspended: false, order: 0, serves: () => true }] : []
  }

  use<R>(resource: Resource<R>): Promise<R> {
    const { live, machine } = this.#options
    return live && machine.resources !== null ? machine.resources.use(resource, this.settings) : this.#resources.use(resource)
  }

  get cache() {
    return emptyCache<ScriptedContext>(this.#options.compiler, () => this)
  }

  get caps() {
    return freshCaps(() => this.#options.machine.clock.now())
  }

  /** Stops running work and closes what was opened. */
  async close(): Promise<void> {
    this.cancel.cancel('shutdown')
    await Promise.all([this.#resources.close(), this.#folder.close()])
  }

  partialResult(step: string, detail: string): void {
    this.progress(step, detail)
  }

  progress(step: string, detail = ''): void {
    this.reported.push(`${step} ${detail}`)
  }

  note(remark: string): void {
    this.reported.push(remark)
  }

  log(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.reported.push(`${message} ${JSON.stringify(fields)}`)
  }

  #api: ProviderContext['api'] | null = null
  get api(): ProviderContext['api'] {
    return (this.#api ??= scriptedApi({
      ...this.#options,
      cancel: this.cancel,
      folder: this.#folder,
      read: (shape, body) => this.#read(shape, body),
    }))
  }

  isAccount(id: string): boolean {
    return id === this.caller.account
  }

  secret(name: string): string {
    return this.#options.access.secret(name)
  }

  get settings(): Readonly<Record<string, unknown>> {
    return this.#options.access.settings
  }

  get baseUrl(): string {
    return this.#options.access.baseUrl
  }

  #read<S extends TSchema>(schema: S, value: unknown): Static<S> {
    const validator = this.#options.compiler.compile(schema)
    if (!validator.check(value)) throw new Fault('broken', 'The answer did not have the expected shape.', { internal: validator.explain() })
    return answerOf<Static<S>>(value)
  }

  #fetch(url: string): Page {
    const entry = this.#web.take(url, (each) => (each.url === url ? null : `the next is ${each.url}`))
    failing(entry.fault)
    return pageOf(entry.final ?? url, entry.reply ?? {})
  }

  async #scripted<T>(step: () => T): Promise<T> {
    await Promise.resolve()
    try {
      return step()
    } catch (error) {
      throw this.#blame(error)
    }
  }

  #blame<E>(error: E): E {
    if (error instanceof ScriptError) this.#faults.push(error.message)
    return error
  }
}
