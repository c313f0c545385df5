import { Fault, type Services } from '../../../core/sdk/index.js'
import type { SubdomainsReport } from '../shapes/page.js'
import { answerOrFault, unanswered } from './dns/records.js'
import { probe, type Probed } from './subdomains/probe.js'
import { wildcardOf, type Named } from './subdomains/wildcard.js'
import { WORDS } from './subdomains/words.js'

/** Time limit of the lookups in milliseconds; the results so far are returned. */
const WITHIN_MS = 13_000
const SPARE_MS = 1_500
const LONGEST = 253
const SHOWN_IPS = 50
/** Share of unanswered names above which a list is unreliable and not charged. */
const MOST_UNKNOWN = 0.2

/**
 * Names below a domain that exist in DNS, among the usual ones and the given labels. Names that match a wildcard are
 * left out. No connections are opened. An empty list is a result too. Throws a `missing` Fault for a nonexistent
 * domain, `blocked` when the name servers do not answer for the domain or for too many of the names.
 */
export async function subdomainsOf(domain: string, labels: readonly string[], ctx: Services): Promise<SubdomainsReport> {
  const itself = await answerOrFault(domain, 'A', ctx)
  if (Fault.is(itself)) throw itself
  if (itself.status === 'NXDOMAIN') throw new Fault('missing', `${domain} does not exist in DNS.`)
  const names = [...new Set([...WORDS, ...labels].map((label) => `${label}.${domain}`))].filter(({ length }) => length <= LONGEST)
  const found = new Map<string, Probed | undefined | null>()
  const late = ctx.wait(Math.max(0, Math.min(WITHIN_MS, ctx.timeLeft() - SPARE_MS))).then(() => null)
  const probing = Promise.all(names.map(async (name) => found.set(name, await probe(name, ctx))))
  const [wildcard] = await Promise.all([Promise.race([wildcardOf(domain, ctx), late]), Promise.race([probing, late])])
  const unknown = names.filter((name) => !found.has(name) || found.get(name) === null).length
  const silence = `The name servers did not answer for ${String(unknown)} of ${String(names.length)} names.`
  if (unknown > MOST_UNKNOWN * names.length) throw unanswered(silence)
  if (unknown > 0) ctx.note(`subdomains: ${silence}`)
  if (wildcard === null) ctx.note('subdomains: It could not be determined whether the domain has a wildcard.')
  const existing = [...found].flatMap(([subdomain, each]): Named[] => (each === undefined || each === null ? [] : [{ subdomain, ...each }]))
  const { names: own, note } = wildcard?.without(existing) ?? { names: existing, note: null }
  if (note !== null) ctx.note(`subdomains: ${note}`)
  const subdomains = own
    .map(({ ips, ...rest }) => ({ ...rest, ips: ips.slice(0, SHOWN_IPS) }))
    .sort((one, other) => (one.subdomain < other.subdomain ? -1 : 1))
  return { subdomains, total: subdomains.length, wildcard: wildcard?.exists ?? false }
}
