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
/** Sites with https; their certificates are generated before the first request, since that blocks everything else. */
const SITES = ['refused', 'silent', 'cut', 'noise', 'heads', 'mailless', 'mute', 'late', 'keyless']
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
    for (const name of SITES) await world.site(`${name}.test`, page)
    await world.site('onward.test', page, {
      plain: (_request, response) => void response.writeHead(301, { location: 'http://away.test/' }).end(),
    })
  })
  after(() => world?.close())

  const ask = async (domain: string, mode = 'security'): Promise<Answer> => {
    const reply = await world.ask(domain, mode)
    expect(reply.status, reply.text.slice(0, 500)).to.equal(200)
    return reply.json<Answer>()
  }
  const check = ({ data }: Answer, id: string) => data.checks?.find((each) => each.id === id)
  const notes = ({ metadata }: Answer): string => (metadata.notes ?? []).join('\n')
  const addressOf = (name: string): string => world.zones[name]?.A?.[0] as string

  /** Starts together with all others, since nearly all of the time is spent waiting for missing answers. */
  function shows<T>(title: string, asked: () => Promise<T>, seen: (answer: T) => void): void {
    let answer: Promise<T>
    before(() => {
      answer = asked()
      answer.catch(() => undefined)
    })
    it(title, async () => seen(await answer))
  }

  shows(
    'plain http that refuses the connection or is silent is not answered, which passes',
    async () => {
      world.at(addressOf('refused.test'), 80, { port: 1, close: () => Promise.resolve() })
      const address = addressOf('silent.test')
      world.at(address, 80, await tcpServer(() => undefined, address))
      return await Promise.all([ask('refused.test'), ask('silent.test')])
    },
    (answers) => {
      for (const answer of answers)
        expect(check(answer, 'tls.redirect')).to.include({ passed: true, detail: 'Plain http is not answered.' })
    },
  )

  for (const [name, text] of [
    ['cut.test', ''],
    ['noise.test', 'SSH-2.0-OpenSSH_9\r\n'],
    ['heads.test', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`],
  ] as const)
    shows(
      `plain http that breaks off, or answers what is none, is not known: it counts neither way, and a note says so (${name})`,
      async () => {
        const address = addressOf(name)
        world.at(address, 80, await tcpServer((socket) => void socket.once('data', () => socket.end(text)), address))
        return await ask(name)
      },
      (answer) => {
        expect(check(answer, 'tls.redirect')).to.equal(undefined)
        expect(check(answer, 'tls.trusted')).to.include({ passed: true })
        expect(notes(answer)).to.contain('tls.redirect: The target of plain http could not be checked')
      },
    )

  shows(
    'plain http that leads to another plain address is answered, also where that one is away',
    () => {
      world.address('away.test')
      return ask('onward.test')
    },
    (answer) => expect(check(answer, 'tls.redirect')).to.include({ passed: false }),
  )

  shows(
    'mail servers that name servers do not answer for are no domain without mail',
    () => ask('mailless.test'),
    (answer) => {
      expect([check(answer, 'email.mta_sts'), check(answer, 'email.tls_rpt')]).to.deep.equal([undefined, undefined])
      expect(notes(answer)).to.contain('dns.mx_records: The name servers did not answer.')
    },
  )

  shows(
    'policies that name servers do not answer for are null with a note, and count neither way',
    () => {
      Object.assign(world.zones['mute.test'] ?? {}, { MX: [{ preference: 1, exchange: 'mx.mute.test' }] })
      return ask('mute.test')
    },
    (answer) => {
      for (const part of ['mta_sts', 'tls_rpt', 'dmarc', 'bimi'] as const) {
        expect(answer.data[part], part).to.equal(null)
        expect(notes(answer)).to.match(new RegExp(`^${part}: (?:The name servers did not answer|Nothing came in time)\\.$`, 'm'))
      }
      expect(answer.data.checks?.map(({ id }) => id)).not.to.include.members(['email.mta_sts', 'email.tls_rpt', 'email.dmarc'])
      expect(check(answer, 'email.spf')).to.include({ passed: false })
    },
  )

  shows(
    'a policy of MTA-STS that does not come in time is not known',
    async () => {
      Object.assign(world.zones['late.test'] ?? {}, { MX: [{ preference: 1, exchange: 'mx.late.test' }] })
      world.zones['_mta-sts.late.test'] = { TXT: [['v=STSv1; id=1']] }
      const address = world.address('mta-sts.late.test')
      world.at(address, 443, await tcpServer(() => undefined, address))
      return await ask('late.test')
    },
    (answer) => {
      expect(answer.data.mta_sts).to.deep.include({ id: '1', mode: null })
      expect(check(answer, 'email.mta_sts')).to.equal(undefined)
      expect(notes(answer)).to.contain('mta_sts: The policy was not received in time')
      expect(check(answer, 'email.tls_rpt')).to.include({ passed: false })
    },
  )

  shows(
    'keys, CAA, texts and name servers without an answer are null with a note',
    () => ask('keyless.test'),
    (answer) => {
      const { dnssec, caa, spf, dns } = answer.data
      expect([dnssec, caa, spf, dns?.has_spf, dns?.provider]).to.deep.equal([null, null, null, null, null])
      for (const part of ['dnssec', 'caa', 'dns.spf_record', 'dns.provider']) expect(notes(answer)).to.match(new RegExp(`^${part}: `, 'm'))
      expect(answer.data.checks?.map(({ id }) => id)).not.to.include.members(['email.dnssec', 'email.caa', 'email.spf'])
    },
  )

  shows(
    'a zone that resolvers which validate refuse is bogus, and its records are shown',
    async () => {
      world.zones['bogus.test'] = { A: ['192.0.2.1'], TXT: [['v=spf1 -all']], DNSKEY: [], DS: [] }
      return await Promise.all([ask('bogus.test', 'dns'), ask('bogus.test', 'overview')])
    },
    (answers) => {
      for (const answer of answers) {
        expect(answer.data.dns).to.deep.include({ a_records: ['192.0.2.1'], has_spf: true })
        expect(notes(answer)).to.contain('dns: DNSSEC of the zone is wrong')
      }
      expect(answers[0].data.dnssec).to.deep.include({ bogus: true, authenticated: false })
      expect(answers[0].data.dnssec?.problems.join(' ')).to.contain('Bogus: ')
    },
  )

  shows(
    'servers that cannot answer without validation either are broken, and nothing is said of the zone',
    () => world.ask('broken.test', 'dns'),
    (reply) => {
      expect(reply.status).to.equal(502)
      expect(reply.text).to.contain('target-unavailable')
      const questions = world.names.queries.filter(({ name }) => name === 'broken.test')
      expect(questions.some(({ packet }) => packet.flag_cd === true)).to.equal(true)
    },
  )
})
