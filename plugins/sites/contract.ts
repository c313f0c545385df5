import { by, capability, nullable, oneOf, or, port, Type, type Static } from '../../core/sdk/index.js'
import { registrationFind } from '../registration/contract.js'
import { domainViolations, normalDomain } from './domain.js'
import { dnsDetails, dnsReportShape, dnsShape } from './shapes/dns.js'
import { addressShape, hostingShape } from './shapes/hosting.js'
import { areasShape, checkShape, pageShape, subdomainShape, subdomainsReportShape, technologyShape } from './shapes/page.js'
import { sslShape, tlsDetails, tlsReportShape } from './shapes/tls.js'
import { whoisShape } from './shapes/whois.js'

export { technologiesOf } from './parts/technologies/technologies-of.js'
export type { Technology } from './shapes/page.js'

const domain = Type.String({
  minLength: 1,
  maxLength: 300,
  description: 'A domain, or a host below one, such as example.com: no scheme, path or port. Letters of any script may be used.',
})

/** Who announces an IP address, and where it is. An address that nobody announces is `missing`. */
export const sitesHosting = port({
  id: 'sites.hosting',
  input: Type.Object({ ip: Type.String({ pattern: '^[0-9a-fA-F.:]{2,45}$', description: 'IPv4 or IPv6 address.' }) }),
  output: addressShape,
})

/**
 * One part of what sites.intel reports, asked for by its handler; a part fills its own fields and leaves the others null. Faults are those of the
 * target: `missing` for a name that does not exist, `blocked` for one that points inside or does not answer.
 */
export const sitesParts = port({
  id: 'sites.intel',
  input: Type.Object({
    /** As A-labels. */
    domain: Type.String(),
    /** The domain above it that somebody can register. */
    registrable: Type.String(),
    part: oneOf('dns', 'tls', 'page', 'technologies', 'subdomains', 'names'),
    /** `short` for what overview shows. */
    depth: or(oneOf('short', 'full'), 'full'),
    /** Part subdomains: labels below the domain to look for beside the list, from certificates. */
    labels: or(Type.Array(Type.String(), { maxItems: 1_000 }), []),
  }),
  output: Type.Object({
    dns: nullable(dnsReportShape),
    tls: nullable(tlsReportShape),
    page: nullable(pageShape),
    technologies: nullable(Type.Array(technologyShape)),
    subdomains: nullable(subdomainsReportShape),
    /** Part names: labels below the domain that another source knows. */
    names: nullable(Type.Array(Type.String())),
  }),
})

