import type { Services } from '../../../../../core/sdk/index.js'
import { domainName } from '../../../../registration/contract.js'
import type { Dmarc } from '../../../shapes/dns.js'
import { textsOf, unanswered } from '../records.js'
import { hasSubdomainPolicy, isDmarc, parseDmarc } from './parse.js'

const MOST_RECEIVERS = 5

/**
 * The DMARC policy of a name: its own, else that of its registrable domain (RFC 7489 6.6.3). Null when there is none.
 * `full` checks whether other domains accept reports. Throws a `blocked` Fault that is `unavailable` when the name
 * servers did not answer.
 */
export async function dmarcOf(
  { domain, registrable, full }: { readonly domain: string; readonly registrable: string; readonly full: boolean },
  ctx: Services,
): Promise<Dmarc | null> {
  const [own, above] = await Promise.all([
    recordsAt(domain, ctx),
    domain === registrable ? Promise.resolve([]) : recordsAt(registrable, ctx),
  ])
  if (own === null) throw unanswered()
  const found = own.length > 0 ? { records: own, at: domain } : { records: above, at: registrable }
  if (found.records === null) throw unanswered()
  const [record] = found.records
  if (record === undefined) return null
  const { policy, problems, ...read } = parseDmarc(record)
  const alone = found.records.length === 1
  if (!alone) problems.unshift(`There are ${String(found.records.length)} DMARC records; receivers take none of several.`)
  if (full && alone) problems.push(...(await refusals(found.at, [...read.aggregate_reports, ...read.failure_reports], ctx)))
  // RFC 7489 6.3: sp counts only in the record of the organisational domain, which applies to all names below it
  // without a record (6.6.3).
  const ofSubdomain = found.at === domain && domain !== registrable
  if (ofSubdomain && hasSubdomainPolicy(record))
    problems.push('The tag sp has no effect here: receivers read it in the record of the organisational domain alone.')
  const below = ofSubdomain ? policyAbove(above) : read.subdomain_policy
  if (below === undefined) problems.push('The policy for names below is unknown: the name servers did not answer.')
  return {
    ...read,
    domain: found.at,
    policy: alone ? (found.at === domain ? policy : read.subdomain_policy) : null,
    subdomain_policy: alone || ofSubdomain ? (below ?? null) : null,
    problems,
  }
}

/** The policy of the organisational domain's record for names below it: null for none, undefined when the name servers did not answer. */
function policyAbove(above: readonly string[] | null): string | null | undefined {
  if (above === null) return undefined
  const [record, ...others] = above
  return record === undefined || others.length > 0 ? null : parseDmarc(record).subdomain_policy
}

async function recordsAt(domain: string, ctx: Services): Promise<readonly string[] | null> {
  return (await textsOf(`_dmarc.${domain}`, ctx))?.filter(isDmarc) ?? null
}

/** Domains that receive reports without declaring that they accept them (RFC 7489 7.1). */
async function refusals(domain: string, addresses: readonly string[], ctx: Services): Promise<string[]> {
  const hosts = addresses.flatMap((address) => /^mailto:[^@]+@([^!]+)/i.exec(address)?.[1]?.toLowerCase() ?? [])
  const foreign = [...new Set(hosts)].filter((host) => organisation(host) !== organisation(domain)).slice(0, MOST_RECEIVERS)
  const answers = await Promise.all(foreign.map((host) => textsOf(`${domain}._report._dmarc.${host}`, ctx)))
  return foreign.flatMap((host, place) =>
    answers[place]?.some(isDmarc) === false ? [`${host} does not say that it takes reports on ${domain}, so none are sent there.`] : [],
  )
}

function organisation(host: string): string {
  try {
    return domainName(host).domain
  } catch {
    return host
  }
}
