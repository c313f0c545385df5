import { Fault, type Services } from '../../../../core/sdk/index.js'
import { mailProviderOf } from '../../../emails/contract.js'
import type { Dkim, Dmarc, DnsReport } from '../../shapes/dns.js'
import { caaOf } from './caa.js'
import { dkimOf } from './dkim/index.js'
import { dmarcOf } from './dmarc/index.js'
import { dnsProvider } from './dns-provider.js'
import { dnssecOf } from './dnssec.js'
import { mtaStsOf } from './mta-sts.js'
import { answerOrFault, answerTo } from './records.js'
import { bimiOf, tlsRptOf } from './reports.js'
import { serverOwner } from './server-owner.js'
import { spfOf } from './spf/index.js'
import { isSpf } from './spf/parse.js'
import { within } from './within.js'
import { zoneRecords } from './zone-records.js'

interface DnsQuery {
  readonly domain: string
  readonly registrable: string
  readonly depth: 'short' | 'full'
}

/** Time limit of each part, within those of mode security and of overview. */
const PART_MS = { short: 5_000, full: 6_500 } as const
const PREVIEW = 80

interface Basics {
  readonly addresses: readonly string[]
  /** Null when the name servers did not answer. */
  readonly mail: DnsReport['dns']['mx_records'] | null
  readonly texts: readonly string[] | null
}

type Part = <T>(about: string, work: () => Promise<T>) => Promise<T | null>

/**
 * DNS and email security of a name. A part that takes too long or is not answered is null, with a note, and is listed
 * in `unanswered`. Throws a `missing` Fault for a nonexistent name, `blocked` when the name servers do not answer.
 */
export async function dnsOf({ domain, registrable, depth }: DnsQuery, ctx: Services): Promise<DnsReport> {
  const full = depth === 'full'
  const unanswered = new Set<string>()
  const part: Part = async (about, work) => {
    const found = await within(PART_MS[depth], about, async () => ({ result: await work() }), ctx)
    if (found === null) unanswered.add(about)
    return found?.result ?? null
  }
  const begun = basicsOf(domain, part, ctx)
  const [basics, provider, spf, details, dmarc, dkim] = await Promise.all([
    begun,
    part('dns.provider', () => providerOf(registrable, ctx)),
    full ? begun.then(({ texts }) => (texts === null ? null : part('spf', () => spfOf(domain, texts, ctx)))) : null,
    full ? begun.then(({ mail }) => detailsOf({ domain, registrable }, mail ?? [], { ctx, part })) : NO_DETAILS,
    part('dmarc', () => dmarcOf({ domain, registrable, full }, ctx)),
    part('dkim', () => dkimOf(domain, depth, ctx)),
  ])
  const { silent, ...shown } = details
  if (silent) unanswered.add('mta_sts')
  const dns = summary({ basics, provider, dmarc, dkim, unanswered })
  return { dns, spf, dmarc: full ? dmarc : null, dkim: full ? dkim : null, ...shown, unanswered: [...unanswered].sort() }
}

interface Details extends Pick<DnsReport, 'records' | 'dnssec' | 'caa' | 'mta_sts' | 'tls_rpt' | 'bimi'> {
  /** The MTA-STS policy was not received. */
  readonly silent: boolean
}

const NO_DETAILS: Details = { records: null, dnssec: null, caa: null, mta_sts: null, tls_rpt: null, bimi: null, silent: false }

async function detailsOf(
  site: Omit<DnsQuery, 'depth'>,
  mail: DnsReport['dns']['mx_records'],
  { ctx, part }: { ctx: Services; part: Part },
): Promise<Details> {
  const hosts = mail.map(({ host }) => host)
  const [dnssec, caa, sts, tls_rpt, bimi, records] = await Promise.all([
    part('dnssec', () => dnssecOf(site.registrable, ctx)),
    part('caa', () => caaOf(site, ctx)),
    part('mta_sts', () => mtaStsOf(site.domain, hosts, ctx)),
    part('tls_rpt', () => tlsRptOf(site.domain, ctx)),
    part('bimi', () => bimiOf(site, ctx)),
    part('records', () => zoneRecords(site.domain, hosts, ctx)),
  ])
  const silent = sts?.silent ?? false
  if (silent) ctx.note('mta_sts: The policy was not received in time, so its content is unknown.')
  return { records, dnssec, caa, mta_sts: sts?.sts ?? null, tls_rpt, bimi, silent }
}

async function providerOf(registrable: string, ctx: Services): Promise<string | null> {
  const servers = (await answerTo(registrable, 'NS', ctx)).records.map(({ data }) => data)
  return dnsProvider(servers) ?? (await serverOwner(servers, ctx))
}

async function basicsOf(domain: string, part: Part, ctx: Services): Promise<Basics> {
  const [addresses, mx, texts] = await Promise.all([
    answerOrFault(domain, 'A', ctx),
    part('dns.mx_records', () => answerTo(domain, 'MX', ctx)),
    part('dns.spf_record', () => answerTo(domain, 'TXT', ctx)),
  ])
  if (Fault.is(addresses)) throw addresses
  if (addresses.status === 'NXDOMAIN') throw new Fault('missing', `${domain} does not exist in DNS.`)
  if (addresses.bogus)
    ctx.note('dns: DNSSEC of the zone is wrong: resolvers that validate do not answer for it. These are its records without validation.')
  const mail = mx?.records
    .map(({ data }) => ({ priority: data.preference, host: data.exchange.toLowerCase() }))
    .sort((one, other) => one.priority - other.priority || (one.host < other.host ? -1 : 1))
  return {
    addresses: addresses.records.map(({ data }) => data),
    mail: mail ?? null,
    texts: texts?.records.map(({ data }) => data) ?? null,
  }
}

function summary({
  basics: { addresses, mail, texts },
  provider,
  dmarc,
  dkim,
  unanswered,
}: {
  basics: Basics
  provider: string | null
  dmarc: Dmarc | null
  dkim: Dkim[] | null
  unanswered: ReadonlySet<string>
}): DnsReport['dns'] {
  const record = texts?.find(isSpf) ?? null
  const keys = dkim?.filter(({ revoked }) => !revoked) ?? []
  return {
    provider,
    a_records: [...addresses],
    mx_records: mail ?? [],
    email_provider: mailProviderOf((mail ?? []).map(({ host }) => host))?.label ?? null,
    has_spf: texts === null ? null : record !== null,
    spf_record: record,
    has_dmarc: unanswered.has('dmarc') ? null : dmarc !== null,
    dmarc_policy: dmarc?.policy ?? null,
    dkim_found: dkim === null ? null : keys.length > 0,
    dkim_selectors: keys.map(({ selector, record: key }) => ({ selector, preview: key.slice(0, PREVIEW) })),
  }
}
