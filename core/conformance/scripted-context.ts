import { callerSchema } from '../caller-schemas/caller-schema.js'
import { Cancel } from '../cancel.js'
import type { BodyFiles } from '../outbound/streamed-body.js'
import type { VendorAccess } from '../outbound/types.js'
import {
  answerOf,
  Fault,
  programsOf,
  type CallerSchema,
  type ExecOptions,
  type ExecResult,
  type Given,
  type LanguageModel,
  type ModelTokens,
  type NetServices,
  type Page,
  type Port,
  type ProviderContext,
  type PublicAddress,
  type Resource,
  type SchemaCompiler,
  type ScratchFile,
  type Static,
  type TObject,
  type TSchema,
} from '../sdk/index.js'
import { scratchOf } from '../dispatch/scratch.js'
import { difference, plain, type OutputFiles } from './expected.js'
import { outputFiles } from './output-files.js'
import type { FixtureCase } from './fixture.js'
import type { TestEnvironment } from './test-environment.js'
import { emptyCache, freshCaps } from './scripted-shared.js'
import { scriptedAddress } from './scripted-address.js'
import { ScriptedFiles } from './scripted-files.js'
import { scriptedApi } from './scripted-api.js'
import { ScriptedModel } from './scripted-model.js'
import { scriptedNet, type NetEntry } from './scripted-net.js'
import { ScriptedResources } from './scripted-resources.js'
import { ScriptedCleanUps, ScriptedTime } from './scripted-time.js'
import { RecordedCalls, execResultOf, failing, numberedFolder, pageOf, piece, ScriptError, seeded, storedRun } from './script.js'

/** Time a fixture case may take, in milliseconds. */
export const CASE_MS = 30_000

export interface ScriptedContextOptions {
  readonly fixture: FixtureCase
  readonly access: VendorAccess
  /** Where the vendor is played. */
  readonly url: string
  readonly once: boolean
  /** Real programs and resources instead of recorded ones. */
  readonly live: boolean
  readonly machine: TestEnvironment
  readonly compiler: SchemaCompiler
}

/** The context of a fixture case: HTTP to the vendor is real, everything else comes from the fixture, `work` and `parse` really run. */
export class ScriptedContext implements ProviderContext<Readonly<Record<string, unknown>>> {
  readonly #options: ScriptedContextOptions
  readonly #calls
  readonly #web
  readonly #exec
  readonly #llm
  readonly #net: RecordedCalls<NetEntry>
  readonly #resources: ScriptedResources
  readonly #faults: string[] = []
  readonly #tokens: ModelTokens[] = []
  readonly #folder = numberedFolder()
  readonly #time: ScriptedTime
  readonly #cleanUps = new ScriptedCleanUps<ScriptedContext>()
  readonly files = new ScriptedFiles((url) => this.web.get(url))
  /** Everything the provider said besides its result: remarks, progress, log lines. */
  readonly said: string[] = []
  readonly cancel: Cancel
  readonly requestId = 'req_fixture'
  readonly caller = { account: 'account_fixture', key: 'key_fixture' }

  constructor(options: ScriptedContextOptions) {
    const { fixture, machine } = options
    this.#options = options
    this.#calls = new RecordedCalls('ctx.call', fixture.calls)
    this.#web = new RecordedCalls('ctx.web', fixture.web)
    this.#exec = new RecordedCalls('ctx.exec', fixture.exec)
    this.#llm = new RecordedCalls('ctx.llm', fixture.llm)
    this.#net = new RecordedCalls('ctx.net', fixture.net)
    this.#resources = new ScriptedResources(machine, options.access.settings, (error) => this.#blame(error))
    this.cancel = new Cancel(machine.clock, machine.clock.monotonic() + CASE_MS)
    this.#time = new ScriptedTime(this.cancel)
  }

  /** What was asked for and is not in the fixture, or null. */
  mistake(): string | null {
    return this.#faults[0] ?? null
  }

