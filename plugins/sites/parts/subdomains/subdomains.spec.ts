import { expect } from 'chai'
import { httpServer } from '../../../../core/sdk/testkit/index.js'
import { SiteWorld } from '../../../../test/support/site-world.js'
import { needsProgram } from '../../../../test/support/needs.js'
import type { SitesIntel } from '../../contract.js'
import { loggedLabels } from './logged-names.js'
import { unlikelyLabels } from './wildcard.js'
import { WORDS } from './words.js'
import type { DnsReply } from '../../../../core/sdk/testkit/index.js'

interface Answer {
  readonly data: SitesIntel
  readonly metadata: { readonly notes?: readonly string[] }
}

/** Ten names per line of the report, so that the ratio distinguishes a slow machine from a slow program. */
const DNS_MS = 50

describe('sites.intel, mode subdomains', function () {
  this.timeout(60_000)
  let world: SiteWorld

  before(async function () {
    needsProgram(this, 'openssl')
    world = await SiteWorld.start({ dnsDelayMs: DNS_MS })
  })
  after(() => world?.close())

  const ask = async (domain: string): Promise<Answer> => {
    const reply = await world.ask(domain, 'subdomains')
    expect(reply.status, reply.text).to.equal(200)
    return reply.json<Answer>()
  }
  const asked = (type: string, below: string) =>
    world.names.queries.filter((query) => query.type === type && query.name.endsWith(`.${below}`))

  it('the list has the 90 words of every day, once each', () => {
    expect([WORDS.length, new Set(WORDS).size]).to.deep.equal([90, 90])
  })

  it('names that exist are reported with addresses and aliases, and IPv6 is queried for those alone', async () => {
    Object.assign(world.zones, {
      'acme.test': { A: ['192.0.2.1'] },
      'www.acme.test': { A: ['192.0.2.2', '192.0.2.1'], AAAA: ['2001:db8::2'] },
      'api.acme.test': { AAAA: ['2001:db8::3'] },
      'mail.acme.test': { TXT: [['no address']] },
      'shop.acme.test': { CNAME: ['shops.test'] },
      'shops.test': { A: ['192.0.2.4'] },
      'blog.acme.test': { CNAME: ['gone.shops.test'] },
      'status.acme.test': { CNAME: ['silent.test'] },
      'silent.test': { TXT: [['no address']] },
      'local.acme.test': { A: ['127.0.0.1'] },
      'intranet.acme.test': { A: ['10.0.0.1'] },
    })
    const { data, metadata } = await ask('acme.test')
    expect(data.subdomains).to.deep.equal([
      { subdomain: 'api.acme.test', ips: ['2001:db8::3'], cname: null, dangling: false },
      { subdomain: 'blog.acme.test', ips: [], cname: 'gone.shops.test', dangling: true },
      { subdomain: 'intranet.acme.test', ips: ['10.0.0.1'], cname: null, dangling: false },
      { subdomain: 'shop.acme.test', ips: ['192.0.2.4'], cname: 'shops.test', dangling: false },
      { subdomain: 'status.acme.test', ips: [], cname: 'silent.test', dangling: false },
      { subdomain: 'www.acme.test', ips: ['192.0.2.2', '192.0.2.1', '2001:db8::2'], cname: null, dangling: false },
    ])
    expect([data.total, data.wildcard, metadata.notes ?? []]).to.deep.equal([6, false, []])
    expect(asked('A', 'acme.test')).to.have.length(92)
    expect(
      asked('AAAA', 'acme.test')
        .map(({ name }) => name)
        .sort(),
    ).to.deep.equal(['api', 'blog', 'intranet', 'mail', 'shop', 'status', 'www'].map((label) => `${label}.acme.test`))
    expect(world.connected).to.deep.equal([])
  })

  it('none is a result', async () => {
    world.zones['lonely.test'] = { A: ['192.0.2.1'] }
    const { data } = await ask('lonely.test')
    expect([data.subdomains, data.total, data.wildcard]).to.deep.equal([[], 0, false])
  })

  it('names that have what any name has are left out', async () => {
    const wildcards: readonly (readonly [domain: string, records: Record<string, string[]>])[] = [
      ['wild.test', { A: ['192.0.2.7', '192.0.2.8'] }],
      ['alias.test', { CNAME: ['elsewhere.test'] }],
      ['six.test', { AAAA: ['2001:db8::7'] }],
    ]
    for (const [domain, records] of wildcards) {
      const labels = [...WORDS, ...unlikelyLabels(domain)].filter((label) => label !== 'www' && label !== 'api')
      world.zones[domain] = { A: ['192.0.2.1'] }
      for (const label of labels) world.zones[`${label}.${domain}`] = records
      world.zones[`www.${domain}`] = { A: ['192.0.2.9'] }
      const { data } = await ask(domain)
      const own = { subdomain: `www.${domain}`, ips: ['192.0.2.9'], cname: null, dangling: false }
      expect([data.subdomains, data.total, data.wildcard], domain).to.deep.equal([[own], 1, true])
    }
  })

  it('90 names take at most 3 s with name servers that take 50 ms', async () => {
    world.zones['quick.test'] = { A: ['192.0.2.1'] }
    for (const label of WORDS.slice(0, 30)) world.zones[`${label}.quick.test`] = { A: ['192.0.2.1'] }
    const begun = performance.now()
    const { data } = await ask('quick.test')
    const tookMs = Math.round(performance.now() - begun)
    console.log(`      90 names, 30 of which exist, by name servers of ${String(DNS_MS)} ms: ${String(tookMs)} ms`)
    expect(data.total).to.equal(30)
    // At the pace of a domain the 152 queries take 1.6 s; a busy machine may add to that, a pace without a burst
    // would add a second.
    expect(asked('A', 'quick.test').length + asked('AAAA', 'quick.test').length).to.equal(122)
  })
})

