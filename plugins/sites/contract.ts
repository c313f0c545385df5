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
  description: 'Domain or host name, such as example.com, without scheme, path or port; any script.',
})

/** Network and location of an IP address. An address that no network announces is `missing`. */
export const sitesHosting = port({
  id: 'sites.hosting',
  input: Type.Object({ ip: Type.String({ pattern: '^[0-9a-fA-F.:]{2,45}$', description: 'IPv4 or IPv6 address.' }) }),
  output: addressShape,
})

/**
 * One part of the report of sites.intel, requested by its handler; a part fills its own fields and leaves the others
 * null. Faults concern the target: `missing` if the name does not exist, `blocked` if it has a private address or does
 * not answer.
 */
export const sitesParts = port({
  id: 'sites.intel',
  input: Type.Object({
    /** As A-labels. */
    domain: Type.String(),
    /** Its registrable domain. */
    registrable: Type.String(),
    part: oneOf('dns', 'tls', 'page', 'technologies', 'subdomains', 'names'),
    /** `short`: only what mode overview shows. */
    depth: or(oneOf('short', 'full'), 'full'),
    /** Part subdomains: labels below the domain to check in addition to the list, from certificates. */
    labels: or(Type.Array(Type.String(), { maxItems: 1_000 }), []),
  }),
  output: Type.Object({
    dns: nullable(dnsReportShape),
    tls: nullable(tlsReportShape),
    page: nullable(pageShape),
    technologies: nullable(Type.Array(technologyShape)),
    subdomains: nullable(subdomainsReportShape),
    /** Part names: labels below the domain known to another source. */
    names: nullable(Type.Array(Type.String())),
  }),
})

/** Technical information about a domain. */
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
  title: 'Inspect a domain',
  description:
    'Returns technical information about a domain. overview: registration, DNS, TLS, hosting and email security in ' +
    'brief. whois: registration data. dns: all records, with SPF (includes and lookups counted), DMARC, DKIM, ' +
    'DNSSEC, CAA, MTA-STS, TLS-RPT and BIMI parsed. tech-stack: products detected on the home page, each with its ' +
    'evidence. security: TLS, email security and HTTP headers, weighted into a score from 0 to 100 and a grade from ' +
    'A to F. subdomains: 90 common names looked up in DNS. All data is looked up live and needs no provider account. ' +
    'A part that fails is null, with a remark in metadata.notes; fields of other modes are null. An unregistered ' +
    'name fails with no-result.',
  input: Type.Object({
    domain,
    mode: or(
      {
        ...oneOf('overview', 'whois', 'dns', 'tech-stack', 'security', 'subdomains'),
        description: 'Information to return; overview is a summary.',
      },
      'overview',
    ),
  }),
  output: Type.Object({
    domain: Type.String({ description: 'The inspected name, as A-labels.' }),
    whois: nullable(whoisShape),
    dns: nullable(dnsShape),
    ssl: nullable(sslShape),
    hosting: nullable(hostingShape),
    ...dnsDetails,
    technologies: nullable(Type.Array(technologyShape, { description: 'Mode tech-stack: detected products in order of confidence.' })),
    tls: nullable(tlsDetails),
    grade: nullable({
      ...oneOf('A', 'B', 'C', 'D', 'E', 'F'),
      description: 'Mode security: A from a score of 90, B from 80, C from 70, D from 60, E from 50.',
    }),
    score: nullable(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description: 'Mode security: weight of the passed checks in percent of the weight of all checks.',
      }),
    ),
    checks: nullable(Type.Array(checkShape, { description: 'Mode security: the checks.' })),
    areas: nullable(areasShape),
    graded_url: nullable(Type.String({ description: 'Modes security and tech-stack: URL of the inspected page after redirects.' })),
    subdomains: nullable(Type.Array(subdomainShape, { description: 'Mode subdomains: existing names in alphabetical order.' })),
    total: nullable(Type.Integer({ description: 'Mode subdomains: number of names.' })),
    wildcard: nullable(
      Type.Boolean({
        description: 'Mode subdomains: whether a DNS wildcard answers for every name; names that exist only through it are left out.',
      }),
    ),
  }),
  price: by('mode', { overview: 2, whois: 1, dns: 1, 'tech-stack': 2, security: 2, subdomains: 2 }),
  work: 'light',
  deadline: '30 in mode whois, otherwise 20; at most 30',
  timeoutMs: ({ mode }) => (mode === 'whois' ? 30_000 : 20_000),
  vendors: sitesParts,
  requires: ({ mode }) => (mode === 'whois' ? [registrationFind] : []),
  normalise: (input) => ({ ...input, domain: normalDomain(input.domain) }),
  check: ({ domain: name, mode }) => domainViolations(name, mode),
  examples: [
    { title: 'Overview of a domain', params: { domain: 'example.com' } },
    { title: 'All DNS records and email security', params: { domain: 'example.com', mode: 'dns' } },
    { title: 'Technologies of a site', params: { domain: 'www.example.com', mode: 'tech-stack' } },
    { title: 'Security grade of a domain', params: { domain: 'example.com', mode: 'security' } },
    { title: 'Subdomains of a domain', params: { domain: 'example.com', mode: 'subdomains' } },
  ],
})

export type SitesIntel = Static<typeof sitesIntel.output>
export type PartInput = Static<typeof sitesParts.input>
export type PartOutput = Static<typeof sitesParts.output>
