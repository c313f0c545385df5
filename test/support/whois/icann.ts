import { registrant, registrar, samplesOf, type WhoisFacts, type WhoisSample } from './facts.js'

const REDACTED = 'REDACTED FOR PRIVACY'
const EPP = 'https://icann.org/epp#'
const TERMS = [
  '>>> Last update of WHOIS database: 2026-02-01T08:00:00Z <<<',
  '',
  'For more information on Whois status codes, please visit https://icann.org/epp',
  '',
  'NOTICE: The expiration date displayed in this record is the date the registrar',
  'may renew the registration. Access to this service may be limited when the query',
  'limit exceeded by a client endangers its operation. Data that was not found here',
  'must not be taken for available.',
]

interface Record {
  readonly server: string
  readonly domain: string
  readonly created: string
  readonly updated: string | null
  readonly expires: string
  readonly registrar: string
  readonly iana: string | null
  readonly status: readonly string[]
  readonly ns: readonly string[]
  readonly dnssec: 'unsigned' | 'signedDelegation'
  readonly holder: readonly [key: string, value: string][]
  readonly known: WhoisFacts['registrant']
  readonly whois?: string
  /** Keys of the three dates, where they are others than today's. */
  readonly dates?: readonly [string, string, string]
}

/** The form that ICANN prescribes for generic TLDs, which many country registries use too. */
function record(given: Record): readonly string[] {
  const [created, updated, expires] = given.dates ?? ['Creation Date', 'Updated Date', 'Registry Expiry Date']
  const name = given.registrar
  return [
    `Domain Name: ${given.domain.toUpperCase()}`,
    `Registry Domain ID: 1234567_DOMAIN-${given.domain.split('.').at(-1)?.toUpperCase() ?? ''}`,
    ...(given.whois === undefined ? [] : [`Registrar WHOIS Server: ${given.whois}`]),
    'Registrar URL: http://www.registrar.example',
    ...(given.updated === null ? [] : [`${updated}: ${given.updated}`]),
    `${created}: ${given.created}`,
    `${expires}: ${given.expires}`,
    `Registrar: ${name}`,
    ...(given.iana === null ? [] : [`Registrar IANA ID: ${given.iana}`]),
    'Registrar Abuse Contact Email: abuse@registrar.example',
    'Registrar Abuse Contact Phone: +1.5555550100',
    ...given.status.map((word) => `Domain Status: ${word} ${EPP}${word}`),
    ...given.holder.map(([key, value]) => `Registrant ${key}: ${value}`),
    ...(given.holder.length === 0 ? [] : [`Admin Name: ${REDACTED}`, 'Admin Country: ZZ', `Tech Email: ${REDACTED}`]),
    ...given.ns.map((host) => `Name Server: ${host.toUpperCase()}`),
    `DNSSEC: ${given.dnssec}`,
    'URL of the ICANN Whois Inaccuracy Complaint Form: https://www.icann.org/wicf/',
    ...TERMS,
  ]
}

function knownOf(given: Record): Partial<WhoisFacts> {
  return {
    registrar: registrar(given.registrar, {
      iana_id: given.iana,
      url: 'http://www.registrar.example',
      abuse_email: 'abuse@registrar.example',
      abuse_phone: '+1.5555550100',
    }),
    created: given.created.replace('.0Z', 'Z').replace('.000Z', 'Z'),
    updated: given.updated?.replace('.0Z', 'Z').replace('.000Z', 'Z') ?? null,
    expires: given.expires.replace('.0Z', 'Z').replace('.000Z', 'Z'),
    status: given.status,
    name_servers: given.ns,
    dnssec: given.dnssec === 'signedDelegation',
    registrant: given.known,
  }
}

const hidden: Pick<Record, 'holder' | 'known'> = {
  holder: [
    ['Name', REDACTED],
    ['Organization', REDACTED],
    ['Street', REDACTED],
    ['City', REDACTED],
    ['State/Province', 'Bremen'],
    ['Postal Code', REDACTED],
    ['Country', 'DE'],
    ['Email', 'Please query the RDDS service of the Registrar of Record identified in this output'],
  ],
  known: registrant({ state: 'Bremen', country: 'DE' }),
}
const open: Pick<Record, 'holder' | 'known'> = {
  holder: [
    ['Name', 'Ada Example'],
    ['Organization', 'Example Works Ltd'],
    ['Street', '1 Sample Street'],
    ['City', 'Springfield'],
    ['State/Province', 'OR'],
    ['Country', 'US'],
    ['Phone', '+1.5555550111'],
    ['Email', 'ada@example.com'],
  ],
  known: registrant({ name: 'Ada Example', organization: 'Example Works Ltd', state: 'OR', country: 'US', email: 'ada@example.com' }),
}
const none: Pick<Record, 'holder' | 'known'> = { holder: [], known: null }
const LOCKS = ['clientTransferProhibited', 'clientUpdateProhibited']