  /** What went otherwise than the fixture says, also what it has and nobody asked for; null when nothing. */
  fault(): string | null {
    const { tokens = this.#tokens } = this.#options.fixture
    const counted = difference(tokens, this.#tokens, 'tokens')
    return this.mistake() ?? counted ?? this.#calls.left() ?? this.#web.left() ?? this.#exec.left() ?? this.#llm.left() ?? this.#net.left()
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

  /** Nothing is looked up: names are taken for public ones. */
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

  /** Does what the provider left to be done behind its try; answers how much that was. */
  async cleanUpNow(): Promise<number> {
    return await this.#cleanUps.run(this)
  }

  /** The files that an output names, those of the call and links of stored ones. */
  async filesIn(output: unknown): Promise<OutputFiles> {
    return await outputFiles(output, { folder: this.#folder, stored: this.files.stored })
  }

  cost(amount: number, currency: string): void {
    this.said.push(`cost ${String(amount)} ${currency}`)
  }

  tokens({ model, input, output }: ModelTokens): void {
    this.#tokens.push({ model, input, output })
  }

  readonly web = { get: (url: string): Promise<Page> => this.#scripted(() => this.#fetch(url)) }

  readonly scratch = scratchOf({
    folder: () => this.#folder,
    stream: async (url) => ({ body: piece((await this.files.found(url)).bytes), named: 0 }),
    work: (module, input, options) => this.work(module, input, options),
    put: (data, about) => this.files.put(data, about),
  })

  get llm(): LanguageModel {
    return new ScriptedModel(this.#options.fixture.llm !== undefined, {
      take: (prompt) =>
        this.#scripted(() => {
          const entry = this.#llm.take(prompt.slice(0, 100), () => null)
          failing(entry.fault)
          return entry
        }),
      read: (shape, value) => this.#read(shape, value),
    })
  }

  async callerSchema(schema: unknown, { loc }: { readonly loc: readonly (string | number)[] }): Promise<CallerSchema> {
    const { workers } = this.#options.machine
    if (workers === null) throw this.#blame(new ScriptError('ctx.callerSchema: this run has no worker threads'))
    return await callerSchema(workers, { schema, loc, cancel: this.cancel })
  }

  async exec(program: string, args: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
    const { live, machine, access } = this.#options
    const declared = programsOf(access.vendor)
    if (!Object.hasOwn(declared, program))
      throw this.#blame(new ScriptError(`ctx.exec: vendor ${access.vendor.id} runs "${program}" without declaring it under programs`))
    if (live && machine.sandbox !== null)
      return await machine.sandbox.run(program, args, { ...options, callFiles: () => this.#folder }, this.cancel)
    const recorded = await this.#scripted(() => {
      const entry = this.#exec.take(`${program} ${args.join(' ')}`, (each) => {
        if (each.program !== program) return `the next is ${each.program}`
        return each.args === undefined || same(each.args, args) ? null : `expected ${each.args.join(' ')}`
      })
      failing(entry.fault)
      return execResultOf(entry.result ?? {})
    })
    return await storedRun(recorded, options, this.#folder)
  }

  async work<T>(module: URL, input: unknown, options: { timeoutMs?: number; heapMb?: number } = {}): Promise<T> {
    const { workers } = this.#options.machine
    if (workers === null) throw this.#blame(new ScriptError('ctx.work: this run has no worker threads'))
    return answerOf<T>(await workers.run(module, input, options, this.cancel))
  }

  async parse<T>(
    module: URL,
    bytes: Uint8Array | ScratchFile,
    options: { timeoutMs?: number; memoryMb?: number; args?: unknown } = {},
  ): Promise<T> {
    const { sandbox } = this.#options.machine
    if (sandbox === null) throw this.#blame(new ScriptError('ctx.parse: this run has no sandbox'))
    const read = bytes instanceof Uint8Array ? bytes : this.#folder.read(bytes)
    return answerOf<T>(await sandbox.parse(module, read, options, this.cancel))
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
    return this.#scripted(() => {
      const filled = (given: unknown): unknown => {
        const copy: unknown = structuredClone(given)
        this.#options.compiler.compileInput(port.input).check(copy)
        return copy
      }
      const entry = this.#calls.take(`${port.id} with ${JSON.stringify(input)}`, (each) => {
        if (each.port !== port.id) return `the next is ${each.port}`
        return same(filled(each.input), filled(input)) ? null : `expected ${JSON.stringify(each.input)}`
      })
      failing(entry.fault)
      if (entry.nothing === true) throw new Fault('missing', 'No provider had a result.')
      const output = this.#options.compiler.compile(port.output)
      if (!output.check(entry.output))
        throw new ScriptError(`ctx.call: the recorded output of ${port.id} does not fit: ${output.explain()}`)
      return answerOf<Static<O>>(entry.output)
    })
  }

  has(port: Port): boolean {
    return this.#options.fixture.calls?.some((each) => each.port === port.id) === true
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

  /** Stops what is still under way and closes what was opened. */
  async close(): Promise<void> {
    this.cancel.cancel('shutdown')
    await Promise.all([this.#resources.close(), this.#folder.close()])
  }

  progress(step: string, detail = ''): void {
    this.said.push(`${step} ${detail}`)
  }

  note(remark: string): void {
    this.said.push(remark)
  }

  log(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.said.push(`${message} ${JSON.stringify(fields)}`)
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

function same(expected: unknown, actual: unknown): boolean {
  return difference(plain(expected), plain(actual)) === null
}
