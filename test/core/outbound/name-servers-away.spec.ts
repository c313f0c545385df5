import { expect } from 'chai'
import type { Problem } from '../../../core/problems/problem.js'
import { problemFrom } from '../../../core/dispatch/from-error.js'
import { ownShortage } from '../../../core/problems/own-shortage.js'
import { dnsServer, type DnsQuery, type DnsReply } from '../../../core/sdk/testkit/dns-server.js'
import { accessTo, cancelIn, outboundKit, type OutboundKit } from '../../support/outbound.js'
import { logInto, type LogLine } from '../../support/log-lines.js'

const RCODES = { SERVFAIL: 2, NOTIMP: 4, REFUSED: 5 } as const
const AWAY: Readonly<Record<string, () => DnsReply | readonly DnsReply[]>> = {
  silence: () => [],
  ...Object.fromEntries(Object.entries(RCODES).map(([name, rcode]) => [name, () => ({ rcode })])),
}

/** Every way in which a call resolves a foreign name. */
const WAYS: Readonly<Record<string, (kit: OutboundKit, name: string) => Promise<unknown>>> = {
  'records by c-ares': (kit, name) => kit.net.dns(name, 'MX', cancelIn()),
  'records over the wire': (kit, name) => kit.net.query(name, 'TXT', cancelIn()),
  'a page': (kit, name) => kit.web.get(`http://${name}/`, {}, cancelIn()),
  'the address of a program': (kit, name) => kit.net.assertPublic(`http://${name}/`, cancelIn()),
  'a certificate': (kit, name) => kit.net.tls(name, 443, cancelIn()),
  'lines of a server': (kit, name) => kit.net.connect(name, 43, {}, cancelIn()),
  'a vendor': (kit, name) => kit.api.request(accessTo(`http://${name}`), { path: '/' }, cancelIn(), { once: false }),
}

const problemOf = async (work: Promise<unknown>): Promise<Problem | null> => {
  try {
    await work
    return null
  } catch (error) {
    return ownShortage(error) ?? problemFrom(error)
  }
}

async function world(answer: (query: DnsQuery) => DnsReply | readonly DnsReply[]) {
  const server = await dnsServer(answer)
  const lines: LogLine[] = []
  const kit = outboundKit({ dns: server.address, log: logInto(lines) })
  return { kit, lines, close: async () => await Promise.all([kit.close(), server.close()]) }
}

describe('outbound: name servers that are away', () => {
  for (const [name, reply] of Object.entries(AWAY))
    it(`B2 ${name} for every name is a failure of the gateway, for every kind of call, and over with the first answer`, async () => {
      let away = true
      const { kit, lines, close } = await world(() => (away ? reply() : { rcode: 3 }))
      const problems = await Promise.all(
        Object.entries(WAYS).map(async ([way, request], at) => [way, await problemOf(request(kit, `n${at}.one.example`))] as const),
      )
      for (const [way, problem] of problems)
        expect([problem?.slug, problem?.status, problem?.retriable], way).to.deep.equal(['overloaded', 503, true])
      expect(lines.map(({ event }) => event)).to.include('name-servers-away')
      away = false
      for (const [way, request] of Object.entries(WAYS).slice(0, 3))
        expect((await problemOf(request(kit, 'n0.one.example')))?.slug ?? 'no-result', way).to.equal('no-result')
      expect(lines.at(-1)?.event).to.equal('name-servers-back')
      await close()
    })

  for (const [name, reply] of Object.entries(AWAY))
    it(`B2 ${name} for the names of one domain is that domain's`, async () => {
      const { kit, lines, close } = await world((query) => (query.name.endsWith('one.example') ? reply() : {}))
      const ways = Object.entries(WAYS).filter(([way]) => way !== 'a vendor' && (name !== 'silence' || !way.startsWith('records')))
      const problems = await Promise.all(
        ways.map(async ([way, request], at) => [way, await problemOf(request(kit, `n${at}.one.example`))] as const),
      )
      for (const [way, problem] of problems) expect(problem?.slug, way).to.equal('target-unavailable')
      expect(lines).to.deep.equal([])
      await close()
    })
})
