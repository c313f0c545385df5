import { Fault, type HandlerContext } from '../../../core/sdk/index.js'
import type { DomainName } from '../checks/domain-name.js'
import { verdictsOf, type Verdict } from '../checks/verdicts.js'
import type { Entry, Money, Price } from '../contract.js'
import { notePrices, today, usualPrices } from '../prices/tables.js'

/** A domain to look up, and the kind of its name. */
export interface Wanted extends Pick<DomainName, 'domain' | 'name' | 'tld'> {
  readonly category: string | null
}

/** Most names in a remark. */
const MOST_NAMED = 10
const FAR_ABOVE = 5

/**
 * Entries of domains in order, with prices of those that are not registered. Notes name uncertain results. When all
 * are unknown it throws the Fault of a vendor, and an `inconclusive` Fault when none failed.
 */
export async function entriesOf(wanted: readonly Wanted[], context: HandlerContext): Promise<Entry[]> {
  const domains = wanted.map(({ domain }) => domain)
  const tlds = [...new Set(wanted.map(({ tld }) => tld))]
  const [{ known: verdicts, failure }, prices] = await Promise.all([verdictsOf(domains, context), usualPrices(tlds, context)])
  if (verdicts.size === 0)
    throw (
      failure ??
      new Fault('missing', 'It is unknown whether these domains are registered: no name server and no registry answered.', {
        inconclusive: true,
      })
    )
  const unverified = domains.filter((domain) => isUnverified(verdicts.get(domain)))
  if (unverified.length > 0) {
    const free = domains.filter((domain) => verdicts.get(domain)?.status === 'available')
    const which =
      unverified.length === free.length && free.length > MOST_NAMED ? `any of the ${String(free.length)} free domains` : named(unverified)
    context.note(`Not confirmed by a registrar: ${which}. The registry has no record, and reserved and premium names look the same.`)
  }
  const reserved = domains.filter((domain) => verdicts.get(domain)?.status === 'reserved')
  if (reserved.length > 0) context.note(`Cannot be registered according to the registry or a registrar: ${named(reserved)}.`)
  const entries = wanted.map((each) => entryOf(each, verdicts.get(each.domain) ?? null, prices.found.get(each.tld) ?? null))
  const unpriced = entries.filter(({ status, price }) => status === 'available' && price === null)
  notePrices([...new Set(unpriced.map(({ tld }) => tld))], prices.failure, context)
  return entries
}

function isUnverified(verdict: Verdict | undefined): boolean {
  return verdict !== undefined && !verdict.verified && verdict.status === 'available'
}

/**
 * The entry of a domain from its verdict. A registrar's price far above the usual one means a premium name, even
 * without saying so; a premium name has no usual price.
 */
export function entryOf({ domain, name, tld, category }: Wanted, verdict: Verdict | null, usual: Price | null): Entry {
  const own = verdict?.price ?? null
  const price = own === null ? null : { ...own, source: verdict?.priceOf ?? '', date: today() }
  const premium = verdict?.premium ?? (verdict?.status === 'available' && isFarAbove(own, usual) ? true : null)
  const status = statusOf(verdict, premium)
  const free = status === 'available' || status === 'premium' || status === 'early-access'
  return {
    domain,
    name,
    tld,
    status,
    available: free ? true : verdict === null ? null : false,
    verified: verdict?.verified ?? null,
    premium,
    early_access: verdict?.early_access ?? null,
    price: status === 'available' ? (usual ?? price) : free ? price : null,
    category,
  }
}

function statusOf(verdict: Verdict | null, premium: boolean | null): Entry['status'] {
  if (verdict === null || verdict.status === 'reserved') return 'unknown'
  if (verdict.status === 'registered') return 'registered'
  if (verdict.early_access === true) return 'early-access'
  return premium === true ? 'premium' : 'available'
}

function isFarAbove(own: Money | null, usual: Price | null): boolean {
  if (own === null || usual === null || own.currency !== usual.currency) return false
  return own.registration !== null && usual.registration !== null && own.registration > FAR_ABOVE * usual.registration
}

function named(domains: readonly string[]): string {
  const more = domains.length - MOST_NAMED
  return `${domains.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`
}