/** Verisign's registries and a registrar they refer to. */
function thin(): WhoisSample[] {
  return (
    [
      ['whois.verisign-grs.com', 'acme.com'],
      ['whois.verisign-grs.com', 'acme.net'],
      ['ccwhois.verisign-grs.com', 'acme.cc'],
    ] as const
  ).flatMap(([server, domain]) => {
    const of = samplesOf(server, domain)
    const given: Record = {
      server,
      domain,
      created: '1997-03-04T05:00:00Z',
      updated: '2025-03-05T09:10:11Z',
      expires: '2027-03-05T05:00:00Z',
      registrar: 'Example Registrar, Inc.',
      iana: '9990',
      status: [...LOCKS, 'serverDeleteProhibited'],
      ns: ['ns1.acme.example', 'ns2.acme.example'],
      dnssec: 'unsigned',
      ...none,
      whois: 'whois.registrar.example',
    }
    return [
      of.registered('thin record', ['   ', ...record(given).map((line) => `   ${line}`)], knownOf(given), 'whois.registrar.example'),
      of.free(`No match for domain "${domain.toUpperCase()}".`, ...TERMS),
      of.busy('WHOIS LIMIT EXCEEDED - SEE WWW.REGISTRY.EXAMPLE/WHOIS FOR DETAILS'),
    ]
  })
}

function ofRegistrar(): WhoisSample[] {
  const of = samplesOf('whois.registrar.example', 'acme.com')
  const given: Record = {
    server: 'whois.registrar.example',
    domain: 'acme.com',
    created: '1997-03-04T05:00:00.0Z',
    updated: '2025-03-05T04:10:11.0Z',
    expires: '2027-03-05T05:00:00.0Z',
    registrar: 'Example Registrar, Inc.',
    iana: '9990',
    status: LOCKS,
    ns: ['ns1.acme.example', 'ns2.acme.example'],
    dnssec: 'unsigned',
    ...open,
    whois: 'whois.registrar.example',
    dates: ['Creation Date', 'Updated Date', 'Registrar Registration Expiration Date'],
  }
  return [of.registered('full record', record(given), knownOf(given), 'whois.registrar.example'), of.free('Domain not found.')]
}

const COUNTRY: readonly (readonly [
  server: string,
  domain: string,
  free: readonly string[],
  busy: readonly string[],
  kind: 'open' | 'hidden',
])[] = [
  ['whois.pir.org', 'acme.org', ['Domain not found.'], ['WHOIS LIMIT EXCEEDED - SEE WWW.PIR.ORG/WHOIS FOR DETAILS'], 'hidden'],
  ['whois.nic.us', 'acme.us', ['No Data Found', ...TERMS], ['Number of allowed queries exceeded.'], 'open'],
  ['whois.nic.biz', 'acme.biz', ['No Data Found', ...TERMS], ['Number of allowed queries exceeded.'], 'hidden'],
  [
    'whois.registry.co',
    'acme.co',
    ['The queried object does not exist: no matching objects found', ...TERMS],
    ['Number of allowed queries exceeded.'],
    'hidden',
  ],
  [
    'whois.nic.io',
    'acme.io',
    ['Domain not found.', ...TERMS],
    ['Your connection limit exceeded. Please slow down and try again later.'],
    'hidden',
  ],
  [
    'whois.nic.me',
    'acme.me',
    ['Domain not found.', ...TERMS],
    ['Your connection limit exceeded. Please slow down and try again later.'],
    'hidden',
  ],
  ['whois.nic.ai', 'acme.ai', ['Domain not found.', ...TERMS], ['Rate limit exceeded.'], 'open'],
  ['whois.nic.tv', 'acme.tv', ['No Data Found', ...TERMS], ['Number of allowed queries exceeded.'], 'hidden'],
  ['whois.nixiregistry.in', 'acme.in', ['No Data Found', ...TERMS], ['Number of allowed queries exceeded.'], 'hidden'],
  ['whois.nic.google', 'acme.app', ['Domain not found.', ...TERMS], ['Quota exceeded, please try again later.'], 'hidden'],
  [
    'whois.nic.xyz',
    'acme.xyz',
    ['The queried object does not exist: DOMAIN NOT FOUND', ...TERMS],
    ['You have exceeded your query limit.'],
    'hidden',
  ],
  ['whois.nic.tel', 'acme.tel', ['No Data Found', ...TERMS], ['Server too busy, try again later.'], 'open'],
  [
    'whois.registry.net.za',
    'acme.co.za',
    ['Available', 'Domain: acme.co.za'],
    ['You have reached your maximum query rate.', 'Maximum query rate reached'],
    'hidden',
  ],
  ['whois.irs.net.nz', 'acme.co.nz', ['Not found: acme.co.nz', ...TERMS], ['Query limit exceeded.'], 'open'],
  ['whois.sgnic.sg', 'acme.sg', ['Domain Not Found', ...TERMS], ['You have exceeded your query limit.'], 'hidden'],
]