describe('N7 sites.intel, mode subdomains: wildcards whose answers vary', function () {
  this.timeout(60_000)
  let world: SiteWorld
  let seed = 11
  const below = (most: number): number => (seed = (seed * 48_271) % 2_147_483_647) % most
  const some = (count: number, of: number): string[] => {
    const all = Array.from({ length: of }, (_, place) => `198.51.100.${String(place + 1)}`)
    return Array.from({ length: count }, () => all.splice(below(all.length), 1)[0] ?? '')
  }
  /** Wildcard answers by domain. */
  const wild: Readonly<Record<string, (label: string) => { readonly A?: readonly string[]; readonly CNAME?: string }>> = {
    'wildrr.test': () => ({ A: some(2, 8) }),
    'wildone.test': () => ({ A: some(1, 8) }),
    'wildmany.test': () => ({ A: some(3, 40) }),
    'wildname.test': (label) => ({ CNAME: `up.${label}.api.wildname.test` }),
    'wildhash.test': () => ({ CNAME: `h${String(below(1_000_000))}.pool.example` }),
    'wildlost.test': () => ({ A: [`${String(1 + below(200))}.${String(below(250))}.${String(below(250))}.${String(below(250))}`] }),
  }

  before(async function () {
    needsProgram(this, 'openssl')
    const own = Object.fromEntries(
      Object.keys(wild).flatMap((domain) => [
        [domain, { A: ['192.0.2.1'] }],
        [`mail.${domain}`, { A: ['203.0.113.25'] }],
      ]),
    )
    world = await SiteWorld.start({
      zones: own,
      instead: ({ name, type }): DnsReply | undefined => {
        const domain = Object.keys(wild).find((each) => name.endsWith(`.${each}`))
        if (domain === undefined || name === `mail.${domain}` || name.endsWith('.api.wildname.test')) return undefined
        const { A = [], CNAME } = wild[domain]?.(name.slice(0, -domain.length - 1)) ?? {}
        const alias = CNAME === undefined ? [] : [{ type: 'CNAME' as const, name, data: CNAME }]
        return { answers: [...alias, ...(type === 'A' ? A.map((data) => ({ type: 'A' as const, name, data })) : [])] }
      },
    })
  })
  after(() => world?.close())

  it('N7 names with a record of their own are listed alone: two or one of eight addresses, three of forty, labels and numbers in aliases', async () => {
    const wildcards = ['wildrr.test', 'wildone.test', 'wildmany.test', 'wildname.test', 'wildhash.test']
    const replies = await Promise.all(wildcards.map(async (domain) => (await world.ask(domain, 'subdomains')).json<Answer>()))
    for (const [place, { data, metadata }] of replies.entries()) {
      const mail = `mail.${wildcards[place] ?? ''}`
      expect([data.subdomains?.map(({ subdomain }) => subdomain), data.wildcard, metadata.notes ?? []], mail).to.deep.equal([
        [mail],
        true,
        [],
      ])
    }
  })

  it('N7 where nothing can be distinguished no name is listed, and a note says so', async () => {
    const { data, metadata } = (await world.ask('wildlost.test', 'subdomains')).json<Answer>()
    expect([data.subdomains, data.total, data.wildcard]).to.deep.equal([[], 0, true])
    expect(metadata.notes?.join(' ')).to.equal(
      'subdomains: Any name below the domain has addresses that vary; names that have addresses were left out.',
    )
  })
})

describe('names of certificates', () => {
  it('are looked up beside the words when crt.sh is switched on', async function () {
    this.timeout(60_000)
    let asked = 0
    const log = await httpServer((_request, response) => {
      asked++
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify([{ name_value: 'odd.acme.test\nold.acme.test' }]))
    })
    const world = await SiteWorld.start({
      zones: { 'acme.test': { A: ['192.0.2.1'] }, 'odd.acme.test': { A: ['192.0.2.2'] } },
      env: { CAPSTAN_WATERFALL_SITES_INTEL: 'local,crt-sh', CAPSTAN_VENDOR_CRT_SH_URL: log.url },
    })
    for (let turn = 0; turn < 2; turn++) {
      const reply = await world.ask('acme.test', 'subdomains')
      expect(
        reply.json<Answer>().data.subdomains?.map(({ subdomain }) => subdomain),
        reply.text,
      ).to.deep.equal(['odd.acme.test'])
    }
    expect(asked).to.equal(1)
    await world.close()
    await log.close()
  })

  it('a search that was cut off is reported, and names are those of the domain alone', () => {
    const row = (name_value: string, result_count = 1) => ({ name_value, common_name: null, result_count })
    expect(loggedLabels('acme.test', [row('www.acme.test\nacme.test\nx.other.test')])).to.deep.equal({ labels: ['www'], cut: false })
    expect(loggedLabels('acme.test', [row('a.acme.test', 9_999), row('b.acme.test')])).to.deep.equal({ labels: ['a', 'b'], cut: true })
    const many = Array.from({ length: 1_100 }, (_, place) => row(`h${String(place)}.acme.test`))
    expect(loggedLabels('acme.test', many)).to.deep.include({ cut: true }).and.to.have.nested.property('labels.length', 1_000)
    expect(
      loggedLabels('acme.test', [row(`${'a'.repeat(64)}.acme.test\n-.acme.test\na..acme.test\n${'a.'.repeat(130)}acme.test`), {}]),
    ).to.deep.equal({
      labels: ['-'],
      cut: false,
    })
  })
})
