import { systemClock } from '../runtime/clock.js'
import { probeFailure } from '../exec/program-check.js'
import type { Sandbox } from '../exec/types.js'
import type { Vendor } from '../sdk/index.js'

/** Runs the probe of every vendor that has one; returns the failures by vendor. */
export async function runProbes(sandbox: Pick<Sandbox, 'run'>, vendors: readonly Vendor[]): Promise<ReadonlyMap<string, string>> {
  const failures = await Promise.all(vendors.map(async (vendor) => [vendor.id, await probeFailure(sandbox, vendor, systemClock)] as const))
  return new Map(failures.flatMap(([id, reason]) => (reason === null ? [] : [[id, reason]])))
}
