import { expect } from 'chai'
import { issued, rdapDomain } from '../../core/sdk/testkit/index.js'
import { SiteWorld } from '../../test/support/site-world.js'
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

describe('sites.intel', function () {
  this.timeout(60_000)
  let world: SiteWorld

  before(async function () {
    if (issued() === null) return this.skip()
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

  it('overview tells registration, DNS, TLS, hosting and e-mail security', async () => {
    const reply = await world.ask('acme.test')
    expect(reply.status, reply.text).to.equal(200)
    const { data, metadata } = reply.json<{ data: SitesIntel; metadata: { notes?: string[] } }>()
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
})
