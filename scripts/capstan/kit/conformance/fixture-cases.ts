import { join } from 'node:path'
import type { LoadedPort, LoadedProvider, PluginReport } from '../../../../core/loader/types.js'
import { attempt, leaked, recorded, type Attempt } from './attempt.js'
import { concerns, assertHandles, VENDOR_FAILURES } from './failure-cases.js'
import { difference, plain } from './expected.js'
import { fixtureName, readFixture, type FixtureCase, type FixtureFile } from './fixture.js'
import { exists } from './plugin-files.js'
import { stagedCases } from './staged-cases.js'
import type { TestEnvironment } from './test-environment.js'
import type { ConformanceCase } from './types.js'
import type { ReplayServer } from './replay.js'

interface Subject {
  readonly port: LoadedPort
  readonly provider: LoadedProvider
  readonly plugin: PluginReport
  readonly machine: TestEnvironment
  readonly server: ReplayServer
}

/**
 * The cases of one provider: its fixture, case by case, and the failures every HTTP provider must handle. None without
 * a fixture, which the case of its provider file reports.
 */
export async function fixtureCases(subject: Subject): Promise<ConformanceCase[]> {
  const { provider, plugin } = subject
  const name = fixtureName(provider)
  const file = join(plugin.folder, 'fixtures', `${name}.json`)
  const failing = (message: string): ConformanceCase[] => [
    { plugin: plugin.name, name: `${name}: fixture`, skip: null, run: () => Promise.reject(new Error(message)) },
  ]
  if (provider.state === 'broken') return failing(provider.reason ?? 'the provider is broken')
  if (!(await exists(file))) return []
  let fixture: FixtureFile
  try {
    fixture = await readFixture(file)
  } catch (error) {
    return failing(error instanceof Error ? error.message : String(error))
  }
  const recordedCases = fixture.cases.map((each): ConformanceCase => ({
    plugin: plugin.name,
    name: `${name}: ${each.name}`,
    skip: skipReason(fixture, subject),
    run: () => replay(subject, each, fixture),
  }))
  const staged = fixture.live === undefined ? await stagedCases(subject, fixture) : []
  return [
    ...recordedCases,
    ...failureCases(subject, fixture, name),
    ...staged.map((each): ConformanceCase => ({ plugin: plugin.name, name: `${name}: ${each.name}`, skip: null, run: () => each.run() })),
  ]
}

function failureCases(subject: Subject, fixture: FixtureFile, name: string): ConformanceCase[] {
  const first = fixture.cases.find(({ exchanges = [], output }) => exchanges.length > 0 && output !== undefined)
  if (first === undefined) return []
  const about = { ...subject, fixture: first }
  return VENDOR_FAILURES.filter((failure) => concerns(failure, about)).map((failure) => ({
    plugin: subject.plugin.name,
    name: `${name}: handles ${failure.name}`,
    skip: null,
    run: () => assertHandles(about, failure),
  }))
}

function skipReason({ live }: FixtureFile, { machine, provider }: Subject): string | null {
  if (live === undefined) return null
  if (machine.program(live.program) === undefined) {
    const debian = provider.vendor.programs?.[live.program] ?? provider.vendor.optionalPrograms?.[live.program]
    return `${live.program} is not installed${debian === undefined ? '' : ` (Debian package ${debian})`}`
  }
  return machine.sandbox === null && machine.resources === null ? 'this run starts no programs' : null
}

async function replay(subject: Subject, fixture: FixtureCase, file: FixtureFile): Promise<void> {
  const { port, provider } = subject
  const options: Attempt = { ...subject, fixture, script: recorded(fixture, provider), live: file.live !== undefined }
  const outcome = await attempt(options)
  if (outcome.deviation !== null) throw new Error(outcome.deviation)
  const leak = leaked(provider, outcome.reported)
  if (leak !== null) throw new Error(leak)
  const { fault } = outcome
  if (fixture.fault !== undefined) {
    if (fault === null)
      throw new Error(`it ended with ${outcome.output === null ? 'nothing' : 'a result'}, expected the fault "${fixture.fault.kind}"`)
    const found = difference(
      fixture.fault,
      plain({
        kind: fault.kind,
        ...(fixture.fault.loc === undefined ? {} : { loc: fault.loc }),
        ...(fixture.fault.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: fault.retryAfterSeconds }),
      }),
      'fault',
    )
    if (found !== null) throw new Error(`${found} (${fault.message} ${fault.internal ?? ''})`)
    return
  }
  if (fault !== null) throw new Error(`it ended with the fault "${fault.kind}": ${fault.message} ${fault.internal ?? ''}`, { cause: fault })
  const output = plain(outcome.output)
  if (fixture.nothing === true) {
    if (output !== null) throw new Error(`it ended with a result, expected nothing: ${JSON.stringify(output).slice(0, 200)}`)
    return
  }
  if (output === null) throw new Error('it ended with nothing, expected an output')
  const found = difference(fixture.output, output, 'output', outcome.files)
  if (found !== null) throw new Error(found)
  if (!port.output.check(structuredClone(output))) throw new Error(`the output does not fit ${port.port.id}: ${port.output.explain()}`)
}
