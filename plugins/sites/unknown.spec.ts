import { expect } from 'chai'
import { tcpServer } from '../../core/sdk/testkit/index.js'
import { SiteWorld } from '../../test/support/site-world.js'
import { needsProgram } from '../../test/support/needs.js'
import type { SitesIntel } from './contract.js'

interface Answer {
  readonly data: SitesIntel
  readonly metadata: { readonly notes?: readonly string[] }
}

const SERVFAIL = 2
const page = (_request: unknown, response: { end(text: string): unknown }): void => void response.end('<title>Acme</title>')

describe('sites.intel and what is not known', function () {
  this.timeout(60_000)
  let world: SiteWorld

  before(async function () {
    needsProgram(this, 'openssl')
    world = await SiteWorld.start({
      silent: ['_smtp._tls.mute.test', '_mta-sts.mute.test', '_dmarc.mute.test', 'default._bimi.mute.test'],
      instead: ({ name, type, packet }) => {
        if (/(?:^|\.)bogus\.test$/.test(name) && packet.flag_cd !== true) return { rcode: SERVFAIL }
        if (/(?:^|\.)broken\.test$/.test(name)) return { rcode: SERVFAIL }
        if (name === 'mailless.test' && type === 'MX') return []
        if (name === 'keyless.test' && ['DNSKEY', 'CAA', 'TXT', 'NS'].includes(type)) return []
        return undefined
      },
    })
    await world.rdap({})
  })
  after(() => world?.close())

  const ask = async (domain: string, mode: string): Promise<Answer> => {
    const reply = await world.ask(domain, mode)
    expect(reply.status, reply.text.slice(0, 500)).to.equal(200)
    return reply.json<Answer>()
  }
  const check = ({ data }: Answer, id: string) => data.checks?.find((each) => each.id === id)
  const notes = ({ metadata }: Answer): string => (metadata.notes ?? []).join('\n')

  it('plain http that refuses the connection or is silent is not answered, which passes', async () => {
    await world.site('refused.test', page)
    world.at(world.zones['refused.test']?.A?.[0] as string, 80, { port: 1, close: () => Promise.resolve() })
    await world.site('silent.test', page)
    const address = world.zones['silent.test']?.A?.[0] as string
    world.at(address, 80, await tcpServer(() => undefined, address))
    for (const name of ['refused.test', 'silent.test'])
      expect(check(await ask(name, 'security'), 'tls.redirect')).to.include({ passed: true, detail: 'Plain http is not answered.' })
  })

  it('plain http that breaks off, or answers what is none, is not known: it counts neither way, and a note says so', async () => {
    const odd: readonly (readonly [string, string])[] = [
      ['cut.test', ''],
      ['noise.test', 'SSH-2.0-OpenSSH_9\r\n'],
      ['heads.test', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`],
    ]
    for (const [name, text] of odd) {
      await world.site(name, page)
      const address = world.zones[name]?.A?.[0] as string
      world.at(address, 80, await tcpServer((socket) => void socket.once('data', () => socket.end(text)), address))
      const answer = await ask(name, 'security')
      expect(check(answer, 'tls.redirect'), name).to.equal(undefined)
      expect(check(answer, 'tls.trusted'), name).to.include({ passed: true })
      expect(notes(answer), name).to.contain('tls.redirect: Where plain http leads could not be looked at')
    }
  })

  it('plain http that leads to another plain address is answered, also where that one is away', async () => {
    await world.site('onward.test', page, {
      plain: (_request, response) => void response.writeHead(301, { location: 'http://away.test/' }).end(),
    })
    world.address('away.test')
    expect(check(await ask('onward.test', 'security'), 'tls.redirect')).to.include({ passed: false })
  })

  it('mail servers that nobody tells are no domain without mail', async () => {
    await world.site('mailless.test', page)
    const answer = await ask('mailless.test', 'security')
    expect([check(answer, 'email.mta_sts'), check(answer, 'email.tls_rpt')]).to.deep.equal([undefined, undefined])
    expect(notes(answer)).to.contain('dns.mx_records: The name servers did not answer.')
  })

  it('policies that nobody tells are null with a note, and count neither way', async () => {
    await world.site('mute.test', page)
    Object.assign(world.zones['mute.test'] ?? {}, { MX: [{ preference: 1, exchange: 'mx.mute.test' }] })
    const answer = await ask('mute.test', 'security')
    for (const part of ['mta_sts', 'tls_rpt', 'dmarc', 'bimi'] as const) {
      expect(answer.data[part], part).to.equal(null)
      expect(notes(answer)).to.match(new RegExp(`^${part}: (?:The name servers did not answer|Nothing came in time)\\.$`, 'm'))
    }
    expect(answer.data.checks?.map(({ id }) => id)).not.to.include.members(['email.mta_sts', 'email.tls_rpt', 'email.dmarc'])
    expect(check(answer, 'email.spf')).to.include({ passed: false })
  })

  it('a policy of MTA-STS that does not come in time is not known', async () => {
    await world.site('late.test', page)
    Object.assign(world.zones['late.test'] ?? {}, { MX: [{ preference: 1, exchange: 'mx.late.test' }] })
    world.zones['_mta-sts.late.test'] = { TXT: [['v=STSv1; id=1']] }
    const address = world.address('mta-sts.late.test')
    world.at(address, 443, await tcpServer(() => undefined, address))
    const answer = await ask('late.test', 'security')
    expect(answer.data.mta_sts).to.deep.include({ id: '1', mode: null })
    expect(check(answer, 'email.mta_sts')).to.equal(undefined)
    expect(notes(answer)).to.contain('mta_sts: The policy did not come in time')
    expect(check(answer, 'email.tls_rpt')).to.include({ passed: false })
  })

  it('keys, CAA, texts and name servers that nobody tells are null with a note', async () => {
    await world.site('keyless.test', page)
    const answer = await ask('keyless.test', 'security')
    expect([answer.data.dnssec, answer.data.caa, answer.data.spf, answer.data.dns?.has_spf, answer.data.dns?.provider]).to.deep.equal([
      null,
      null,
      null,
      null,
      null,
    ])
    for (const part of ['dnssec', 'caa', 'dns.spf_record', 'dns.provider']) expect(notes(answer)).to.match(new RegExp(`^${part}: `, 'm'))
    expect(answer.data.checks?.map(({ id }) => id)).not.to.include.members(['email.dnssec', 'email.caa', 'email.spf'])
  })

  it('a zone that resolvers which validate refuse is bogus, and its records are shown', async () => {
    world.zones['bogus.test'] = { A: ['192.0.2.1'], TXT: [['v=spf1 -all']], DNSKEY: [], DS: [] }
    for (const mode of ['dns', 'overview']) {
      const answer = await ask('bogus.test', mode)
      expect(answer.data.dns).to.deep.include({ a_records: ['192.0.2.1'], has_spf: true })
      expect(notes(answer), mode).to.contain('dns: DNSSEC of the zone is wrong')
    }
    const { data } = await ask('bogus.test', 'dns')
    expect(data.dnssec).to.deep.include({ bogus: true, authenticated: false })
    expect(data.dnssec?.problems.join(' ')).to.contain('Bogus: ')
  })

  it('servers that cannot tell without validation either are broken, and nothing is said of the zone', async () => {
    const reply = await world.ask('broken.test', 'dns')
    expect(reply.status).to.equal(502)
    expect(reply.text).to.contain('target-unavailable')
    const questions = world.names.queries.filter(({ name }) => name === 'broken.test')
    expect(questions.some(({ packet }) => packet.flag_cd === true)).to.equal(true)
  })
})
