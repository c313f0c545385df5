import { createHash, generateKeyPairSync } from 'node:crypto'
import { expect } from 'chai'
import { SiteWorld } from '../../../../test/support/site-world.js'
import { needsProgram } from '../../../../test/support/needs.js'
import type { SitesIntel } from '../../contract.js'

interface Answer {
  readonly data: SitesIntel
  readonly metadata: { readonly notes?: readonly string[] }
}

const POLICY = 'version: STSv1\nmode: enforce\nmx: *.acme.test\nmax_age: 604800\n'
const KEY = Buffer.from('a key of the zone, not one that signs')

/** A DS record for a key of flags 257 and algorithm 13 (RFC 4034 5.1.4 and appendix B). */
function delegation(zone: string, key: Buffer) {
  const data = Buffer.concat([Buffer.from([1, 1, 3, 13]), key])
  const owner = Buffer.concat([...zone.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]), Buffer.from([0])])
  const sum = data.reduce((total, byte, place) => total + (place % 2 === 0 ? byte << 8 : byte), 0)
  const digest = createHash('sha256').update(owner).update(data).digest()
  return { keyTag: (sum + Math.floor(sum / 0x1_0000)) & 0xffff, algorithm: 13, digestType: 2, digest }
}

function publicKey(): string {
  return generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
}

