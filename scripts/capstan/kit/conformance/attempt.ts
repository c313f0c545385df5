import { deepFreeze } from '../../../../core/dispatch/freeze.js'
import type { LoadedPort, LoadedProvider } from '../../../../core/loader/types.js'
import { buildRequest, Fault, mapReply, runProvider, SchemaCompiler, serves } from '../../../../core/sdk/index.js'
import { basePathOf, replayAccess, secretNames } from './access.js'
import { plain, type OutputFiles } from './expected.js'
import type { FixtureCase } from './fixture.js'
import type { TestEnvironment } from './test-environment.js'
import type { Recording, Replay, ReplayServer, Script } from './replay.js'
import { ScriptError } from './script.js'
import { ScriptedContext } from './scripted-context.js'

/** How a provider's try ended, and everything it reported that could carry a secret. */
export interface Outcome {
  readonly output: unknown
  readonly fault: Fault | null
  readonly reported: string
  /** The files that the output names. */
  readonly files: OutputFiles
  /** What the provider left to be done behind its try, and the requests of that. */
  readonly cleanUps: { readonly count: number; readonly requests: number }
  /** What went otherwise than recorded, or null. */
  readonly deviation: string | null
}

export interface Attempt {
  readonly port: LoadedPort
  readonly provider: LoadedProvider
  readonly fixture: FixtureCase
  readonly script: Script
  readonly live: boolean
  readonly machine: TestEnvironment
  readonly server: ReplayServer
}

/** The recorded exchanges of a fixture case as a script. */
export function recorded({ exchanges = [] }: FixtureCase, { vendor }: LoadedProvider): Recording {
  return {
    exchanges,
    basePath: (host) => basePathOf(vendor, host),
    secrets: secretNames(vendor).map((name) => `secret-${name}`),
  }
}

/** Tries a provider on a fixture's input against a script. Throws what a provider must not throw, and on an input it does not take. */
export async function attempt(options: Attempt): Promise<Outcome> {
  const { port, provider, fixture } = options
  const input: unknown = structuredClone(fixture.input)
  if (!port.input.check(input)) throw new Error(`the input is no input of ${port.port.id}: ${port.input.explain()}`)
  deepFreeze(input)
  const play = options.server.play(options.script)
  const access = replayAccess(provider, play.url + basePathOf(provider.vendor, null), fixture)
  if (!serves(provider.contribution, input, access)) {
    play.end()
    throw new Error('`serves` says that the provider does not take this input')
  }
  const context = new ScriptedContext({ ...options, access, url: play.url, once: port.port.once === true, compiler: new SchemaCompiler() })
  const work = new ProviderTry(play, context)
  const ended = (end: Pick<Outcome, 'output' | 'fault'>, reported: readonly unknown[]): Outcome => ({
    ...end,
    ...work.left,
    reported: reportedBy(context, reported),
    deviation: 'spoilt' in options.script ? (play.fault() ?? context.mistake()) : deviation(play, context),
  })
  try {
    await context.seed()
    const output = await work.done(produce(options, input, context, access))
    return ended({ output, fault: null }, [output])
  } catch (error) {
    if (error instanceof ScriptError) return { ...ended({ output: null, fault: null }, []), deviation: error.message }
    if (!Fault.is(error)) throw otherwise(play, context, error)
    return ended({ output: null, fault: error }, [error.message, error.internal])
  } finally {
    await context.close()
    play.end()
  }
}

/** A provider's try, and what it leaves. */
class ProviderTry {
  readonly #play: Replay
  readonly #context: ScriptedContext
  left: Pick<Outcome, 'files' | 'cleanUps'> = { files: () => undefined, cleanUps: { count: 0, requests: 0 } }

  constructor(play: Replay, context: ScriptedContext) {
    this.#play = play
    this.#context = context
  }

  /** What the work settles to once everything it left behind is done. */
  async done<T>(work: Promise<T>): Promise<T> {
    try {
      const output = await work
      this.left = { ...this.left, files: await this.#context.filesIn(output) }
      return output
    } finally {
      const before = this.#play.requests()
      const count = await this.#context.cleanUpNow()
      this.left = { ...this.left, cleanUps: { count, requests: this.#play.requests() - before } }
    }
  }
}

async function produce(
  { provider, machine, port }: Attempt,
  input: unknown,
  context: ScriptedContext,
  access: ReturnType<typeof replayAccess>,
): Promise<unknown> {
  const { contribution, reply } = provider
  if (contribution.http === undefined) return (await runProvider(contribution, input, context)) ?? null
  if (reply === null) throw new Error(provider.reason ?? 'the reply schema does not compile')
  const answer = await machine.api.request(access, buildRequest(contribution, input, { settings: access.settings }), context.cancel, {
    once: port.port.once === true,
    files: context.bodyFiles,
  })
  if (!reply.check(answer.body)) throw new Fault('broken', 'The reply did not have the expected shape.', { internal: reply.explain() })
  return mapReply(contribution, answer.body, input) ?? null
}

function deviation(play: Replay, context: ScriptedContext): string | null {
  return play.fault() ?? context.fault()
}

/** A mistake of the script explains the exception it led to. */
function otherwise(play: Replay, context: ScriptedContext, error: unknown): Error {
  const thrown = error instanceof Error ? error : new Error(String(error))
  const found = play.fault() ?? context.fault()
  return found === null ? thrown : new Error(found, { cause: thrown })
}

function reportedBy(context: ScriptedContext, more: readonly unknown[]): string {
  return JSON.stringify([plain(more), context.reported])
}

/** Secrets of the vendor that stand in what it reported. */
export function leaked({ vendor }: LoadedProvider, reported: string): string | null {
  const name = secretNames(vendor).find((each) => reported.includes(`secret-${each}`))
  return name === undefined ? null : `the secret ${name} stands in the result, a fault, a note or a log line`
}