/** What a domain is made of. */
export const sitesIntel = capability({
  id: 'sites.intel',
  path: '/v1/sites/intel',
  phrases: [
    {
      say: '* dns whois ssl tls certificate hosting hosted technology stack subdomains security nameserver registrar registered expire spf dmarc headers domain server framework cms',
    },
    { say: 'who registered|owns|bought {domain}', params: { mode: 'whois' } },
    { say: 'whois|registrar {domain}', params: { mode: 'whois' } },
    { say: 'when does|was {domain} expire|registered', params: { mode: 'whois' } },
    { say: 'domain registration|expiry|expires|age', params: { mode: 'whois' } },
    { say: 'dns|nameserver|mx records|record|entries', params: { mode: 'dns' } },
    { say: 'dns|spf|dmarc|dkim|dnssec', params: { mode: 'dns' } },
    { say: 'technologies|technology|tech|software|framework|stack behind|used|uses|built|of {domain}', params: { mode: 'tech-stack' } },
    { say: 'what is {domain} built with|on', params: { mode: 'tech-stack' } },
    { say: 'security grade|score|check|rating of {domain}', params: { mode: 'security' } },
    { say: 'grade|rate|check|audit security', params: { mode: 'security' } },
    { say: 'how secure is {domain}', params: { mode: 'security' } },
    { say: 'subdomains|subdomain of {domain}', params: { mode: 'subdomains' } },
    { say: 'where is {domain} hosted' },
    { say: 'who hosts {domain}' },
    { say: 'hosting of {domain}' },
    { say: 'ssl|tls certificate of {domain}' },
    { say: 'overview of domain {domain}' },
  ],
  title: 'Look into a domain',
  description:
    'Tells what a domain is made of. overview: registration, DNS, TLS, hosting and e-mail security in short. whois: registration data. dns: all ' +
    'records with SPF (includes and look-ups counted), DMARC, DKIM, DNSSEC, CAA, MTA-STS, TLS-RPT and BIMI read. tech-stack: the products that the ' +
    'home page shows, each with its evidence. security: TLS, e-mail security and HTTP headers, weighed into a score of 0 to 100 and a grade A to F. ' +
    'subdomains: 90 usual names asked for in DNS. Everything is looked up afresh and without an account anywhere. A part that fails is null, with ' +
    'a remark in metadata.notes; fields of other modes are null. An unregistered name is no result.',
  input: Type.Object({
    domain,
    mode: or(
      {
        ...oneOf('overview', 'whois', 'dns', 'tech-stack', 'security', 'subdomains'),
        description: 'What to look at; overview is a little of everything.',
      },
      'overview',
    ),
  }),
  output: Type.Object({
    domain: Type.String({ description: 'The name that was looked at, as A-labels.' }),
    whois: nullable(whoisShape),
    dns: nullable(dnsShape),
    ssl: nullable(sslShape),
    hosting: nullable(hostingShape),
    ...dnsDetails,
    technologies: nullable(Type.Array(technologyShape, { description: 'Mode tech-stack: products in order of confidence.' })),
    tls: nullable(tlsDetails),
    grade: nullable({ ...oneOf('A', 'B', 'C', 'D', 'E', 'F'), description: 'Mode security: A from 90 %, B 80, C 70, D 60, E 50.' }),
    score: nullable(
      Type.Integer({ minimum: 0, maximum: 100, description: 'Mode security: share of the weights that passed, in percent.' }),
    ),
    checks: nullable(Type.Array(checkShape, { description: 'Mode security: what was checked.' })),
    areas: nullable(areasShape),
    graded_url: nullable(Type.String({ description: 'Modes security and tech-stack: the page that was looked at, after redirects.' })),
    subdomains: nullable(Type.Array(subdomainShape, { description: 'Mode subdomains: names that exist, in alphabetical order.' })),
    total: nullable(Type.Integer({ description: 'Mode subdomains: how many.' })),
    wildcard: nullable(
      Type.Boolean({ description: 'Mode subdomains: any name below the domain has an answer; names that only have that are left out.' }),
    ),
  }),
  price: by('mode', { overview: 2, whois: 1, dns: 1, 'tech-stack': 2, security: 2, subdomains: 2 }),
  work: 'light',
  deadline: '30 in mode whois, else 20: at most 30',
  timeoutMs: ({ mode }) => (mode === 'whois' ? 30_000 : 20_000),
  vendors: sitesParts,
  requires: ({ mode }) => (mode === 'whois' ? [registrationFind] : []),
  normalise: (input) => ({ ...input, domain: normalDomain(input.domain) }),
  check: ({ domain: name, mode }) => domainViolations(name, mode),
  examples: [
    { title: 'A little of everything', params: { domain: 'example.com' } },
    { title: 'All DNS records and e-mail security', params: { domain: 'example.com', mode: 'dns' } },
    { title: 'The products behind a site', params: { domain: 'www.example.com', mode: 'tech-stack' } },
    { title: 'A security grade', params: { domain: 'example.com', mode: 'security' } },
    { title: 'Names below a domain', params: { domain: 'example.com', mode: 'subdomains' } },
  ],
})

export type SitesIntel = Static<typeof sitesIntel.output>
export type PartInput = Static<typeof sitesParts.input>
export type PartOutput = Static<typeof sitesParts.output>
