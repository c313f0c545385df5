import { expect } from 'chai'
import { httpServer, rdapDomain } from '../../core/sdk/testkit/index.js'
import { SiteWorld } from '../../test/support/site-world.js'
import { needsProgram } from '../../test/support/needs.js'
import type { SitesIntel } from './contract.js'

const EVENTS = [
  { eventAction: 'registration', eventDate: '2009-01-02T03:04:05Z' },
  { eventAction: 'expiration', eventDate: '2029-01-02T03:04:05Z' },
  { eventAction: 'last changed', eventDate: '2026-01-02T00:00:00Z' },
]
const RECORD = {
  status: ['client transfer prohibited'],
  events: EVENTS,
  nameservers: [{ objectClassName: 'nameserver', ldhName: 'ADA.NS.CLOUDFLARE.COM' }],
  secureDNS: { delegationSigned: true },
  entities: [{ roles: ['registrar'], vcardArray: ['vcard', [['fn', {}, 'text', 'Example Registrar']]] }],
}

const SAFE = {
  'content-type': 'text/html',
  'strict-transport-security': 'max-age=63072000; includeSubDomains; preload',
  'content-security-policy': "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
}

interface Answer {
  readonly data: SitesIntel
  readonly metadata: { readonly notes?: readonly string[]; readonly provider_used: string | null }
}

