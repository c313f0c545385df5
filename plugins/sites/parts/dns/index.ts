import { Fault, type Services } from '../../../../core/sdk/index.js'
import { mailProviderOf } from '../../../emails/contract.js'
import type { Dkim, Dmarc, DnsReport } from '../../shapes/dns.js'
import { caaOf } from './caa.js'
import { dkimOf } from './dkim/index.js'
import { dmarcOf } from './dmarc/index.js'
import { dnsProvider } from './dns-provider.js'
import { dnssecOf } from './dnssec.js'
import { mtaStsOf } from './mta-sts.js'
import { asked, textsOf, valuesOf } from './records.js'
import { bimiOf, tlsRptOf } from './reports.js'
import { serverOwner } from './server-owner.js'
import { spfOf } from './spf/index.js'
import { isSpf } from './spf/parse.js'
import { within } from './within.js'
import { zoneRecords } from './zone-records.js'

export interface DnsQuestion {
  readonly domain: string
  readonly registrable: string
  readonly depth: 'short' | 'full'
}

/** Time of each part, inside that of mode security and of overview. */
const PART_MS = { short: 5_000, full: 6_500 } as const
const PREVIEW = 80

interface Basics {
  readonly addresses: readonly string[]
  readonly mail: DnsReport['dns']['mx_records']
  /** Null when the name servers did not answer. */
  readonly texts: readonly string[] | null
}

/**
 * DNS and e-mail security of a name. A part that takes too long is null, with a note. Throws a `missing` Fault for a name that does not exist,
 * `blocked` when the name servers do not answer.
 */
export async function dnsOf({ domain, registrable, depth }: DnsQuestion, ctx: Services): Promise<DnsReport> {
  const full = depth === 'full'
  const part = <T>(about: string, work: () => Promise<T>): Promise<T | null> => within(PART_MS[depth], about, work, ctx)
  const begun = basicsOf(domain, ctx)
  const [basics, provider, spf, details, dmarc, dkim] = await Promise.all([
    begun,
    part('dns.provider', () => providerOf(registrable, ctx)),
    full ? begun.then(({ texts }) => (texts === null ? null : part('spf', () => spfOf(domain, texts, ctx)))) : null,
    full ? begun.then(({ mail }) => detailsOf({ domain, registrable }, mail, { ctx, part })) : NO_DETAILS,
    part('dmarc', async () => ({ found: await dmarcOf({ domain, registrable, full }, ctx) })),
    part('dkim', () => dkimOf(domain, depth, ctx)),
  ])
  const policy = dmarc?.found
  if (dmarc !== null && policy === undefined) ctx.note('dmarc: The name servers did not answer.')
  const dns = summary({ basics, provider, dmarc: policy, dkim })
  return { dns, spf, dmarc: full ? (policy ?? null) : null, dkim: full ? dkim : null, ...details }
}

type Details = Pick<DnsReport, 'records' | 'dnssec' | 'caa' | 'mta_sts' | 'tls_rpt' | 'bimi'>

const NO_DETAILS: Details = { records: null, dnssec: null, caa: null, mta_sts: null, tls_rpt: null, bimi: null }

async function detailsOf(
  site: Omit<DnsQuestion, 'depth'>,
  mail: Basics['mail'],
  { ctx, part }: { ctx: Services; part: <T>(about: string, work: () => Promise<T>) => Promise<T | null> },
): Promise<Details> {
  const hosts = mail.map(({ host }) => host)
  const [dnssec, caa, mta_sts, tls_rpt, bimi, records] = await Promise.all([
    part('dnssec', () => dnssecOf(site.registrable, ctx)),
    part('caa', () => caaOf(site, ctx)),
    part('mta_sts', () => mtaStsOf(site.domain, hosts, ctx)),
    part('tls_rpt', () => tlsRptOf(site.domain, ctx)),
    part('bimi', () => bimiOf(site, ctx)),
    part('records', () => zoneRecords(site.domain, hosts, ctx)),
  ])
  return { records, dnssec, caa, mta_sts, tls_rpt, bimi }
}

async function providerOf(registrable: string, ctx: Services): Promise<string | null> {
  const servers = await valuesOf(registrable, 'NS', ctx)
  return dnsProvider(servers) ?? (await serverOwner(servers, ctx))
}

async function basicsOf(domain: string, ctx: Services): Promise<Basics> {
  const [addresses, mx, texts] = await Promise.all([ctx.net.query(domain, 'A'), asked(domain, 'MX', ctx), textsOf(domain, ctx)])
  if (addresses.status === 'NXDOMAIN') throw new Fault('missing', `${domain} does not exist in DNS.`)
  if (mx === null) ctx.note('dns.mx_records: The name servers did not answer.')
  if (texts === null) ctx.note('spf: The name servers did not answer.')
  const mail = (mx?.records ?? [])
    .map(({ data }) => ({ priority: data.preference, host: data.exchange.toLowerCase() }))
    .sort((one, other) => one.priority - other.priority || (one.host < other.host ? -1 : 1))
  return { addresses: addresses.records.map(({ data }) => data), mail, texts }
}

function summary(found: {
  basics: Basics
  provider: string | null
  dmarc: Dmarc | null | undefined
  dkim: Dkim[] | null
}): DnsReport['dns'] {
  const { basics, provider, dmarc, dkim } = found
  const record = basics.texts?.find(isSpf) ?? null
  const keys = dkim?.filter(({ revoked }) => !revoked) ?? []
  return {
    provider,
    a_records: [...basics.addresses],
    mx_records: basics.mail,
    email_provider: mailProviderOf(basics.mail.map(({ host }) => host))?.label ?? null,
    has_spf: basics.texts === null ? null : record !== null,
    spf_record: record,
    has_dmarc: dmarc === undefined ? null : dmarc !== null,
    dmarc_policy: dmarc?.policy ?? null,
    dkim_found: dkim === null ? null : keys.length > 0,
    dkim_selectors: keys.map(({ selector, record: key }) => ({ selector, preview: key.slice(0, PREVIEW) })),
  }
}
