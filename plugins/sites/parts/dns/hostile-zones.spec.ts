import { expect } from 'chai'
import { encode } from 'dns-packet'
import { tcpServer, type DnsQuery } from '../../../../core/sdk/testkit/index.js'
import { SiteWorld } from '../../../../test/support/site-world.js'
import { needsProgram } from '../../../../test/support/needs.js'
import type { SitesIntel } from '../../contract.js'
import { unlikelyLabels } from '../subdomains/wildcard.js'
import { selectors } from './dkim/selectors.js'

interface Answer {
  readonly data: SitesIntel
  readonly metadata: { readonly notes?: readonly string[] }
}

const STS = { TXT: [['v=STSv1; id=1']] }

/** Names whose queries are answered with 4,000 addresses: by UDP, or as long messages by TCP. */
const CROWDED: ReadonlyMap<string, 'udp' | 'tcp'> = new Map([
  ['crowd.test', 'udp'],
  ['long.test', 'tcp'],
])

/**
 * An answer with so many A records whose names are pointers to the question (RFC 1035 4.1.4), 16 bytes each; for
 * `tcp` names truncated over UDP.
 */
function crowd({ name, by, packet }: DnsQuery, count: number): Buffer {
  const cut = CROWDED.get(name) === 'tcp' && by === 'udp'
  const head = encode({ type: 'response', id: packet.id ?? 0, flags: cut ? 0x0380 : 0x0180, questions: packet.questions ?? [] })
  if (cut) return head
  head.writeUInt16BE(count, 6)
  const records = Array.from({ length: count }, (_, at) => Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 1, 44, 0, 4, 10, 1, at >> 8, at & 255]))
  return Buffer.concat([head, ...records])
}

