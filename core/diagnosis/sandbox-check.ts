import type { SandboxStatus } from '../exec/types.js'
import type { Registry } from '../loader/types.js'
import type { Check } from './types.js'
import { liveProviders } from './registry-checks.js'

/** Name of the check that fails where several accounts may not share the programs of this machine. */
export const CALLER_PROGRAMS = 'caller programs'

/** Whether programs run isolated and within their limits; a status that cannot be had is a failed check. The registry is looked at behind it. */
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

/** Whether callers may run programs at the moment; `refusal` says why not. */
export function callerProgramsCheck(refusal: string | null): Check {
  return { name: CALLER_PROGRAMS, ok: refusal === null, detail: refusal ?? 'may run' }
}

/** What the own isolation of live vendors does not bound here. */
function unboundedVendors(registry: Registry): string[] {
  const vendors = new Set(liveProviders(registry).map(({ vendor }) => vendor))
  return [...vendors].flatMap((vendor) => {
    const reason = vendor.memoryUnbounded?.() ?? null
    return reason === null ? [] : [`${vendor.title}: ${reason}`]
  })
}
