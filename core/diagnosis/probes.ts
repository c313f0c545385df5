import { Cancel } from '../runtime/cancel.js'
import { systemClock } from '../runtime/clock.js'
import type { Sandbox } from '../exec/types.js'
import { Fault, type Vendor } from '../sdk/index.js'

const LIMIT_MS = 5_000

/** Runs the probe of every vendor that has one; answers, by vendor, what a failing one said last. */
export async function runProbes(sandbox: Pick<Sandbox, 'run'>, vendors: readonly Vendor[]): Promise<ReadonlyMap<string, string>> {
  const failures = await Promise.all(vendors.map(async (vendor) => [vendor.id, await failure(sandbox, vendor)] as const))
  return new Map(failures.flatMap(([id, reason]) => (reason === null ? [] : [[id, reason]])))
}

async function failure(sandbox: Pick<Sandbox, 'run'>, { probe }: Vendor): Promise<string | null> {
  if (probe === undefined) return null
  const { program, args } = probe
  const cancel = new Cancel(systemClock, systemClock.monotonic() + LIMIT_MS)
  try {
    const { code, stopped, stderr } = await sandbox.run(program, args, { isolation: 'external', timeoutMs: LIMIT_MS }, cancel)
    if (code === 0 && stopped === null) return null
    if (stopped === 'time') return `${[program, ...args].join(' ')} does not answer within ${LIMIT_MS / 1000} s`
    const lastLine = Buffer.from(stderr).toString('utf8').trim().split('\n').at(-1) ?? ''
    return lastLine === '' ? `${[program, ...args].join(' ')} ends with ${code}` : lastLine
  } catch (error) {
    if (Fault.is(error)) return error.message
    throw error
  }
}
