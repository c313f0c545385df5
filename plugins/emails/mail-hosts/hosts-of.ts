import { Type, type Services, type Static } from '../../../core/sdk/index.js'

/** More are ignored: domains have at most a handful. */
const MOST_HOSTS = 10

export const mailHosts = Type.Object({
  /** `null-mx`: the domain declares that it accepts no mail (RFC 7505); `none`: it has neither MX nor address, or does not exist. */
  state: Type.Unsafe<'mx' | 'address' | 'null-mx' | 'none'>({ type: 'string', enum: ['mx', 'address', 'null-mx', 'none'] }),
  /** Mail hosts, the preferred one first; the domain itself when it has only an address (RFC 5321 5.1). At most ten. */
  hosts: Type.Array(Type.String()),
})

export type MailHosts = Static<typeof mailHosts>

/** The mail hosts of a domain, by DNS. Throws a Fault `blocked`, `unavailable`, when no name server answered. */
export async function mailHostsOf(domain: string, { net }: Pick<Services, 'net'>): Promise<MailHosts> {
  const { status, records } = await net.query(domain, 'MX')
  if (status === 'NXDOMAIN') return { state: 'none', hosts: [] }
  const named = records.map(({ data }) => data).filter(({ exchange }) => exchange !== '.' && exchange !== '')
  if (records.length > 0 && named.length === 0) return { state: 'null-mx', hosts: [] }
  if (named.length > 0) return { state: 'mx', hosts: inOrder(named) }
  const [four, six] = await Promise.all([net.query(domain, 'A'), net.query(domain, 'AAAA')])
  return four.records.length + six.records.length > 0 ? { state: 'address', hosts: [domain] } : { state: 'none', hosts: [] }
}

/** Hosts of equal preference are sorted by name, so that calls for one domain share a connection. */
function inOrder(records: readonly { readonly preference: number; readonly exchange: string }[]): string[] {
  const sorted = records
    .map(({ preference, exchange }) => ({ preference, host: exchange.toLowerCase().replace(/\.$/, '') }))
    .sort((one, other) => one.preference - other.preference || (one.host < other.host ? -1 : 1))
  return [...new Set(sorted.map(({ host }) => host))].slice(0, MOST_HOSTS)
}
