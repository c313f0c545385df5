import { expect } from 'chai'
import { Fault, type HandlerContext } from '../../../../core/sdk/index.js'
import type { AddressFacts } from '../../shapes/hosting.js'
import { factsOfAddress, hostingOf } from './index.js'
import { reversedName } from './reversed-name.js'

const nothing: AddressFacts = { asn: null, asn_org: null, country: null, city: null, hosting: null, located: false }

interface World {
  readonly a?: readonly string[]
  readonly aaaa?: readonly string[]
  readonly aliases?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  readonly vendors?: Readonly<Record<string, Partial<AddressFacts> | null>>
  readonly inside?: boolean
}

/** Runs hosting with these answers of name servers, vendors and the page. */
async function run({ a = ['203.0.113.10'], aaaa = [], aliases = [], headers = {}, vendors = {}, inside = false }: World) {
  const notes: string[] = []
  const asked: string[][] = []
  const context = {
    net: {
      query: (_name: string, type: string) =>
        Promise.resolve({
          status: 'NOERROR',
          aliases,
          authenticated: false,
          records: (type === 'A' ? a : aaaa).map((data) => ({ name: '', ttl: 1, data })),
        }),
    },
    assertPublic: () => (inside ? Promise.reject(new Fault('blocked', 'refused')) : Promise.resolve({ url: '', addresses: [] })),
    providers: () => Object.keys(vendors).map((id, order) => ({ id, title: id, order, serves: () => true })),
    gather: (_port: unknown, _input: unknown, { only }: { only: readonly string[] }) => {
      asked.push([...only])
      return Promise.resolve(
        Object.entries(vendors).flatMap(([provider, data], order) =>
          only.includes(provider) && data !== null ? [{ provider, order, data: { ...nothing, ...data } }] : [],
        ),
      )
    },
    note: (remark: string) => void notes.push(remark),
    signal: new AbortController().signal,
  } as unknown as HandlerContext
  const hosting = await hostingOf(
    'acme.test',
    () => Promise.resolve(headers),
    (ip) => factsOfAddress(ip, 1_000, context),
    context,
  )
  return { hosting, notes, asked }
}

describe('sites: hosting', () => {
  it('a network that hosts is high, and its city comes from who knows it', async () => {
    const { hosting, notes } = await run({
      vendors: {
        cymru: { asn: 24940, asn_org: 'Hetzner Online GmbH', country: 'DE' },
        ipinfo: { asn: 24940, asn_org: 'Hetzner', country: 'FI', city: 'Helsinki', hosting: true, located: true },
      },
    })
    expect(hosting).to.deep.equal({
      provider: 'Hetzner',
      confidence: 'high',
      ip: '203.0.113.10',
      asn: 'AS24940',
      asn_org: 'Hetzner Online GmbH',
      country: 'FI',
      city: 'Helsinki',
    })
    expect(notes).to.deep.equal([])
  })

  it('of three vendors that disagree the first wins, and a remark says who says what', async () => {
    const { hosting, notes } = await run({
      vendors: {
        cymru: { asn: 64500, asn_org: 'One' },
        ipinfo: { asn: 64501, asn_org: 'Two', country: 'FR', located: true },
        'ip-api': { asn: 64500, city: 'Lyon', located: true },
      },
    })
    expect(hosting).to.deep.include({ asn: 'AS64500', asn_org: 'One', provider: 'One', confidence: 'low', country: 'FR', city: 'Lyon' })
    expect(notes).to.deep.equal(['hosting: cymru says AS64500, ipinfo says AS64501, ip-api says AS64500.'])
  })

  it('a delivery network is distinguished from the origin that it hides', async () => {
    const facts = { cymru: { asn: 13335, asn_org: 'CLOUDFLARENET' } }
    const hidden = await run({ headers: { server: 'cloudflare', 'cf-ray': '1-FRA' }, vendors: facts })
    expect(hidden.hosting).to.deep.include({ provider: 'Cloudflare', confidence: 'high' })
    expect(hidden.notes[0]).to.match(/^hosting: Cloudflare delivers the site and hides where it is hosted/)
    const bare = await run({ vendors: facts })
    expect(bare.notes[0]).to.match(/^hosting: Cloudflare delivers/)
    const behind = await run({ headers: { 'cf-ray': '1-FRA', 'x-shopid': '1' }, vendors: facts })
    expect(behind.hosting).to.deep.include({ provider: 'Shopify', confidence: 'high' })
    expect(behind.notes).to.deep.equal(['hosting: Cloudflare delivers the site in front of Shopify.'])
  })

  it('a platform by its header or alias is medium without its network, high with it', async () => {
    const netlify = await run({ headers: { 'x-nf-request-id': '1' } })
    expect(netlify.hosting).to.deep.include({ provider: 'Netlify', confidence: 'medium', asn: null })
    const pages = await run({ aliases: ['acme.github.io'], vendors: { cymru: { asn: 54113, asn_org: 'FASTLY' } } })
    expect(pages.hosting).to.deep.include({ provider: 'GitHub Pages', confidence: 'high' })
    const other = await run({ headers: { via: '1.1 x', 'x-served-by': 'cache-fra-1' }, vendors: { cymru: { asn: 64500, asn_org: 'One' } } })
    expect(other.hosting).to.deep.include({ provider: 'Fastly', confidence: 'medium' })
  })

  it('registries of addresses are asked only when nobody else knows anything', async () => {
    const known = await run({ vendors: { cymru: { asn: 64500, asn_org: 'One' }, rdap: { asn_org: 'Two' } } })
    expect(known.asked).to.deep.equal([['cymru']])
    const unknown = await run({ vendors: { cymru: null, rdap: { asn_org: 'Two', country: 'FR' } } })
    expect(unknown.asked).to.deep.equal([['cymru'], ['rdap']])
    expect(unknown.hosting).to.deep.include({ provider: 'Two', confidence: 'low', asn: null, country: 'FR' })
  })

  it('nobody is asked about an address inside, and a host without one is no result', async () => {
    const fault = async (world: World) =>
      run(world).then(
        () => null,
        (error: unknown) => (Fault.is(error) ? error.kind : error),
      )
    expect(await fault({ inside: true, vendors: { cymru: { asn: 1 } } })).to.equal('blocked')
    expect(await fault({ a: [] })).to.equal('missing')
    expect((await run({ a: [], aaaa: ['2001:db8::1'] })).hosting).to.deep.include({ ip: '2001:db8::1', provider: null, confidence: null })
  })

  it('addresses are reversed for name servers', () => {
    expect(reversedName('203.0.113.10')).to.deep.equal({ v6: false, name: '10.113.0.203' })
    expect(reversedName('2001:db8:1::8').name).to.equal('0.0.0.0.1.0.0.0.8.b.d.0.1.0.0.2')
    expect(reversedName('::ffff:192.0.2.1').name).to.equal(Array.from({ length: 16 }, () => '0').join('.'))
  })
})
