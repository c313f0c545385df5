import type { HandlerContext, Static } from '../../core/sdk/index.js'
import { type sitesIntel, sitesParts, type PartInput, type PartOutput, type SitesIntel } from './contract.js'
import { scriptsMixedIn, siteName } from './domain.js'
import { once, Parts } from './parts-of-call.js'
import { factsOfAddress, hostingOf } from './parts/hosting/index.js'
import { securityOf } from './parts/security/index.js'
import { knownLabels } from './parts/subdomains/known-labels.js'
import { whoisOf } from './parts/whois.js'
import type { SitePage } from './shapes/page.js'

/** Time limit of each part of overview, and of security. */
const PART_MS = { whois: 8_000, dns: 6_000, tls: 5_000, page: 6_000, hosting: 7_000, address: 3_000 } as const
const SECURITY_MS = { dns: 8_000, tls: 8_000, page: 8_000 } as const

interface Site {
  readonly domain: string
  readonly registrable: string
}

type Mode = (site: Site, ctx: HandlerContext) => Promise<Partial<SitesIntel>>

const MODES: Readonly<Record<'overview' | 'whois' | 'dns' | 'tech-stack' | 'security' | 'subdomains', Mode>> = {
  overview,
  whois: async ({ registrable }, ctx) => ({ whois: await whoisOf(registrable, ctx) }),
  dns: async (site, ctx) => shown((await part(site, 'dns', ctx)).dns),
  'tech-stack': async (site, ctx) => {
    const { page, technologies } = await part(site, 'technologies', ctx)
    sayWhatWasRead(page, site, ctx)
    return { technologies, graded_url: page?.url ?? null }
  },
  security,
  subdomains: async (site, ctx) => {
    const labels = await knownLabels(site, ctx)
    return { ...(await ctx.call(sitesParts, { ...site, part: 'subdomains', labels })).subdomains }
  },
}

/** One mode of sites.intel. Parts run in parallel; in overview and security a failed part is null, with a remark. */
export async function siteIntel({ domain: name, mode }: Static<typeof sitesIntel.input>, ctx: HandlerContext): Promise<SitesIntel> {
  const { name: domain, domain: registrable } = siteName(name)
  ctx.progress('looking', domain)
  const scripts = scriptsMixedIn(domain)
  if (scripts.length > 0) ctx.note(`The name mixes letters of ${scripts.join(' and ')}, and may be made to look like another.`)
  return { ...nothingOf(domain), ...(await MODES[mode]({ domain, registrable }, ctx)) }
}

async function overview(site: Site, ctx: HandlerContext): Promise<Partial<SitesIntel>> {
  const parts = new Parts(ctx)
  const page = once(() => parts.ask('page', PART_MS.page, async (side) => (await part(site, 'page', side, 'short')).page))
  const [whois, dns, tls, hosting] = await Promise.all([
    parts.ask('whois', PART_MS.whois, (side) => whoisOf(site.registrable, side)),
    parts.ask('dns', PART_MS.dns, async (side) => (await part(site, 'dns', side, 'short')).dns),
    parts.ask('ssl', PART_MS.tls, async (side) => (await part(site, 'tls', side, 'short')).tls),
    parts.ask('hosting', PART_MS.hosting, (side) =>
      hostingOf(
        site.domain,
        async () => (await page())?.headers ?? {},
        (ip) => factsOfAddress(ip, PART_MS.address, side),
        side,
      ),
    ),
  ])
  if (whois === null && dns === null && tls === null && hosting === null) throw parts.reason()
  if (tls !== null && !tls.tls.trusted) ctx.note(`ssl: The certificate is not trusted: ${tls.tls.trust_error ?? 'unknown reason'}.`)
  return { whois, dns: dns?.dns ?? null, ssl: tls?.ssl ?? null, hosting }
}

async function security(site: Site, ctx: HandlerContext): Promise<Partial<SitesIntel>> {
  const parts = new Parts(ctx)
  const [dns, tls, page] = await Promise.all([
    parts.ask('dns', SECURITY_MS.dns, async (side) => (await part(site, 'dns', side)).dns),
    parts.ask('ssl', SECURITY_MS.tls, async (side) => (await part(site, 'tls', side)).tls),
    parts.ask('headers', SECURITY_MS.page, async (side) => (await part(site, 'page', side)).page),
  ])
  if (dns === null && tls === null && page === null) throw parts.reason()
  sayWhatWasRead(page, site, ctx)
  if (page !== null && page.http_unknown !== null)
    ctx.note(`tls.redirect: The target of plain http could not be checked: ${page.http_unknown.replace(/\.$/, '')}.`)
  const verdict = securityOf({ dns, tls, page })
  if (verdict.grade === null)
    ctx.note(`There is no grade, since ${tls === null ? 'neither TLS nor the home page could' : 'the home page could not'} be looked at.`)
  else if (page === null) ctx.note('The home page could not be read; the TLS findings alone limit the grade to F.')
  return { ...shown(dns), ssl: tls?.ssl ?? null, tls: tls?.tls ?? null, ...verdict, graded_url: page?.url ?? null, records: null }
}

/** A DNS report in the form returned to callers: unanswered parts are in the notes. */
function shown(report: PartOutput['dns']): Partial<SitesIntel> {
  if (report === null) return {}
  const { unanswered: _, ...rest } = report
  return rest
}

async function part(
  { domain, registrable }: Site,
  wanted: PartInput['part'],
  ctx: HandlerContext,
  depth: PartInput['depth'] = 'full',
): Promise<PartOutput> {
  return await ctx.call(sitesParts, { domain, registrable, part: wanted, depth })
}

/** Notes which page an answer is about, when it is not the ordinary answer of the host itself. */
function sayWhatWasRead(page: SitePage | null, { domain }: Site, ctx: HandlerContext): void {
  if (page === null) return
  if (page.host !== domain) ctx.note(`The host that was looked at is ${page.host}, to which ${domain} redirects.`)
  if (page.status >= 400) ctx.note(`The page answered with status ${String(page.status)}.`)
  if (page.untrusted !== null) ctx.note(`The page was read although ${page.untrusted}.`)
  if (page.https_failed !== null)
    ctx.note(`The page is that of plain http, since by https it could not be read: ${page.https_failed.replace(/\.$/, '')}.`)
}

function nothingOf(domain: string): SitesIntel {
  return {
    domain,
    whois: null,
    dns: null,
    ssl: null,
    hosting: null,
    records: null,
    spf: null,
    dmarc: null,
    dkim: null,
    dnssec: null,
    caa: null,
    mta_sts: null,
    tls_rpt: null,
    bimi: null,
    technologies: null,
    tls: null,
    grade: null,
    score: null,
    checks: null,
    areas: null,
    graded_url: null,
    subdomains: null,
    total: null,
    wildcard: null,
  }
}
