import type { DnsType, DnsValue, ServiceBinding, Services } from '../../../../core/sdk/index.js'
import { queryOrNull } from './records.js'

const TYPES = ['A', 'AAAA', 'CAA', 'CNAME', 'DNAME', 'DNSKEY', 'DS', 'HTTPS', 'MX', 'NAPTR', 'NS', 'SOA', 'SSHFP', 'SVCB', 'TXT'] as const
type Shown = (typeof TYPES)[number]

/** Services discovered by SRV. */
const SERVICES = [
  '_sip._tcp',
  '_sip._udp',
  '_sips._tcp',
  '_sipfederationtls._tcp',
  '_xmpp-client._tcp',
  '_xmpp-server._tcp',
  '_autodiscover._tcp',
  '_imaps._tcp',
  '_submission._tcp',
  '_submissions._tcp',
  '_caldavs._tcp',
  '_carddavs._tcp',
  '_ldap._tcp',
  '_kerberos._udp',
  '_matrix-fed._tcp',
]
const TLSA_PORTS = ['_443._tcp', '_25._tcp']
/** Most mail servers whose TLSA records are queried. */
const MOST_HOSTS = 5

/** The records of each type at a name, and those of common services below it; unanswered types are named in a note. */
export async function zoneRecords(domain: string, mailHosts: readonly string[], ctx: Services): Promise<Record<string, string[]>> {
  const unanswered = new Set<string>()
  const ask = async <T extends DnsType>(name: string, type: T, write: (data: DnsValue<T>) => string): Promise<string[]> => {
    const answer = await queryOrNull(name, type, ctx)
    if (answer === null) unanswered.add(type)
    return answer?.records.map(({ data }) => write(data)) ?? []
  }
  const hosts = [...new Set(mailHosts)].filter((host) => host !== '.' && host !== '').slice(0, MOST_HOSTS)
  const pins = [...TLSA_PORTS.map((labels) => `${labels}.${domain}`), ...hosts.map((host) => `_25._tcp.${host}`)]
  const [own, services, tlsa] = await Promise.all([
    Promise.all(TYPES.map(async (type) => [type, await ask(domain, type, (data) => written(type, data))] as const)),
    Promise.all(SERVICES.map((service) => ask(`${service}.${domain}`, 'SRV', (data) => `${service}.${domain}. ${srv(data)}`))),
    Promise.all(
      [...new Set(pins)].map((name) =>
        ask(name, 'TLSA', (pin) => `${name}. ${[pin.usage, pin.selector, pin.matchingType, pin.certificate].join(' ')}`),
      ),
    ),
  ])
  if (unanswered.size > 0) ctx.note(`records: The name servers did not answer for ${[...unanswered].sort().join(', ')}.`)
  const all = [...own, ['SRV', services.flat()], ['TLSA', tlsa.flat()]] as const
  return Object.fromEntries(all.filter(([, values]) => values.length > 0).map(([type, values]) => [type, [...values].sort()]))
}

const WRITERS: { readonly [T in Shown]: (data: DnsValue<T>) => string } = {
  A: (address) => address,
  AAAA: (address) => address,
  CAA: ({ flags, tag, value }) => `${String(flags)} ${tag} "${value}"`,
  CNAME: absolute,
  DNAME: absolute,
  DNSKEY: ({ flags, algorithm, key }) => `${String(flags)} 3 ${String(algorithm)} ${key}`,
  DS: ({ keyTag, algorithm, digestType, digest }) => [keyTag, algorithm, digestType, digest].join(' '),
  HTTPS: binding,
  MX: ({ preference, exchange }) => `${String(preference)} ${absolute(exchange)}`,
  NAPTR: ({ order, preference, flags, services, regexp, replacement }) =>
    `${String(order)} ${String(preference)} "${flags}" "${services}" "${regexp}" ${absolute(replacement)}`,
  NS: absolute,
  SOA: ({ mname, rname, serial, refresh, retry, expire, minimum }) =>
    [absolute(mname), absolute(mailbox(rname)), serial, refresh, retry, expire, minimum].join(' '),
  SSHFP: ({ algorithm, hash, fingerprint }) => [algorithm, hash, fingerprint].join(' '),
  SVCB: binding,
  TXT: (text) => text,
}

function written<T extends Shown>(type: T, data: DnsValue<T>): string {
  return WRITERS[type](data)
}

function absolute(name: string): string {
  return name.endsWith('.') ? name : `${name}.`
}

/** `host.master@example.com` as `host\.master.example.com`. */
function mailbox(address: string): string {
  const at = address.indexOf('@')
  return at === -1 ? address : `${address.slice(0, at).replaceAll('.', '\\.')}.${address.slice(at + 1)}`
}

function srv({ priority, weight, port, target }: DnsValue<'SRV'>): string {
  return [priority, weight, port, absolute(target)].join(' ')
}

function binding({ priority, target, alpn, defaultAlpn, port, ipv4, ipv6, ech, mandatory, other }: ServiceBinding): string {
  return [
    String(priority),
    absolute(target),
    ...(mandatory.length > 0 ? [`mandatory=${mandatory.map((key) => `key${String(key)}`).join(',')}`] : []),
    ...(alpn.length > 0 ? [`alpn=${alpn.join(',')}`] : []),
    ...(defaultAlpn ? [] : ['no-default-alpn']),
    ...(port === null ? [] : [`port=${String(port)}`]),
    ...(ipv4.length > 0 ? [`ipv4hint=${ipv4.join(',')}`] : []),
    ...(ipv6.length > 0 ? [`ipv6hint=${ipv6.join(',')}`] : []),
    ...(ech ? ['ech'] : []),
    ...Object.entries(other).map(([key, value]) => `${key}=${value}`),
  ].join(' ')
}