function thick(): WhoisSample[] {
  return COUNTRY.flatMap(([server, domain, free, busy, kind], at) => {
    const of = samplesOf(server, domain)
    const two = (number: number): string => String(number).padStart(2, '0')
    const given: Record = {
      server,
      domain,
      created: `${String(1998 + at)}-${two(1 + (at % 12))}-${two(2 + at)}T0${String(at % 9)}:15:30${at % 2 === 0 ? 'Z' : '.0Z'}`,
      updated: at === 3 ? null : `2025-${two(12 - (at % 12))}-0${String(1 + (at % 8))}T23:59:59Z`,
      expires: `2028-${two(1 + (at % 12))}-${two(2 + at)}T0${String(at % 9)}:15:30Z`,
      registrar: at % 3 === 0 ? 'Example: Names & Hosting GmbH' : 'Sample Domains Ltd',
      iana: at % 5 === 0 ? null : String(9000 + at),
      status: at % 4 === 0 ? ['ok'] : [...LOCKS, ...(at % 4 === 1 ? ['autoRenewPeriod'] : [])],
      ns: [`ns1.${domain}`, 'dns.host.example', ...(at % 3 === 0 ? ['ns3.host.example'] : [])],
      dnssec: at % 2 === 0 ? 'signedDelegation' : 'unsigned',
      ...(kind === 'open' ? open : hidden),
    }
    return [of.registered('record', record(given), knownOf(given)), of.free(...free), of.busy(...busy)]
  })
}

/** Other forms of a name that nobody has, names that nobody may have, and answers that say nothing. */
function otherwise(): WhoisSample[] {
  return [
    samplesOf('whois.nic.af', 'acme.af').free('Domain Name: acme.af', 'Domain Status: No Object Found', ...TERMS),
    samplesOf('whois.je', 'acme.je').free('Domain Information', 'Query: acme.je', 'Status: Not Registered'),
    samplesOf('whois.nic.ac', 'acme.ac').free('Domain acme.ac is available for purchase', ...TERMS),
    samplesOf('whois.nic.pr', 'acme.pr').free('The domain acme.pr is not registered.'),
    samplesOf('whois.ksregistry.net', 'acme.archi').free('acme.archi not found...', ...TERMS),
    samplesOf('whois.nic.us', 'reserved.us').reserved('Reserved by Registry', ...TERMS),
    samplesOf('whois.nic.xyz', 'blocked.xyz').reserved('This name is reserved by the Registry in accordance with ICANN Policy.', ...TERMS),
    samplesOf('whois.nic.io', 'blocked.io').reserved(
      'This name is not available for registration:',
      'This name subscribes to the Domains Protected Marks List (DPML).',
    ),
    samplesOf('whois.pir.org', 'a_b.org').unclear('a name it does not take', 'Malformed request.'),
    samplesOf('whois.pir.org', 'acme.org').unclear('terms alone', ...TERMS),
    samplesOf('whois.verisign-grs.com', 'acme.com').unclear(
      'the record of a name server',
      '   Server Name: NS1.ACME.COM.EVIL.EXAMPLE',
      '   IP Address: 192.0.2.1',
      '   Registrar: Example Registrar, Inc.',
    ),
    samplesOf('whois.registry.co', 'acme.co').unclear(
      'the record of another name',
      'Domain Name: OTHER.CO',
      'Creation Date: 2001-02-03T04:05:06Z',
      'Registrar: Example Registrar, Inc.',
    ),
    samplesOf('whois.nic.me', 'acme.me').unclear('maintenance', 'The service is being maintained.', 'Please come back on Sunday.'),
    { ...samplesOf('whois.nic.io', 'acme.io').unclear('no word'), text: '', is: 'busy' },
    { ...samplesOf('whois.nic.io', 'acme.io').unclear('blank lines'), text: '\r\n \r\n', is: 'busy' },
  ]
}

/** Answers in ICANN's form: generic TLDs, and countries whose registries use it. */
export function icannSamples(): WhoisSample[] {
  return [...thin(), ...ofRegistrar(), ...thick(), ...otherwise()]
}
