import type { SandboxStatus } from '../exec/types.js'
import type { Registry } from '../loader/types.js'
import type { Check } from './types.js'
import { liveProviders } from './registry-checks.js'

/** Name of the check that fails where several accounts may not share local programs. */
export const CALLER_PROGRAMS = 'caller programs'

/** Whether programs run isolated and within limits; fails without a status. The registry is read after the status. */
export async function sandboxCheck(status: Promise<SandboxStatus>, registry: () => Registry): Promise<Check> {
  try {
    const { live, detail, checks, memoryUnbounded = false } = await status
    const unbounded = unboundedVendors(registry())
    const failed = checks.filter(({ ok }) => !ok).map((check) => `${check.name}: ${check.detail}`)
    return {
      name: 'sandbox',
      ok: live && failed.length + unbounded.length === 0 && !memoryUnbounded,
      detail: [detail, ...failed, ...unbounded].join('; '),
    }
  } catch (error) {
    return { name: 'sandbox', ok: false, detail: error instanceof Error ? error.message : String(error) }
  }
}

/** Whether callers may run programs now; `refusal`: why not. */
export function callerProgramsCheck(refusal: string | null): Check {
  return { name: CALLER_PROGRAMS, ok: refusal === null, detail: refusal ?? 'may run' }
}

/** Limits that the own isolation of live vendors does not enforce here. */
function unboundedVendors(registry: Registry): string[] {
  const vendors = new Set(liveProviders(registry).map(({ vendor }) => vendor))
  return [...vendors].flatMap((vendor) => {
    const reason = vendor.memoryUnbounded?.() ?? null
    return reason === null ? [] : [`${vendor.title}: ${reason}`]
  })
}