describe('sites.intel', function () {
  this.timeout(60_000)
  let world: SiteWorld

  before(async function () {
    needsProgram(this, 'openssl')
    world = await SiteWorld.start({
      zones: {
        'acme.test': {
          NS: ['ada.ns.cloudflare.com'],
          MX: [{ preference: 10, exchange: 'aspmx.l.google.com' }],
          TXT: [['v=spf1 include:_spf.google.com -all']],
        },
        '_dmarc.acme.test': { TXT: [['v=DMARC1; p=reject']] },
        'google._domainkey.acme.test': { TXT: [['v=DKIM1; k=rsa; p=MIGf']] },
      },
    })
    await world.rdap({ domains: { 'acme.test': rdapDomain('acme.test', RECORD) } })
    await world.site('acme.test', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', server: 'nginx/1.25.3' }).end('<title>Acme</title>')
    })
    const address = String(world.zones['acme.test']?.A?.[0]).split('.').reverse().join('.')
    world.zones[`${address}.origin.asn.cymru.com`] = { TXT: [['24940 | 127.0.2.0/24 | DE | ripencc | 2010-01-02']] }
    world.zones['AS24940.asn.cymru.com'.toLowerCase()] = {
      TXT: [['24940 | DE | ripencc | 2002-06-03 | HETZNER-AS - Hetzner Online GmbH, DE']],
    }
  })
  after(() => world?.close())

  it('N10 a suffix with a site of its own is looked into, and only mode whois refuses it', async () => {
    await world.site('nhs.uk', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', server: 'nginx/1.25.3' }).end('<title>Health</title>')
    })
    for (const mode of ['dns', 'security', 'tech-stack', 'subdomains', 'overview']) {
      const reply = await world.ask('nhs.uk', mode)
      expect(reply.status, `${mode}: ${reply.text}`).to.equal(200)
      expect(reply.json<Answer>().data.domain).to.equal('nhs.uk')
      expect(reply.json<Answer>().data.whois).to.equal(null)
    }
    const refused = await world.ask('nhs.uk', 'whois')
    expect([refused.status, refused.text]).to.satisfy(
      ([status, text]: [number, string]) => status === 422 && text.includes('is a suffix below which'),
    )
  })

  it('overview tells registration, DNS, TLS, hosting and e-mail security', async () => {
    const reply = await world.ask('acme.test')
    expect(reply.status, reply.text).to.equal(200)
    const { data, metadata } = reply.json<Answer>()
    expect(data.whois).to.deep.equal({
      created: '2009-01-02T03:04:05Z',
      expires: '2029-01-02T03:04:05Z',
      updated: '2026-01-02T00:00:00Z',
      registrar: 'Example Registrar',
      nameservers: ['ada.ns.cloudflare.com'],
      status: ['clientTransferProhibited'],
      dnssec: true,
      source: 'rdap',
    })
    expect(data.dns).to.deep.equal({
      provider: 'Cloudflare',
      a_records: world.zones['acme.test']?.A,
      mx_records: [{ priority: 10, host: 'aspmx.l.google.com' }],
      email_provider: 'Google Workspace',
      has_spf: true,
      spf_record: 'v=spf1 include:_spf.google.com -all',
      has_dmarc: true,
      dmarc_policy: 'reject',
      dkim_found: true,
      dkim_selectors: [{ selector: 'google', preview: 'v=DKIM1; k=rsa; p=MIGf' }],
    })
    expect(data.ssl).to.deep.include({ issuer: 'Test root', days_until_expiry: 29, protocol: 'TLSv1.3' })
    expect(data.hosting).to.deep.equal({
      provider: 'Hetzner',
      confidence: 'high',
      ip: world.zones['acme.test']?.A?.[0],
      asn: 'AS24940',
      asn_org: 'Hetzner Online GmbH',
      country: 'DE',
      city: null,
    })
    expect(data).to.deep.include({ technologies: null, grade: null, checks: null, subdomains: null, total: null, records: null })
    expect(metadata.notes ?? []).to.deep.equal([])
  })

  it('security weighs TLS, e-mail and headers, and says which host was graded', async () => {
    await world.site('www.safe.test', (_request, response) => response.writeHead(200, SAFE).end('<title>Safe</title>'))
    await world.site('safe.test', (_request, response) => response.writeHead(301, { location: 'https://www.safe.test/' }).end())
    Object.assign(world.zones['safe.test'] ?? {}, { TXT: [['v=spf1 -all']] })
    world.zones['_dmarc.safe.test'] = { TXT: [['v=DMARC1; p=reject']] }
    const reply = await world.ask('safe.test', 'security')
    expect(reply.status, reply.text).to.equal(200)
    const { data, metadata } = reply.json<Answer>()
    const failed = data.checks?.filter(({ passed, id }) => !passed && !id.startsWith('email.')).map(({ id }) => id)
    expect(failed).to.deep.equal([])
    expect(data.areas?.headers).to.deep.equal({ grade: 'A', score: 100 })
    expect(data.areas?.tls).to.deep.equal({ grade: 'A', score: 100 })
    expect(data.tls?.versions).to.include({ 'TLSv1.3': 'accepted', TLSv1: 'refused' })
    expect(data.tls?.chain[0]).to.include({ issuer: 'Test root', key_type: 'ec', key_bits: 256 })
    expect(data.graded_url).to.equal('https://www.safe.test/')
    expect(data.score).to.be.within(80, 100)
    expect(metadata.notes).to.include('The host that was looked at is www.safe.test, to which safe.test redirects.')
  })

  it('an untrusted certificate is reported, not refused, and keeps the grade at F', async () => {
    await world.site('own.test', (_request, response) => response.writeHead(200, SAFE).end('<title>Own</title>'), { certificate: 'own' })
    const graded = (await world.ask('own.test', 'security')).json<Answer>()
    expect(graded.data).to.include({ grade: 'F', score: 49, graded_url: 'https://own.test/' })
    expect(graded.data.tls).to.include({ trusted: false })
    expect(graded.metadata.notes?.join(' ')).to.match(/The page was read although the certificate of the address is not trusted: [A-Z_]+\./)
    const { data, metadata } = (await world.ask('own.test')).json<Answer>()
    expect(data.ssl).to.deep.include({ issuer: 'Test root', days_until_expiry: 29 })
    expect(metadata.notes?.join(' ')).to.match(/ssl: The certificate is not trusted: [A-Z_]+\./)
  })

  const distrusted: readonly (readonly [name: string, reason: string, options: Parameters<SiteWorld['site']>[2]])[] = [
    ['ended.test', 'CERT_HAS_EXPIRED', { days: -1 }],
    ['named.test', 'ERR_TLS_CERT_ALTNAME_INVALID', { names: ['other.test'] }],
    ['common.test', 'ERR_TLS_CERT_ALTNAME_INVALID', { alternatives: false }],
    ['ownroot.test', 'SELF_SIGNED_CERT_IN_CHAIN', { certificate: 'own' }],
    ['leaf.test', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', { certificate: 'own', whole: false }],
  ]
  for (const [name, reason, options] of distrusted)
    it(`N4 N11 the page of ${name} is read and graded F, and the answer says that its certificate is not trusted: ${reason}`, async () => {
      await world.site(name, (_request, response) => response.writeHead(200, { ...SAFE, server: 'nginx/1.25.3' }).end('<p>x</p>'), options)
      const graded = (await world.ask(name, 'security')).json<Answer>()
      expect(graded.data).to.include({ grade: 'F', graded_url: `https://${name}/` })
      expect(graded.data.score).to.be.within(1, 49)
      expect(graded.data.tls).to.include({ trusted: false, trust_error: reason })
      expect(graded.data.checks?.find(({ id }) => id === 'tls.trusted')).to.include({ passed: false })
      expect(graded.data.areas?.headers).to.include({ grade: 'A' })
      expect(graded.metadata.notes?.join(' ')).not.to.contain('could not be checked')
      const stack = await world.ask(name, 'tech-stack')
      expect(stack.status, stack.text).to.equal(200)
      const { data, metadata } = stack.json<Answer>()
      expect(data.technologies?.map(({ name: product }) => product)).to.deep.equal(['nginx'])
      expect(metadata.notes).to.deep.equal([`The page was read although the certificate of the address is not trusted: ${reason}.`])
    })

  it('N4 a host with a good certificate that redirects to one without is graded F too', async () => {
    await world.site('bad.test', (_request, response) => response.writeHead(200, SAFE).end('x'), { certificate: 'own' })
    await world.site('good.test', (_request, response) => response.writeHead(301, { location: 'https://bad.test/' }).end())
    const { data } = (await world.ask('good.test', 'security')).json<Answer>()
    expect(data).to.include({ grade: 'F', score: 49, graded_url: 'https://bad.test/' })
    expect(data.tls).to.include({ trusted: true })
    expect(data.checks?.find(({ id }) => id === 'tls.trusted')?.detail).to.match(/^The page of bad\.test was read although/)
  })

  it('tech-stack tells products with their evidence', async () => {
    await world.site('shop.test', (_request, response) => {
      const headers = { 'content-type': 'text/html', server: 'nginx/1.25.3', 'set-cookie': ['_shopify_y=1; path=/', 'a=b'] }
      response.writeHead(200, headers).end('<script src="//shop.test/cdn/shop/t/2/assets/global.js"></script>')
    })
    const { data, metadata } = (await world.ask('shop.test', 'tech-stack')).json<Answer>()
    expect(data.technologies).to.deep.equal([
      { name: 'nginx', category: 'web server', version: '1.25.3', confidence: 'high', evidence: ['header server: nginx/1.25.3'] },
      {
        name: 'Shopify',
        category: 'shop',
        version: null,
        confidence: 'high',
        evidence: ['cookie _shopify_y', 'address //shop.test/cdn/shop/t/2/assets/global.js'],
      },
    ])
    expect(data).to.deep.include({ graded_url: 'https://shop.test/', whois: null, dns: null, grade: null, subdomains: null })
    expect(metadata.provider_used).to.equal('local')
  })

  it('whois of an unregistered name is no result, and so is an overview of one that is not in DNS either', async () => {
    for (const mode of ['whois', 'overview']) {
      const reply = await world.ask('unknown.test', mode)
      expect(reply.status, reply.text).to.equal(422)
      expect(reply.text).to.contain('no-result')
      expect(reply.headers['x-credits-used']).to.equal('0')
    }
  })

  it('a part that fails is null with a remark, and does not fail the rest', async () => {
    world.zones['mail.test'] = { A: ['127.0.2.250'], MX: [{ preference: 0, exchange: '.' }] }
    const reply = await world.ask('mail.test')
    expect(reply.status, reply.text).to.equal(200)
    const { data, metadata } = reply.json<Answer>()
    expect(data).to.deep.include({ whois: null, ssl: null })
    expect(data.dns).to.deep.include({ email_provider: null, has_spf: false, has_dmarc: false, dmarc_policy: null })
    const notes = metadata.notes?.join(' ') ?? ''
    expect(notes).to.include('whois: mail.test is not registered.').and.include('ssl: ')
  })

  it('a page of more than 256 KiB is read up to there, one of more than 2 MiB by its headers alone', async () => {
    const late = `${'<p>x</p>'.repeat(40_000)}<script src="https://js.stripe.com/v3/"></script>`
    const sizes: Record<string, string> = { '/': late }
    await world.site('long.test', (request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', server: 'nginx' })
      response.end(request.method === 'HEAD' ? undefined : sizes['/'])
    })
    const names = async () => (await world.ask('long.test', 'tech-stack')).json<Answer>().data.technologies?.map(({ name }) => name)
    expect(await names()).to.deep.equal(['nginx'])
    sizes['/'] = `<script src="https://js.stripe.com/v3/"></script>${'x'.repeat(3_000_000)}`
    expect(await names()).to.deep.equal(['nginx'])
  })

  it('name servers with their own names are recognised by their network', async () => {
    await world.site('vanity.test', (_request, response) => response.end('x'))
    world.zones['vanity.test'] = { ...world.zones['vanity.test'], NS: ['ns1.vanity.test'] }
    world.zones['ns1.vanity.test'] = { A: world.zones['acme.test']?.A ?? [] }
    expect((await world.ask('vanity.test', 'dns')).json<Answer>().data.dns?.provider).to.equal('Hetzner')
  })

  it('an address that no list of networks has is looked up at its registry, which is queried once', async () => {
    const asked: string[] = []
    const record = { objectClassName: 'ip network', name: 'EXAMPLE-NET', country: 'FR', entities: [] }
    const registry = await httpServer((request, response) => {
      asked.push(request.url ?? '')
      const list = { version: '1.0', services: [[['127.0.0.0/8'], ['http://addresses.test/rdap']]] }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(request.url === '/ipv4.json' ? list : record))
    }, world.address('addresses.test'))
    world.at(registry.host, 80, registry)
    const other = await SiteWorld.start({ zones: world.zones, env: { CAPSTAN_RDAP_BOOTSTRAP: 'http://addresses.test/dns.json' } })
    other.at(registry.host, 80, { port: registry.port, close: () => Promise.resolve() })
    try {
      other.zones['plain.test'] = { A: ['127.0.2.249'] }
      for (let time = 0; time < 2; time++) {
        const { data } = (await other.ask('plain.test')).json<Answer>()
        expect(data.hosting).to.deep.include({
          provider: 'EXAMPLE-NET',
          asn_org: 'EXAMPLE-NET',
          confidence: 'low',
          asn: null,
          country: 'FR',
        })
      }
      expect(asked.filter((path) => path !== '/dns.json')).to.deep.equal(['/ipv4.json', '/rdap/ip/127.0.2.249'])
    } finally {
      await other.close()
    }
  })
})
