import type { Cancel } from '../runtime/cancel.js'
import type { Sandbox } from '../exec/types.js'
import type { ScratchFolder } from '../files/scratch-folder.js'
import { Fault, type ExecOptions, type ExecResult, type Vendor } from '../sdk/index.js'

interface ProgramRun {
  readonly sandbox: Sandbox
  /** Declares the programs that may run. */
  readonly vendor: Vendor
  readonly program: string
  readonly args: readonly string[]
  readonly callFiles: () => ScratchFolder
}

/** Runs a vendor's program. TypeError for an undeclared one, Fault `missing` for an optional one not installed. */
export function runProgram(run: ProgramRun, options: ExecOptions, cancel: Cancel): Promise<ExecResult> {
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
