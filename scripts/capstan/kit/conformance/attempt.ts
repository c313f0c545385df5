import { deepFreeze } from '../../../../core/dispatch/perform.js'
import type { LoadedPort, LoadedProvider } from '../../../../core/loader/types.js'
import { buildRequest, Fault, mapReply, runProvider, serves } from '../../../../core/sdk/index.js'
import { basePathOf, replayAccess, secretNames } from './access.js'
import { plain, type OutputFiles } from './expected.js'
import type { FixtureCase } from './fixture.js'
import type { TestEnvironment } from './test-environment.js'
import type { Recording, Replay, ReplayServer, Script } from './replay.js'
import { ScriptError } from './script.js'
import { ScriptedContext } from './scripted-context.js'

/** Result of a provider's try, with everything it reported that could contain a secret. */
export interface Outcome {
  readonly output: unknown
  readonly fault: Fault | null
  readonly reported: string
  /** The files that the output names. */
  readonly files: OutputFiles
  /** Number of the provider's clean-ups, and of their requests. */
  readonly cleanUps: { readonly count: number; readonly requests: number }
  /** The first deviation from the recording, or null. */
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

/** Tries a provider on a fixture's input against a script. Throws for exceptions other than Faults, and for an invalid input. */
export async function attempt(options: Attempt): Promise<Outcome> {
  const { port, provider, fixture } = options
  const input: unknown = structuredClone(fixture.input)
  if (!port.input.check(input)) throw new Error(`the input does not fit ${port.port.id}: ${port.input.explain()}`)
  deepFreeze(input)
  const play = options.server.play(options.script)
  const access = replayAccess(provider, play.url + basePathOf(provider.vendor, null), fixture)
  if (!serves(provider.contribution, input, access)) {
    play.end()
    throw new Error('`serves` says that the provider does not take this input')
  }
  const context = new ScriptedContext({
    ...options,
    access,
    url: play.url,
    once: port.port.once === true,
    compiler: options.machine.compiler,
  })
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

/** A provider's try with its clean-ups. */
class ProviderTry {
  readonly #play: Replay
  readonly #context: ScriptedContext
  left: Pick<Outcome, 'files' | 'cleanUps'> = { files: () => undefined, cleanUps: { count: 0, requests: 0 } }

  constructor(play: Replay, context: ScriptedContext) {
    this.#play = play
    this.#context = context
  }

  /** The outcome of the work, after its clean-ups. */
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

/** A deviation from the script takes precedence over the exception that it caused. */
function otherwise(play: Replay, context: ScriptedContext, error: unknown): Error {
  const thrown = error instanceof Error ? error : new Error(String(error))
  const found = play.fault() ?? context.fault()
  return found === null ? thrown : new Error(found, { cause: thrown })
}

function reportedBy(context: ScriptedContext, more: readonly unknown[]): string {
  return JSON.stringify([plain(more), context.reported])
}

/** A secret of the vendor in the reported text, or null. */
export function leaked({ vendor }: LoadedProvider, reported: string): string | null {
  const name = secretNames(vendor).find((each) => reported.includes(`secret-${each}`))
  return name === undefined ? null : `the secret ${name} appears in the result, a fault, a note or a log line`
}
