import type { RequestListener } from 'node:http'
import { expect } from 'chai'
import { rdapDomain } from '../../core/sdk/testkit/index.js'
import { SiteWorld } from '../../test/support/site-world.js'
import { atMost, later, waited } from '../../test/support/time.js'
import { needsProgram } from '../../test/support/needs.js'
import type { SitesIntel } from './contract.js'

interface Answer {
  readonly data: SitesIntel
  readonly metadata: { readonly notes?: readonly string[] }
}

const SERVER_MS = 100
const MOST_MS = 1_500
const RUNS = 3

/** The same answer, later. */
const slow =
  (listener: RequestListener): RequestListener =>
  (request, response) =>
    later(SERVER_MS, () => listener(request, response))

describe('sites.intel: the parts of overview side by side', function () {
  this.timeout(60_000)

  before(function () {
    needsProgram(this, 'openssl')
  })

  it('each part asks although nobody answers any other', async () => {
    const world = await SiteWorld.start({ instead: ({ name }) => (name.endsWith('.com') ? { rcode: 3 } : []) })
    await world.rdap({})
    const reply = await world.ask('acme.test')
    expect([reply.status, reply.text.includes('target-unavailable')]).to.deep.equal([502, true])
    const asked = new Set(world.names.queries.map(({ type, name }) => `${type} ${name}`))
    for (const question of ['A lists.test', 'A acme.test', 'MX acme.test', 'TXT acme.test', 'NS acme.test', 'TXT _dmarc.acme.test'])
      expect([...asked], question).to.include(question)
    // The DNS part, the handshake, the page and hosting each query the address.
    expect(world.names.queries.filter(({ type, name }) => type === 'A' && name === 'acme.test').length).to.be.at.least(3)
    expect([...asked].filter((question) => question.includes('._domainkey.'))).to.have.length(11)
    await world.close()
  })

  it(`with servers that each take ${String(SERVER_MS)} ms it takes at most ${String(MOST_MS)} ms`, async function () {
    const times: number[] = []
    for (let run = 0; run < RUNS; run++) {
      const world = await SiteWorld.start({
        dnsDelayMs: SERVER_MS,
        zones: {
          'acme.test': { NS: ['ns1.he.net'], TXT: [['v=spf1 -all']] },
          '_dmarc.acme.test': { TXT: [['v=DMARC1; p=reject']] },
        },
      })
      await world.rdap({ domains: { 'acme.test': rdapDomain('acme.test', { status: ['active'] }) }, delayMs: SERVER_MS })
      await world.site(
        'acme.test',
        slow((_request, response) => void response.end('<title>Acme</title>')),
        { plain: slow((_request, response) => void response.end('')) },
      )
      const reversed = String(world.zones['acme.test']?.A?.[0]).split('.').reverse().join('.')
      world.zones[`${reversed}.origin.asn.cymru.com`] = { TXT: [['24940 | 127.0.2.0/24 | DE | ripencc | 2010-01-02']] }
      world.zones['as24940.asn.cymru.com'] = { TXT: [['24940 | DE | ripencc | 2002-06-03 | EXAMPLE-AS - Example Networks, DE']] }
      await world.gateway.newKey()
      const { result, all, own } = await waited(() => world.ask('acme.test'))
      const { data, metadata } = result.json<Answer>()
      expect([data.whois?.source, data.dns?.provider, data.ssl?.protocol, data.hosting?.asn]).to.deep.equal([
        'rdap',
        'Hurricane Electric',
        'TLSv1.3',
        'AS24940',
      ])
      expect(metadata.notes ?? []).to.deep.equal([])
      times.push(own)
      console.log(
        `      overview with servers of ${String(SERVER_MS)} ms: ${all.toFixed(0)} ms, of which the machine was late by ${(all - own).toFixed(0)} ms`,
      )
      await world.close()
    }
    await atMost(this, { what: 'the quickest of three', value: Math.min(...times), limit: MOST_MS })
  })
})
