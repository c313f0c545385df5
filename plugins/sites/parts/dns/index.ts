import { Fault, type Services } from '../../../../core/sdk/index.js'
import type { DnsReport } from '../../shapes/dns.js'
import { dkimSelectors } from './dkim.js'
import { dmarcRecord } from './dmarc.js'
import { dnsProvider } from './dns-provider.js'
import { emailProvider } from './email-provider.js'
import { asked, valuesOf } from './records.js'
import { serverOwner } from './server-owner.js'
import { spfRecord } from './spf.js'

export interface DnsQuestion {
  readonly domain: string
  readonly registrable: string
  readonly depth: 'short' | 'full'
}

/** DNS and e-mail security of a name. Throws a `missing` Fault for a name that does not exist, `blocked` when the name servers do not answer. */
export async function dnsOf({ domain, registrable }: DnsQuestion, ctx: Services): Promise<DnsReport> {
  const [addresses, mx, servers, spf, dmarc, selectors] = await Promise.all([
    ctx.net.query(domain, 'A'),
    asked(domain, 'MX', ctx),
    valuesOf(registrable, 'NS', ctx),
    spfRecord(domain, ctx),
    dmarcRecord({ domain, registrable }, ctx),
    dkimSelectors(domain, ctx),
  ])
  if (addresses.status === 'NXDOMAIN') throw new Fault('missing', `${domain} does not exist in DNS.`)
  const mailServers = (mx?.records ?? [])
    .map(({ data }) => ({ priority: data.preference, host: data.exchange }))
    .sort((one, other) => one.priority - other.priority || one.host.localeCompare(other.host))
  return {
    dns: {
      provider: dnsProvider(servers) ?? (await serverOwner(servers, ctx)),
      a_records: addresses.records.map(({ data }) => data),
      mx_records: mailServers,
      email_provider: emailProvider(mailServers.map(({ host }) => host)),
      has_spf: spf !== null,
      spf_record: spf,
      has_dmarc: dmarc !== null,
      dmarc_policy: dmarc?.policy ?? null,
      dkim_found: selectors.length > 0,
      dkim_selectors: selectors,
    },
    records: null,
    spf: null,
    dmarc: null,
    dkim: null,
    dnssec: null,
    caa: null,
    mta_sts: null,
    tls_rpt: null,
    bimi: null,
  }
}
