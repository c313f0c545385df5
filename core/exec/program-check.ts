import { Cancel } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import { Fault, programsOf, type Vendor } from '../sdk/index.js'
import type { Sandbox } from './types.js'

const PROBE_MS = 5_000
/** A large program on a busy machine takes seconds to print its version. */
const START_MS = 20_000
/** Exit codes of a shell for a program that cannot be started; from SIGNALLED on, a signal ended it. */
const NOT_STARTED = [126, 127]
const SIGNALLED = 129

type Checked = Pick<Sandbox, 'run' | 'program' | 'status'>

/** The failure of the vendor's own probe; null when it succeeds or the vendor has none. */
export async function probeFailure(sandbox: Pick<Sandbox, 'run'>, { probe }: Vendor, clock: Clock): Promise<string | null> {
  if (probe === undefined) return null
  const { program, args } = probe
  const cancel = new Cancel(clock, clock.monotonic() + PROBE_MS)
  try {
    const { code, stopped, stderr } = await sandbox.run(program, args, { isolation: 'external', timeoutMs: PROBE_MS }, cancel)
    if (code === 0 && stopped === null) return null
    if (stopped === 'time') return `${[program, ...args].join(' ')} does not answer within ${PROBE_MS / 1000} s`
    const lastLine = Buffer.from(stderr).toString('utf8').trim().split('\n').at(-1) ?? ''
    return lastLine === '' ? `${[program, ...args].join(' ')} ends with ${code}` : lastLine
  } catch (error) {
    if (Fault.is(error)) return error.message
    throw error
  }
}

/**
 * The self-check of a vendor whose programs run on this machine, null for a vendor without programs. It returns a failure of the programs
 * that does not depend on input files, else null: it runs the vendor's probe, or starts each installed program in the sandbox. A check
 * that gets no slot there reports no failure.
 */
export function programCheck(sandbox: Checked, vendor: Vendor, clock: Clock): (() => Promise<string | null>) | null {
  if (vendor.probe !== undefined) return async () => await probeFailure(sandbox, vendor, clock)
  const programs = Object.keys(programsOf(vendor))
  if (programs.length === 0) return null
  return async () => {
    const { live, detail } = await sandbox.status()
    if (!live) return detail
    for (const name of programs) {
      const failure = sandbox.program(name) === undefined ? null : await startFailure(sandbox, name, clock)
      if (failure !== null) return failure
    }
    return null
  }
}

/** Checks only that the program starts and is not ended by a signal; its exit code does not matter. */
async function startFailure(sandbox: Checked, program: string, clock: Clock): Promise<string | null> {
  const cancel = new Cancel(clock, clock.monotonic() + START_MS)
  try {
    const { code, stopped } = await sandbox.run(program, ['--version'], { diskMb: 64 }, cancel)
    if (stopped === 'time') return `${program} does not start within ${START_MS / 1000} s`
    return NOT_STARTED.includes(code) || code >= SIGNALLED ? `${program} does not start: it ends with ${code}` : null
  } catch (error) {
    if (!Fault.is(error)) throw error
    return error.kind === 'broken' ? `${program} does not start: ${error.message}` : null
  }
}
