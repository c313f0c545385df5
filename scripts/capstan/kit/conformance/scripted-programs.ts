import type { Cancel } from '../../../../core/runtime/cancel.js'
import type { ScratchFolder } from '../../../../core/files/scratch-folder.js'
import { programsOf, type ExecOptions, type ExecResult, type Vendor } from '../../../../core/sdk/index.js'
import { same } from './expected.js'
import type { FixtureCase } from './fixture.js'
import { execResultOf, failing, storedRun, ScriptError, type RecordedCalls } from './script.js'
import type { TestEnvironment } from './test-environment.js'

interface ScriptedPrograms {
  readonly vendor: Vendor
  readonly recorded: RecordedCalls<NonNullable<FixtureCase['exec']>[number]>
  /** Run real programs instead of recorded ones, if there is a sandbox. */
  readonly live: boolean
  readonly machine: TestEnvironment
  readonly folder: ScratchFolder
  readonly cancel: Cancel
  /** Runs a step of the script, and records a deviation. */
  readonly scripted: <T>(step: () => T) => Promise<T>
}

/** The recorded run of a program, or a real one. Rejects with ScriptError for a program that the vendor does not declare. */
export async function runScripted(
  { vendor, recorded, live, machine, folder, cancel, scripted }: ScriptedPrograms,
  [program, args]: readonly [string, readonly string[]],
  options: ExecOptions,
): Promise<ExecResult> {
  await scripted(() => {
    if (!Object.hasOwn(programsOf(vendor), program))
      throw new ScriptError(`ctx.exec: vendor ${vendor.id} runs "${program}" without declaring it under programs`)
  })
  if (live && machine.sandbox !== null) return await machine.sandbox.run(program, args, { ...options, callFiles: () => folder }, cancel)
  const result = await scripted(() => {
    const entry = recorded.take(`${program} ${args.join(' ')}`, (each) => {
      if (each.program !== program) return `the next is ${each.program}`
      return each.args === undefined || same(each.args, args) ? null : `expected ${each.args.join(' ')}`
    })
    failing(entry.fault)
    return execResultOf(entry.result ?? {})
  })
  return await storedRun(result, options, folder)
}
