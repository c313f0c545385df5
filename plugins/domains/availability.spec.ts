import { expect } from 'chai'
import { rdapDomain, rdapServer, type RdapReply, type RdapServer } from '../../core/sdk/testkit/rdap-server.js'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { Registries } from '../../test/support/registries.js'

interface Entry {
  readonly domain: string
  readonly status: string
  readonly available: boolean | null
  readonly price: { registration: number; source: string; date: string } | null
  readonly [field: string]: unknown
}
interface Body {
  readonly data: { names: Entry[]; domains: Entry[]; extensions: Record<string, unknown>[]; total: number; offset: number; limit: number }
  readonly metadata: { notes?: string[]; providers_tried: string[]; provider_used: string | null; mode_used: string }
  readonly detail?: { loc: (string | number)[]; msg: string }[]
  readonly error: { type: string; is_retriable: boolean } | null
}

const PRICING = {
  status: 'SUCCESS',
  pricing: {
    com: { registration: '11.08', renewal: '11.08', transfer: '11.08', coupons: [] },
    io: { registration: '28.12', renewal: '51.80', transfer: '51.80', coupons: [] },
    bakery: { registration: '1.00', renewal: '1.00' },
  },
}

describe('domains: availability over own registries', function () {
  this.timeout(60_000)
  const domains: Record<string, RdapReply> = {}
  let all: Registries
  let list: RdapServer
  let shop: Running
  let priced = 0

  before(async () => {
    shop = await httpServer((request, response) => {
      priced++
      request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(PRICING)))
    })
    const bases: Record<string, string> = {}
    list = await rdapServer({ host: '127.0.1.250', services: () => Object.entries(bases).map(([tld, base]) => [[tld], [base]]) })
    all = await Registries.start({
      env: { CAPSTAN_RDAP_BOOTSTRAP: list.bootstrap, CAPSTAN_VENDOR_PORKBUN_URL: shop.url },
      zones: {
        'taken.com': { NS: ['ns1.host.example'] },
        'inside.com': { NS: ['localhost'], A: ['127.0.0.1'] },
        'addressed.net': { A: ['192.0.2.9'] },
        'crowd.net': { A: Array.from({ length: 2_500 }, (_, at) => `10.1.${String(at >> 8)}.${String(at & 255)}`) },
        'wild.ws': { A: ['192.0.2.1'] },
        'unlikely-name-4f9c2e71d8.ws': { A: ['192.0.2.1'] },
      },
    })
    const rdap = await all.rdap('rdap.registry.example', { domains })
    for (const tld of ['com', 'net', 'shop', 'dev', 'xn--p1ai']) bases[tld] = rdap.base
    bases.online = 'http://10.0.0.1/rdap/'
    await all.whois('whois.iana.org', () => 'refer: whois.registry.example\r\n')
    for (const name of ['whois.registry.example', 'whois.nic.io'])
      await all.whois(name, (asked) =>
        asked.includes('kept') ? 'This name is reserved.\r\n' : asked.includes('busy') ? 'Query rate limit exceeded.\r\n' : 'No match\r\n',
      )
    for (const name of ['busy1.shop', 'busy2.shop']) domains[name] = { status: 500 }
    domains['quiet.com'] = rdapDomain('quiet.com', { status: ['active'] })
  })
  after(async () => {
    await all?.close()
    await list?.close()
    await shop?.close()
  })

  let key: string | undefined
  const ask = async (body: Record<string, unknown>): Promise<Body & { status: number }> => {
    key ??= (await all.gateway.newKey()).key
    const reply = await all.gateway.send('/v1/domains', { method: 'POST', body, key })
    return { status: reply.status, ...reply.json<Body>() }
  }
  const check = (...names: string[]) => ask({ mode: 'check-availability', domains: names })

  it('the name servers speak first, the registry of the rest', async () => {
    const { data, metadata } = await check('taken.com', 'free.com', 'quiet.com', 'addressed.net')
    expect(data.domains.map(({ domain, status, available }) => [domain, status, available])).to.deep.equal([
      ['taken.com', 'registered', false],
      ['free.com', 'available', true],
      ['quiet.com', 'registered', false],
      ['addressed.net', 'registered', false],
    ])
    expect(data.domains[1]).to.deep.equal({
      domain: 'free.com',
      name: 'free',
      tld: 'com',
      status: 'available',
      available: true,
      verified: false,
      premium: null,
      early_access: null,
      price: { registration: 11.08, renewal: 11.08, currency: 'USD', source: 'porkbun', date: new Date().toISOString().slice(0, 10) },
      category: null,
    })
    expect(data.domains.map(({ verified }) => verified)).to.deep.equal([true, false, true, true])
    expect(data).to.include({ total: 4, offset: 0, limit: 4 })
    expect(data.names).to.deep.equal([])
    expect(metadata.notes).to.deep.equal([
      'Not confirmed by a registrar: free.com. The registry has no record, and reserved and premium names look the same.',
    ])
    expect(metadata.providers_tried).to.include.members(['dns', 'rdap'])
    expect(metadata.mode_used).to.equal('check-availability')
  })

  it('an address that every name of an extension has says nothing', async () => {
    const { data } = await check('wild.ws')
    expect(data.domains[0]).to.include({ status: 'available', available: true })
  })

  it('T-23 records that point inside are read, and nothing inside is connected to', async () => {
    const before = all.connected.length
    const { data } = await check('inside.com')
    expect(data.domains[0]).to.include({ status: 'registered', available: false })
    expect(all.connected.slice(before)).to.deep.equal([])
  })

  it('T-23 a registry whose RDAP server points inside is asked by WHOIS; thousands of addresses are a registration', async () => {
    const { data } = await check('free.online', 'crowd.net')
    expect(data.domains.map(({ status, verified }) => [status, verified])).to.deep.equal([
      ['available', false],
      ['registered', true],
    ])
    expect(all.connected.filter((address) => address.startsWith('10.'))).to.deep.equal([])
  })

  it('what the registry reserves cannot be registered, and notes say so', async () => {
    const { data, metadata } = await check('kept.io', 'free.io')
    expect(data.domains.map(({ status, available, price }) => [status, available, price?.registration ?? null])).to.deep.equal([
      ['unknown', false, null],
      ['available', true, 28.12],
    ])
    expect(metadata.notes?.join(' ')).to.match(/Cannot be registered.*kept\.io/)
  })

  it('T-56 letters beyond ASCII are shown as A-labels, and what they are drawn like is said', async () => {
    const { data, metadata } = await check('bücher.com', 'аррӏе.com', 'goog1e.com')
    expect(data.domains.map(({ domain }) => domain)).to.deep.equal(['xn--bcher-kva.com', 'xn--80ak6aa92e.com', 'goog1e.com'])
    expect(metadata.notes).to.include.members([
      'xn--bcher-kva is bücher.',
      'xn--80ak6aa92e looks like apple, in letters of another alphabet.',
      'goog1e looks like the mark google.',
    ])
  })

  it('a name below a domain is checked as that, and one that is named twice once', async () => {
    const { data, metadata } = await check('www.taken.com', 'TAKEN.com', ' taken.com ')
    expect(data.domains.map(({ domain }) => domain)).to.deep.equal(['taken.com'])
    expect(metadata.notes?.slice(0, 2)).to.deep.equal([
      '2 domains were named more than once and are checked once.',
      'The registrable domains of the given names were checked: taken.com.',
    ])
  })

  for (const [what, name, why] of [
    ['a scheme', 'https://acme.com', /bare name/],
    ['a path', 'acme.com/x', /bare name/],
    ['a port', 'acme.com:80', /bare name/],
    ['an account', 'a@acme.com', /bare name/],
    ['a blank', 'ac me.com', /bare name/],
    ['a dot at the end', 'acme.com.', /^give the bare name: acme\.com$/],
    ['an empty part', 'acme..com', /no empty part/],
    ['a single label', 'acme', /no extension/],
    ['a public suffix', 'co.uk', /an extension below which/],
    ['an extension that does not exist', 'acme.nosuchtld', /no extension \.nosuchtld/],
    ['an address', '192.0.2.1', /IP address|no extension/],
    ['letters of two alphabets', 'аpple.com', /several scripts/],
    ['letters of two alphabets as A-label', 'xn--pple-43d.com', /several scripts/],
    ['a hyphen at the end', 'acme-.com', /not a domain name/],
    ['64 characters', `${'a'.repeat(64)}.com`, /not a domain name/],
    ['a form that only A-labels have', 'ab--cd.com', /not a domain name/],
    ['a zero byte', 'ac\u0000me.com', /not a domain name/],
  ] as const)
    it(`${what} is refused with its place: ${JSON.stringify(name.slice(0, 20))}`, async () => {
      const { status, detail } = await check('taken.com', name)
      expect(status).to.equal(422)
      expect(detail?.[0]?.loc).to.deep.equal(['body', 'domains', 1])
      expect(detail?.[0]?.msg).to.match(why)
    })

  it('each mode names the field that it lacks', async () => {
    const lacks = async (body: Record<string, unknown>) => {
      const { status, detail } = await ask(body)
      return [status, detail?.[0]?.loc.slice(1).join('.')]
    }
    expect(await lacks({})).to.deep.equal([422, 'description'])
    expect(await lacks({ description: ' ?! ' })).to.deep.equal([422, 'description'])
    expect(await lacks({ mode: 'suggest-extensions' })).to.deep.equal([422, 'description'])
    expect(await lacks({ mode: 'search-extensions' })).to.deep.equal([422, 'query'])
    expect(await lacks({ mode: 'search-extensions', query: 'acme', exact_extension: true })).to.deep.equal([422, 'query'])
    for (const query of [
      'https://acme.com',
      'acme/x',
      'acme:80',
      'acme.',
      '.acme',
      'co.uk',
      'аpple',
      'ac me',
      '192.0.2.1',
      `${'a'.repeat(64)}`,
    ])
      expect(await lacks({ mode: 'search-extensions', query }), query).to.deep.equal([422, 'query'])
    for (const tld of ['https://com', 'com.', 'com/x', '.', 'acme.com'])
      expect(await lacks({ mode: 'pricing', tlds: [tld] }), tld).to.deep.equal([422, 'tlds.0'])
    expect(await lacks({ mode: 'check-availability' })).to.deep.equal([422, 'domains'])
    expect(await lacks({ mode: 'check-availability', domains: [] })).to.deep.equal([422, 'domains'])
    expect(await lacks({ mode: 'pricing', tlds: ['com', 'nosuchtld'] })).to.deep.equal([422, 'tlds.1'])
    expect(await lacks({ company_id: 'acme' })).to.deep.equal([422, 'company_id'])
    expect(
      (await lacks({ mode: 'check-availability', domains: Array.from({ length: 101 }, (_, at) => `a${String(at)}.com`) }))[0],
    ).to.equal(422)
  })

  it('a hundred domains are checked in one call, in their order', async () => {
    const names = Array.from({ length: 100 }, (_, at) => `hundred${String(at)}.${at % 2 === 0 ? 'com' : 'net'}`)
    const { data, metadata } = await check(...names)
    expect(data.domains.map(({ domain }) => domain)).to.deep.equal(names)
    expect(data.domains.filter(({ status }) => status === 'available').length).to.equal(100)
    expect(metadata.notes?.[0]).to.include('any of the 100 free domains.')
  })

  it('B2 a company that cannot be looked up is a failure to be tried again, and no mistake of the caller', async () => {
    const { status, error } = await ask({ company_id: 'acme.com' })
    expect([status, error?.type.split('/').at(-1), error?.is_retriable]).to.deep.equal([502, 'providers-failed', true])
  })

  it('one name below the extensions of the catalogue, by page', async () => {
    const first = await ask({ mode: 'search-extensions', query: 'taken' })
    const second = await ask({ mode: 'search-extensions', query: 'taken', offset: 50 })
    expect(first.data).to.include({ offset: 0, limit: 50 })
    expect(first.data.domains).to.have.lengthOf(50)
    expect(first.data.domains[0]).to.include({ domain: 'taken.com', status: 'registered' })
    expect(second.data.total).to.equal(first.data.total)
    const both = [...first.data.domains, ...second.data.domains].map(({ domain }) => domain)
    expect(new Set(both).size).to.equal(100)
    const far = await ask({ mode: 'search-extensions', query: 'taken', offset: 1_000_000 })
    expect([far.status, far.error?.type.split('/').at(-1)]).to.deep.equal([422, 'no-result'])
  })

  it('only the extension that was typed, or those that are named', async () => {
    const typed = await ask({ mode: 'search-extensions', query: 'www.Taken.com', exact_extension: true })
    expect(typed.data.domains.map(({ domain }) => domain)).to.deep.equal(['taken.com'])
    const named = await ask({ mode: 'search-extensions', query: 'taken', tlds: ['.DEV', 'com', 'рф', 'dev'] })
    expect(named.data.domains.map(({ domain }) => domain)).to.deep.equal(['taken.dev', 'taken.com', 'taken.xn--p1ai'])
  })

  it('names are suggested that are free, and taken ones are left out', async () => {
    const { data } = await ask({ description: 'A bakery in Lisbon that sells sourdough bread by subscription' })
    expect(data.names.length).to.be.within(10, 30)
    const first = data.names.filter(({ tld }) => tld === 'com')[0]?.domain ?? ''
    domains[first] = rdapDomain(first)
    const again = await ask({ description: 'A bakery in Lisbon that sells sourdough bread by subscription' })
    expect(again.data.names.map(({ domain }) => domain)).not.to.include(first)
    const states = again.data.names.map(({ status }) => status)
    expect([...states].sort((one, other) => Number(one === 'unknown') - Number(other === 'unknown'))).to.deep.equal(states)
    expect(new Set(again.data.names.map(({ category }) => category)).size).to.be.above(3)
  })

  it('extensions are suggested with a reason and a price', async () => {
    const { data } = await ask({ mode: 'suggest-extensions', description: 'Coffee roasters with an app for coffee lovers' })
    expect(data.extensions.slice(0, 2)).to.deep.equal([
      { tld: 'app', reason: '"app" occurs in the description itself.', price: null },
      { tld: 'coffee', reason: '"coffee" occurs in the description itself.', price: null },
    ])
    expect(data.extensions.find(({ tld }) => tld === 'com')).to.include({ price: '11.08 USD' })
  })

  it('prices say who asked them and when; the list is fetched once', async () => {
    const { data } = await ask({ mode: 'pricing', tlds: ['io', 'com'] })
    const date = new Date().toISOString().slice(0, 10)
    const io = { registration: 28.12, renewal: 51.8, currency: 'USD', source: 'porkbun', date }
    expect(data.extensions[0]).to.deep.equal({ tld: 'io', price: io, prices: [io] })
    const page = await ask({ mode: 'pricing' })
    expect(page.data).to.include({ offset: 0, limit: 50 })
    expect(page.data.extensions).to.have.lengthOf(50)
    expect((await ask({ mode: 'pricing', tlds: ['zw'] })).status).to.equal(422)
    expect(priced).to.equal(1)
  })

  it('the catalogue is whole, or begins at the given offset', async () => {
    const { data } = await ask({ mode: 'extension-catalog' })
    expect(data.extensions).to.have.lengthOf(data.total)
    expect(data.total).to.be.above(1_400)
    expect(data.extensions[0]).to.deep.equal({ tld: 'com', length: 3, popularity: 100, theme: 'general' })
    const rest = await ask({ mode: 'extension-catalog', offset: data.total - 3 })
    expect(rest.data.extensions).to.deep.equal(data.extensions.slice(-3))
  })

  it('registries that turn questions away are a failure that passes, and no sign that nobody knows', async () => {
    for (const names of [['busy1.shop'], ['busy1.shop', 'busy2.shop']]) {
      const { status, error } = await check(...names)
      expect([status, error?.type.split('/').at(-1), error?.is_retriable]).to.deep.equal([502, 'providers-failed', true])
    }
    const { data } = await check('busy1.shop', 'quiet.com')
    expect(data.domains.map((entry) => entry.status)).to.deep.equal(['unknown', 'registered'])
  })
})
