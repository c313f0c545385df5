import { Fault, type DnsAnswer, type Services } from '../../../../core/sdk/index.js'
import { answerOrFault, asked, type Answered } from '../dns/records.js'

/** What DNS has at a name. */
export interface Probed {
  readonly ips: readonly string[]
  /** The name that it is an alias of. */
  readonly cname: string | null
  readonly dangling: boolean
}

/**
 * What a name has; undefined for nothing, null when the name servers did not answer. IPv6 is asked for where the name exists, and where an alias leads
 * when it leads to no address.
 */
export async function probe(name: string, ctx: Services): Promise<Probed | undefined | null> {
  const four = await addressTwice(name, ctx)
  if (four === null) return null
  const cname = four.aliases[0] ?? null
  if (four.status === 'NXDOMAIN') return cname === null ? undefined : { ips: [], cname, dangling: true }
  const six = await asked(name, 'AAAA', ctx)
  const ips = [...new Set([...addresses(four), ...(six === null ? [] : addresses(six))])]
  if (ips.length > 0) return { ips, cname, dangling: false }
  if (cname === null) return six === null ? null : undefined
  // A server that is no resolver has no word on where an alias leads.
  const end = await asked(four.aliases.at(-1) ?? cname, 'A', ctx)
  return { ips, cname, dangling: end?.status === 'NXDOMAIN' }
}

/** A name server that does not know has been asked a second time already. */
async function addressTwice(name: string, ctx: Services): Promise<Answered<'A'> | null> {
  const first = await answerOrFault(name, 'A', ctx)
  if (!Fault.is(first)) return first
  return first.obstacle === 'server-failure' ? null : await asked(name, 'A', ctx)
}

function addresses(answer: DnsAnswer<'A' | 'AAAA'>): string[] {
  return answer.records.map(({ data }) => data)
}
