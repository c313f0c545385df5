import { expect } from 'chai'
import type { DnsReply } from '../../core/sdk/testkit/index.js'
import type { Reply } from '../../test/support/gateway.js'
import { expectProblem } from '../../test/support/problem.js'
import { SiteWorld } from '../../test/support/site-world.js'
import type { SitesIntel } from './contract.js'

const SERVFAIL = 2
const lines = (...all: readonly string[]): string => all.map((line) => `${line}\r\n`).join('')

describe('sites.intel: what could not be looked at', function () {
  this.timeout(60_000)
  let world: SiteWorld
  let fails: (name: string) => boolean = () => false

  before(async () => {
    world = await SiteWorld.start({
      zones: { 'acme.test': { A: ['192.0.2.1'] }, 'www.acme.test': { A: ['192.0.2.2'] } },
      instead: ({ name }): DnsReply | undefined => (fails(name) ? { rcode: SERVFAIL } : undefined),
    })
    const tlds = silences.map((_, at) => `t${String(at)}`)
    const pause = { status: 429, headers: { 'retry-after': '9' }, json: {} }
    await world.rdap({ tlds, domains: Object.fromEntries(tlds.map((tld) => [`acme.${tld}`, pause])) })
    await world.whois('whois.iana.org', (tld) => lines(`refer: whois.${tld}.test`))
    for (const [at, tld] of tlds.entries()) await world.whois(`whois.${tld}.test`, () => silences[at]?.[1] ?? '')
  })
  after(() => world?.close())
  afterEach(() => (fails = () => false))

  const ask = (domain: string, mode: string, order = `${domain}-${mode}`): Promise<Reply> =>
    world.gateway.post('/v1/sites/intel', { domain, mode }, { 'idempotency-key': order.replaceAll(' ', '-') })
  const dataOf = (reply: Reply): SitesIntel => reply.json<{ data: SitesIntel }>().data
  const typeOf = (reply: Reply): string => reply.json().error?.type.split('/').at(-1) ?? 'none'

  it('B11 the names below a domain that does not exist are no result and free, as its records are', async () => {
    const { balance } = await world.gateway.money()
    const asked = world.names.queries.length
    for (const mode of ['dns', 'subdomains']) expectProblem(await ask('gone.test', mode), 'no-result')
    expect((await world.gateway.money()).balance).to.equal(balance)
    expect(world.names.queries.slice(asked).filter(({ name }) => name.endsWith('.gone.test') && name.startsWith('www'))).to.deep.equal([])
  })

  for (const [what, share] of [
    ['all names', /./],
    ['the names alone', /\.acme\.test$/],
    ['a third of the names', /^[a-d][^.]*\.acme\.test$/],
  ] as const)
    it(`B2 name servers that cannot tell ${what} end mode subdomains, free, and the next call is right`, async () => {
      const { balance } = await world.gateway.money()
      fails = (name) => share.test(name)
      const reply = await ask('acme.test', 'subdomains', what)
      expect(['target-unavailable', 'overloaded'], reply.text).to.include(typeOf(reply))
      expect(reply.json().error?.is_retriable).to.equal(true)
      fails = () => false
      expect((await world.gateway.money()).balance).to.equal(balance)
      expect(dataOf(await ask('acme.test', 'subdomains', what)).subdomains?.map(({ subdomain }) => subdomain)).to.deep.equal([
        'www.acme.test',
      ])
    }).timeout(20_000)

  it('but a few that nobody tells are a remark', async () => {
    fails = (name) => name === 'mail.few.test' || name === 'api.few.test'
    Object.assign(world.zones, { 'few.test': { A: ['192.0.2.1'] }, 'www.few.test': { A: ['192.0.2.2'] } })
    const reply = await ask('few.test', 'subdomains')
    expect(dataOf(reply)).to.include({ total: 1, wildcard: false })
    expect(reply.json().metadata.notes).to.deep.equal(['subdomains: The name servers did not answer for 2 of 90 names.'])
  })

  const record = lines('Domain Name: ACME.TEST', 'Registrar: Sample Ltd', 'Creation Date: 2001-02-03T04:05:06Z')
  const silences: readonly (readonly [string, string])[] = [
    ['nonsense', '\u0000\u0001\u0002'],
    ['without an end', 'Domain not found.\r\n'.repeat(80_000)],
    ['that breaks off within a line', record.slice(0, -4)],
  ]
  for (const [at, [what]] of silences.entries())
    it(`N2 RDAP that asks for a pause, and a WHOIS answer ${what}: the pause, and not that the name is free`, async () => {
      const reply = await ask(`acme.t${String(at)}`, 'whois')
      const failed = expectProblem(reply, 'providers-failed', { category: 'transient' })
      expect(Number(reply.headers['retry-after'])).to.be.within(4, 9)
      expect(failed.metadata.attempts?.map(({ provider, outcome }) => `${provider} ${outcome}`)).to.deep.equal(['rdap busy', 'whois busy'])
    })
})