describe('sites.intel, mode dns', function () {
  this.timeout(60_000)
  let world: SiteWorld
  const key = publicKey()

  before(async function () {
    needsProgram(this, 'openssl')
    world = await SiteWorld.start({
      ad: true,
      zones: {
        'acme.test': {
          A: ['192.0.2.10', '127.0.0.1'],
          AAAA: ['2001:db8::10'],
          NS: ['ns1.he.net', 'ns2.he.net'],
          MX: [
            { preference: 20, exchange: 'Backup.acme.test' },
            { preference: 10, exchange: 'mx1.acme.test' },
          ],
          SOA: [{ mname: 'ns1.he.net', rname: 'hostmaster.acme.test', serial: 7, refresh: 1, retry: 2, expire: 3, minimum: 4 }],
          TXT: [['v=spf1 include:_spf.acme.test ', '-all'], ['site-verification=1']],
          CAA: [{ flags: 128, tag: 'issue', value: 'ca.test' }],
        },
        '_spf.acme.test': { TXT: [['v=spf1 ip4:192.0.2.0/24 mx:acme.test ~all']] },
        '_dmarc.acme.test': { TXT: [['v=DMARC1; p=quarantine; sp=reject; pct=50; rua=mailto:a@acme.test,mailto:b@reports.test']] },
        'selector1._domainkey.acme.test': { CNAME: ['selector1-acme-test._domainkey.acme.onmicrosoft.com'] },
        'selector1-acme-test._domainkey.acme.onmicrosoft.com': { TXT: [[`v=DKIM1; k=rsa; t=y; p=${key.slice(0, 200)}`, key.slice(200)]] },
        'fm1._domainkey.acme.test': { TXT: [['v=DKIM1; p=']] },
        '_mta-sts.acme.test': { TXT: [['v=STSv1; id=20260101T000000']] },
        '_smtp._tls.acme.test': { TXT: [['v=TLSRPTv1; rua=mailto:tls@acme.test']] },
        'default._bimi.acme.test': { TXT: [['v=BIMI1; l=https://acme.test/logo.svg; a=']] },
        '_sip._tcp.acme.test': { SRV: [{ priority: 1, weight: 2, port: 5060, target: 'sip.acme.test' }] },
      },
    })
    const pin = (certificate: string) => ({
      TLSA: [{ usage: 3, selector: 1, matchingType: 1, certificate: Buffer.from(certificate, 'hex') }],
    })
    Object.assign(world.zones['acme.test'] ?? {}, {
      DNSKEY: [{ flags: 257, algorithm: 13, key: KEY }],
      DS: [delegation('acme.test', KEY)],
    })
    Object.assign(world.zones, { '_443._tcp.acme.test': pin('ab12'), '_25._tcp.mx1.acme.test': pin('cd34') })
    await world.site(
      'mta-sts.acme.test',
      (_request, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(POLICY),
    )
  })
  after(() => world?.close())

  const ask = async (domain: string, mode = 'dns'): Promise<Answer> => {
    const reply = await world.ask(domain, mode)
    expect(reply.status, reply.text).to.equal(200)
    return reply.json<Answer>()
  }

  it('N12 what holds for names below a subdomain is said by the organisational domain, whatever the record of the subdomain says', async () => {
    const cases = [
      ['one.test', 'v=DMARC1; p=quarantine; rua=mailto:d@one.test', 'v=DMARC1; p=reject; sp=none', 'quarantine', true],
      ['two.test', 'v=DMARC1; p=none; sp=reject; rua=mailto:d@two.test', 'v=DMARC1; p=quarantine', 'reject', false],
      ['three.test', null, 'v=DMARC1; p=reject; sp=quarantine', null, true],
    ] as const
    for (const [domain, above, own, below, remark] of cases) {
      Object.assign(world.zones, {
        [domain]: { A: ['192.0.2.10'] },
        [`mail.${domain}`]: { A: ['192.0.2.10'] },
        [`_dmarc.mail.${domain}`]: { TXT: [[own]] },
        ...(above === null ? {} : { [`_dmarc.${domain}`]: { TXT: [[above]] } }),
      })
      const { data } = await ask(`mail.${domain}`)
      const policy = /p=(\w+)/.exec(own)?.[1]
      expect(data.dmarc, domain).to.deep.include({ domain: `mail.${domain}`, policy, subdomain_policy: below })
      expect(
        data.dmarc?.problems.some((problem) => problem.startsWith('The tag sp has no effect here')),
        domain,
      ).to.equal(remark)
    }
  })

  it('tells all records as a zone file has them', async () => {
    const { data, metadata } = await ask('acme.test')
    const signed = delegation('acme.test', KEY)
    expect(data.records).to.deep.equal({
      A: ['127.0.0.1', '192.0.2.10'],
      AAAA: ['2001:db8::10'],
      CAA: ['128 issue "ca.test"'],
      DNSKEY: [`257 3 13 ${KEY.toString('base64')}`],
      DS: [`${String(signed.keyTag)} 13 2 ${signed.digest.toString('hex')}`],
      MX: ['10 mx1.acme.test.', '20 Backup.acme.test.'],
      NS: ['ns1.he.net.', 'ns2.he.net.'],
      SOA: ['ns1.he.net. hostmaster.acme.test. 7 1 2 3 4'],
      SRV: ['_sip._tcp.acme.test. 1 2 5060 sip.acme.test.'],
      TLSA: ['_25._tcp.mx1.acme.test. 3 1 1 cd34', '_443._tcp.acme.test. 3 1 1 ab12'],
      TXT: ['site-verification=1', 'v=spf1 include:_spf.acme.test -all'],
    })
    expect(metadata.notes ?? []).to.deep.equal([])
  })

  it('reads e-mail security and DNSSEC', async () => {
    const { data } = await ask('acme.test')
    const record = `v=DKIM1; k=rsa; t=y; p=${key}`
    expect(data.dns).to.deep.equal({
      provider: 'Hurricane Electric',
      a_records: ['192.0.2.10', '127.0.0.1'],
      mx_records: [
        { priority: 10, host: 'mx1.acme.test' },
        { priority: 20, host: 'backup.acme.test' },
      ],
      email_provider: null,
      has_spf: true,
      spf_record: 'v=spf1 include:_spf.acme.test -all',
      has_dmarc: true,
      dmarc_policy: 'quarantine',
      dkim_found: true,
      dkim_selectors: [{ selector: 'selector1', preview: record.slice(0, 80) }],
    })
    expect(data.spf).to.deep.include({ valid: true, all: '-all', lookups: 2, void_lookups: 0, problems: [] })
    expect(data.spf?.includes).to.deep.equal([{ domain: '_spf.acme.test', depth: 1, record: 'v=spf1 ip4:192.0.2.0/24 mx:acme.test ~all' }])
    expect(data.dmarc).to.deep.include({ domain: 'acme.test', policy: 'quarantine', subdomain_policy: 'reject', percent: 50 })
    expect(data.dmarc?.problems).to.deep.equal(['reports.test does not say that it takes reports on acme.test, so none are sent there.'])
    expect(
      data.dkim?.map(({ selector, key_type, key_bits, testing, revoked, alias }) => ({
        selector,
        key_type,
        key_bits,
        testing,
        revoked,
        alias,
      })),
    ).to.deep.equal([
      {
        selector: 'selector1',
        key_type: 'rsa',
        key_bits: 2_048,
        testing: true,
        revoked: false,
        alias: 'selector1-acme-test._domainkey.acme.onmicrosoft.com',
      },
      { selector: 'fm1', key_type: 'rsa', key_bits: null, testing: false, revoked: true, alias: null },
    ])
    expect(data.dnssec).to.deep.equal({
      signed: true,
      delegated: true,
      authenticated: true,
      matches: true,
      bogus: false,
      algorithms: ['ECDSAP256SHA256'],
      problems: [],
    })
    expect(data.caa).to.deep.equal([{ flags: 128, tag: 'issue', value: 'ca.test' }])
    expect(data.mta_sts).to.deep.equal({ id: '20260101T000000', mode: 'enforce', mx: ['*.acme.test'], max_age: 604_800, problems: [] })
    expect(data.tls_rpt).to.deep.equal({ record: 'v=TLSRPTv1; rua=mailto:tls@acme.test', reports: ['mailto:tls@acme.test'], problems: [] })
    expect(data.bimi).to.deep.include({ logo_url: 'https://acme.test/logo.svg', certificate_url: null, problems: [] })
  })

  it('a name below another has the policies of that one', async () => {
    world.zones['www.acme.test'] = { A: ['192.0.2.11'] }
    const { data } = await ask('www.acme.test')
    expect(data.dmarc).to.deep.include({ domain: 'acme.test', policy: 'reject' })
    expect(data.dns).to.deep.include({ dmarc_policy: 'reject', has_spf: false })
    expect([data.spf, data.caa?.length, data.bimi?.logo_url]).to.deep.equal([null, 1, 'https://acme.test/logo.svg'])
  })

  it('overview asks for ten selectors, dns for all', async () => {
    world.zones['bare.test'] = { A: ['192.0.2.12'] }
    const keysAsked = () => world.names.queries.filter(({ name }) => name.endsWith('._domainkey.bare.test')).length
    await ask('bare.test', 'overview')
    expect(keysAsked()).to.equal(11)
    await ask('bare.test')
    expect(keysAsked()).to.be.at.least(11 + 68)
  })

  it('a name without a zone is no result', async () => {
    expect((await world.ask('nobody.test', 'dns')).text).to.contain('no-result')
  })
})
