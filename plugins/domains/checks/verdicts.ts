import { Fault, mostUseful, type HandlerContext, type LiveProvider } from '../../../core/sdk/index.js'
import { availability, type Availability } from '../contract.js'

/** Limit of one vendor; the next one gets the remaining domains. */
const VENDOR_MS = 9_000
/** With less time left no other vendor is called. */
const LEAST_MS = 1_000
/** Parallel requests to a vendor that takes one name each. */
const AT_ONCE = 5

/** The availability of a domain, and the vendor that stated its price. */
export interface Verdict extends Availability {
  readonly priceOf: string | null
}

/** The availability of domains, and the failure of a vendor that might have known more. */
export interface Verdicts {
  /** By domain; unknown ones are absent. */
  readonly known: ReadonlyMap<string, Verdict>
  readonly failure: Fault | null
}

/**
 * Availability of each domain: the vendors are called in the order of the waterfall, each for the domains without a
 * definite answer so far.
 */
export async function verdictsOf(domains: readonly string[], context: HandlerContext): Promise<Verdicts> {
  const verdicts = new Map<string, Verdict>()
  const failures: Fault[] = []
  for (const vendor of context.providers(availability)) {
    const open = domains.filter((domain) => verdicts.get(domain)?.verified !== true)
    if (open.length === 0 || context.timeLeft() < LEAST_MS) break
    const left = partsOf(open, vendor)
    const inTurn = async (side: HandlerContext): Promise<void> => {
      for (let part = left.shift(); part !== undefined; part = left.shift())
        try {
          keep((await side.call(availability, { domains: part }, { only: vendor.id })).domains, part)
        } catch (error) {
          if (!Fault.is(error) || side.signal.aborted) throw error
          if (error.kind !== 'missing') failures.push(error)
        }
    }
    const keep = (found: readonly Availability[], part: readonly string[]): void => {
      for (const each of found.filter(({ domain }) => part.includes(domain))) {
        const verdict = { ...each, priceOf: each.price === null ? null : vendor.id }
        verdicts.set(each.domain, combined(verdicts.get(each.domain), verdict))
      }
    }
    // Results before the deadline are kept.
    await context.aside((side) => Promise.all(Array.from({ length: AT_ONCE }, () => inTurn(side))), {
      withinMs: Math.min(VENDOR_MS, context.timeLeft() - LEAST_MS),
      onFailure: (fault) => failures.push(fault),
    })
  }
  return { known: verdicts, failure: failures.length === 0 ? null : mostUseful(failures) }
}

/** All domains in one request if the vendor supports that, else one request each. */
function partsOf(domains: readonly string[], { serves }: LiveProvider<typeof availability.input>): string[][] {
  if (serves({ domains: [...domains] })) return [[...domains]]
  return domains.map((domain) => [domain]).filter((part) => serves({ domains: part }))
}

/**
 * Combines an earlier verdict with a later one. A name without a registry record that a registrar does not sell is
 * reserved; a guess does not replace a registry's answer.
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