describe('sites.intel and zones that mean harm', function () {
  this.timeout(60_000)
  let world: SiteWorld

  before(async function () {
    needsProgram(this, 'openssl')
    world = await SiteWorld.start({
      silent: ['_dmarc.mute.test', '_mta-sts.mute.test', 'x._spf.mute.test'],
      instead: (query) => (CROWDED.has(query.name) ? { raw: crowd(query, 4_000) } : undefined),
    })
  })
  after(() => world?.close())

  const ask = async (domain: string, mode = 'dns'): Promise<Answer> => {
    const reply = await world.ask(domain, mode)
    expect(reply.status, reply.text.slice(0, 500)).to.equal(200)
    return reply.json<Answer>()
  }

  it('a zone that has every name has no keys, policies or names by that', async () => {
    const everywhere = { A: ['192.0.2.1'], TXT: [['v=DKIM1; k=rsa; p=MIGf'], ['v=spf1 -all']] }
    world.zones['wild.test'] = everywhere
    const names = world.zones
    for (const label of [...selectors('full'), ...unlikelyLabels('wild.test')]) names[`${label}._domainkey.wild.test`] = everywhere
    names['google._domainkey.wild.test'] = { TXT: [['v=DKIM1; p=']] }
    const { data } = await ask('wild.test')
    expect(data.dkim?.map(({ selector, revoked }) => [selector, revoked])).to.deep.equal([['google', true]])
    expect(data.dns).to.deep.include({ dkim_found: false, dkim_selectors: [] })
  })

  it('thousands of records, texts of 60 KB and aliases that lead in a circle are answers', async () => {
    // As many as fit in a message of 64 KiB without name compression.
    const addresses = Array.from({ length: 2_500 }, (_, place) => `10.0.${String(place >> 8)}.${String(place & 255)}`)
    world.zones['many.test'] = { A: addresses, TXT: [Array.from({ length: 230 }, () => 'x'.repeat(255))] }
    world.zones['_dmarc.many.test'] = { TXT: [['v=DMARC1; p=reject; ', ...Array.from({ length: 200 }, () => 'rua=mailto:;'.repeat(20))]] }
    const { data } = await ask('many.test')
    expect(data.records?.A).to.have.length(2_500)
    expect(data.records?.TXT?.[0]).to.have.length(230 * 255)
    expect(data.dmarc?.problems.length).to.be.lessThan(50)
    world.zones['ring.test'] = { CNAME: ['round.test'] }
    world.zones['round.test'] = { CNAME: ['ring.test'] }
    const ring = await ask('ring.test')
    expect(ring.data.records).to.deep.equal({ CNAME: ['round.test.'] })
  })

  it('an answer of 4,000 records is read, or refused as too long by TCP, in every mode, and nothing it names is connected to', async () => {
    const before = world.connected.length
    const { data } = await ask('crowd.test')
    expect(data.dns?.a_records).to.have.length(4_000)
    expect(data.records?.A).to.have.length(4_000)
    for (const mode of ['overview', 'security', 'tech-stack', 'subdomains']) {
      const reply = await world.ask('crowd.test', mode)
      expect(reply.status, `${mode} ${reply.text.slice(0, 300)}`).to.be.oneOf([200, 422])
    }
    const long = await world.ask('long.test', 'dns')
    expect([long.status, long.text.includes('target-unavailable')]).to.deep.equal([502, true])
    expect(world.connected.slice(before).filter((target) => target.startsWith('10.'))).to.deep.equal([])
  })

  it('an SPF loop is reported and costs few queries', async () => {
    world.zones['loop.test'] = { A: ['192.0.2.1'], TXT: [['v=spf1 include:a.loop.test include:b.loop.test -all']] }
    world.zones['a.loop.test'] = { TXT: [['v=spf1 include:b.loop.test include:loop.test -all']] }
    world.zones['b.loop.test'] = { TXT: [['v=spf1 include:a.loop.test redirect=loop.test']] }
    const before = world.names.queries.length
    const { data } = await ask('loop.test')
    expect(data.spf?.valid).to.equal(false)
    expect(world.names.queries.length - before).to.be.lessThan(200)
  })

  it('T-23 a policy host inside is not connected to', async () => {
    world.zones['inner.test'] = { A: ['10.0.0.1'], MX: [{ preference: 1, exchange: 'mx.inner.test' }] }
    world.zones['mx.inner.test'] = { A: ['127.0.0.1'] }
    world.zones['_mta-sts.inner.test'] = STS
    const before = world.connected.length
    for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254']) {
      world.zones['mta-sts.inner.test'] = { A: [address] }
      const { data } = await ask('inner.test')
      expect(data.records?.A).to.deep.equal(['10.0.0.1'])
      expect(data.mta_sts).to.deep.include({ id: '1', mode: null, mx: [] })
      expect(data.mta_sts?.problems[0]).to.match(/^The policy cannot be fetched/)
    }
    expect(world.connected.slice(before).filter((target) => /^(?:127\.0\.0\.1|10\.|169\.)/.test(target))).to.deep.equal([])
  })

  it('a policy that redirects, is too large or never ends is none, and the rest is there', async () => {
    for (const name of ['hops.test', 'huge.test', 'drip.test']) {
      world.zones[name] = { A: ['192.0.2.1'] }
      world.zones[`_mta-sts.${name}`] = STS
    }
    await world.site(
      'mta-sts.hops.test',
      (_request, response) => void response.writeHead(302, { location: 'https://mta-sts.hops.test/b' }).end(),
    )
    await world.site('mta-sts.huge.test', (_request, response) => void response.writeHead(200).end('mx: a.test\n'.repeat(20_000)))
    const drip = await tcpServer(() => undefined)
    world.at(world.address('mta-sts.drip.test'), 443, drip)
    const answers = await Promise.all(['hops.test', 'huge.test', 'drip.test'].map((name) => ask(name)))
    for (const { data } of answers) {
      expect(data.mta_sts).to.deep.include({ mode: null, mx: [] })
      expect(data.mta_sts?.problems[0]).to.match(/^The policy cannot be fetched/)
      expect(data.records?.A).to.deep.equal(['192.0.2.1'])
    }
    expect(answers[0]?.data.mta_sts?.problems[0]).to.contain('status 302')
  })

  it('what the name servers are silent about is null with a remark, and the rest is there', async () => {
    world.zones['mute.test'] = { A: ['192.0.2.1'], TXT: [['v=spf1 include:x._spf.mute.test -all']] }
    const { data, metadata } = await ask('mute.test')
    expect([data.dmarc, data.dns?.has_dmarc, data.mta_sts]).to.deep.equal([null, null, null])
    expect(data.records?.A).to.deep.equal(['192.0.2.1'])
    expect((metadata.notes ?? []).some((note) => note.startsWith('dmarc: '))).to.equal(true)
  })
})
