import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Cancel } from '../../core/runtime/cancel.js'
import { systemClock } from '../../core/runtime/clock.js'
import { resourceHosts, Resources } from '../../core/dispatch/resources.js'
import { createSandbox } from '../../core/exec/sandbox.js'
import { createWorkers } from '../../core/exec/workers.js'
import type { Sandbox, Workers } from '../../core/exec/types.js'
import type { SandboxOptions } from '../../core/exec/host.js'
import {
  runProvider,
  SchemaCompiler,
  type ExecOptions,
  type ExecResult,
  type Page,
  type ProviderContext,
  type ProviderContribution,
  type Vendor,
} from '../../core/sdk/index.js'
import { execute, type CodeInput, type CodeOutput } from '../../plugins/code/contract.js'

/** A fake sandbox. */
type Exec = (program: string, args: readonly string[], options: ExecOptions) => Promise<ExecResult>

/** The sandbox and the workers of this machine with a folder of their own, for tests that run programs. */
export class CodeBench {
  readonly notes: string[] = []
  readonly steps: { readonly step: string; readonly detail: string | undefined }[] = []
  readonly stored: { name: string; data: Uint8Array }[] = []
  readonly #folder: string
  readonly sandbox: Sandbox
  readonly workers: Workers
  readonly #resources: Resources
  /** Answers of ctx.web by address. */
  readonly pages = new Map<string, Page>()
  /** Settings of the vendor that are not left at their default. */
  settings: Record<string, unknown> = {}

  private constructor(folder: string, proxySocket: () => Promise<string>, options: Partial<SandboxOptions>) {
    this.#folder = folder
    this.workers = createWorkers({ clock: systemClock, size: 2 })
    this.sandbox = createSandbox({
      clock: systemClock,
      slots: 4,
      programs: () => undefined,
      protectedPaths: [],
      proxySocket,
      log: () => undefined,
      ...options,
    })
    this.#resources = new Resources(resourceHosts({ sandbox: this.sandbox, log: () => undefined }))
  }

  static async open(
    proxySocket: () => Promise<string> = () => Promise.reject(new Error('this test has no network')),
    options: Partial<SandboxOptions> = {},
  ): Promise<CodeBench> {
    return new CodeBench(await mkdtemp(join(tmpdir(), 'capstan-code-')), proxySocket, options)
  }

  async close(): Promise<void> {
    await this.#resources.close()
    await this.workers.close()
    await this.sandbox.close()
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** Runs a program with a provider of the capability; its answer, checked against the contract. `exec` replaces the sandbox. */
  async run(
    provider: ProviderContribution,
    given: Partial<CodeInput> & { code: string },
    { ms = 60_000, exec }: { readonly ms?: number; readonly exec?: Exec } = {},
  ): Promise<CodeOutput> {
    return codeOutput(await runProvider(provider, codeInput(given), this.#context(provider.vendor, ms, exec)))
  }

  /** What a provider is given; everything it does not use here throws. */
  #context(vendor: Vendor, ms: number, exec: Exec | undefined): ProviderContext {
    const cancel = new Cancel(systemClock, systemClock.monotonic() + ms)
    const settings = { ...this.settings }
    if (vendor.settings !== undefined && !new SchemaCompiler().compile(vendor.settings).check(settings)) throw new Error('wrong settings')
    const parts: Partial<ProviderContext> = {
      settings,
      signal: cancel.signal,
      timeLeft: () => cancel.timeLeft(),
      wait: () => Promise.resolve(),
      use: (resource) => this.#resources.use(resource, settings),
      progress: (step, detail) => void this.steps.push({ step, detail }),
      partialResult: (step, detail) => void this.steps.push({ step, detail }),
      log: () => undefined,
      note: (remark) => void this.notes.push(remark),
      exec: (program, args, options = {}) =>
        exec === undefined ? this.sandbox.run(program, args, options, cancel) : exec(program, args, options),
      work: async <T>(module: URL, input: unknown, options = {}) => (await this.workers.run(module, input, options, cancel)) as T,
      web: {
        get: (url) => {
          const page = this.pages.get(url)
          return page === undefined ? Promise.reject(new Error(`no page for ${url}`)) : Promise.resolve(page)
        },
      },
      files: {
        put: async (data, { name, contentType = '' }) => {
          if (!(data instanceof Uint8Array)) throw new Error('the test stores bytes only')
          this.stored.push({ name, data })
          return {
            id: name,
            url: `https://files.example/${name}`,
            size: data.length,
            expires_at: '2030-01-01T00:00:00.000Z',
            content_type: contentType,
          }
        },
        fetch: () => Promise.reject(new Error('not used')),
      },
    }
    return parts as ProviderContext
  }
}

const validator = new SchemaCompiler().compile(execute.input)
const answers = new SchemaCompiler().compile(execute.output)

/** An input with the contract's defaults. */
export function codeInput(given: Partial<CodeInput> & { code: string }): CodeInput {
  const input: unknown = { ...given }
  if (!validator.check(input)) throw new Error(JSON.stringify(validator.errors()))
  return input
}

/** The answer, checked against the contract. */
export function codeOutput(value: unknown): CodeOutput {
  if (!answers.check(value)) throw new Error(JSON.stringify(answers.errors()))
  return value
}
