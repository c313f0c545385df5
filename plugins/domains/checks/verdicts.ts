import type { HandlerContext } from '../../../core/sdk/index.js'
import { availability, type Availability } from '../contract.js'

/** For one vendor; the next is asked about what is left. */
const VENDOR_MS = 9_000
/** With less left nobody else is asked. */
const LEAST_MS = 1_000

/** What is known of a domain, and which vendor named its price. */
export interface Verdict extends Availability {
  readonly priceOf: string | null
}

/**
 * What is known of each domain: the vendors are asked in the order of the waterfall, each about those of which nobody before could tell for sure.
 * Domains of which nobody knows are left out.
 */
export async function verdictsOf(domains: readonly string[], context: HandlerContext): Promise<ReadonlyMap<string, Verdict>> {
  const verdicts = new Map<string, Verdict>()
  for (const vendor of context.providers(availability)) {
    const open = domains.filter((domain) => verdicts.get(domain)?.verified !== true)
    if (open.length === 0 || context.timeLeft() < LEAST_MS) break
    if (!vendor.serves({ domains: open })) continue
    const withinMs = Math.min(VENDOR_MS, context.timeLeft() - LEAST_MS)
    const answers = await context.aside((side) => side.gather(availability, { domains: open }, { only: [vendor.id] }), { withinMs })
    const asked = new Set(open)
    for (const each of (answers ?? []).flatMap(({ data }) => data.domains)) {
      const verdict = { ...each, priceOf: each.price === null ? null : vendor.id }
      if (asked.has(each.domain)) verdicts.set(each.domain, combined(verdicts.get(each.domain), verdict))
    }
  }
  return verdicts
}

/**
 * One verdict of an earlier one and a later. What the registry has no record of and a registrar does not sell is reserved; a guess does not replace a
 * registry's word.
 */
export function combined(before: Verdict | undefined, now: Verdict): Verdict {
  if (before === undefined) return now
  if (before.status === 'available' && now.status === 'registered') return now.verified ? { ...now, status: 'reserved' } : before
  return {
    ...now,
    verified: before.verified || now.verified,
    premium: now.premium ?? before.premium,
    early_access: now.early_access ?? before.early_access,
    ...(now.price === null ? { price: before.price, priceOf: before.priceOf } : {}),
  }
}
