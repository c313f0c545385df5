import { Fault, type DnsAnswer, type Services } from '../../../../core/sdk/index.js'
import { answerOrFault, queryOrNull, type Answered } from '../dns/records.js'

/** DNS records of a name. */
export interface Probed {
  readonly ips: readonly string[]
  /** The alias target. */
  readonly cname: string | null
  readonly dangling: boolean
}

/**
 * The records of a name; undefined for none, null when the name servers did not answer. IPv6 is queried when the name
 * exists, and the alias target when the alias has no address.
 */
export async function probe(name: string, ctx: Services): Promise<Probed | undefined | null> {
  const four = await addressTwice(name, ctx)
  if (four === null) return null
  const cname = four.aliases[0] ?? null
  if (four.status === 'NXDOMAIN') return cname === null ? undefined : { ips: [], cname, dangling: true }
  const six = await queryOrNull(name, 'AAAA', ctx)
  const ips = [...new Set([...addresses(four), ...(six === null ? [] : addresses(six))])]
  if (ips.length > 0) return { ips, cname, dangling: false }
  if (cname === null) return six === null ? null : undefined
  // A server that is not a resolver does not report the alias target.
  const end = await queryOrNull(four.aliases.at(-1) ?? cname, 'A', ctx)
  return { ips, cname, dangling: end?.status === 'NXDOMAIN' }
}

/** A query that a name server failed to answer was already repeated. */
async function addressTwice(name: string, ctx: Services): Promise<Answered<'A'> | null> {
  const first = await answerOrFault(name, 'A', ctx)
  if (!Fault.is(first)) return first
  return first.obstacle === 'server-failure' ? null : await queryOrNull(name, 'A', ctx)
}

function addresses(answer: DnsAnswer<'A' | 'AAAA'>): string[] {
  return answer.records.map(({ data }) => data)
}
