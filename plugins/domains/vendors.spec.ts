import { expect } from 'chai'
import type { DnsServer } from '../../core/sdk/testkit/dns-server.js'
import { zoneServer } from '../../core/sdk/testkit/dns-zones.js'
import { rdapServer, type RdapServer } from '../../core/sdk/testkit/rdap-server.js'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { startGateway, type TestGateway } from '../../test/support/gateway.js'

interface Entry {
  readonly domain: string
  readonly status: string
  readonly available: boolean | null
  readonly premium: boolean | null
  readonly price: { registration: number; renewal: number | null; source: string } | null
}
interface Priced {
  readonly tld: string
  readonly price: { registration: number; source: string } | null
  readonly prices: { registration: number | null; source: string }[]
}
interface Body {
  readonly data: { domains: Entry[]; extensions: Priced[] }
  readonly metadata: { notes?: string[]; providers_tried: string[]; attempts: { provider: string; port: string; outcome: string }[] }
}

const USER = { NAMECHEAP_API_USER: 'user', NAMECHEAP_API_KEY: 'key-one', CAPSTAN_NAMECHEAP_CLIENT_IP: '192.0.2.7' }
const xml = (body: string) =>
  `<?xml version="1.0"?><ApiResponse Status="OK"><Errors/><CommandResponse>${body}</CommandResponse></ApiResponse>`
const checked = (domain: string) =>
  `<DomainCheckResult Domain="${domain}" Available="${String(!domain.startsWith('sold'))}" ErrorNo="${domain.startsWith('odd') ? '3031510' : '0'}" ` +
  `IsPremiumName="${String(domain.startsWith('gold'))}" PremiumRegistrationPrice="5200.00" PremiumRenewalPrice="-1" EapFee="${domain.startsWith('early') ? '99.5' : '0'}"/>`
const sheet = (com: string, io: string) =>
  `<UserGetPricingResult><ProductType Name="domains"><ProductCategory Name="register">${[
    ['com', com],
    ['io', io],
    ['dev', '-4'],
  ]
    .map(
      ([tld, price]) =>
        `<Product Name="${tld ?? ''}"><Price Duration="1" DurationType="YEAR" Price="${price ?? ''}" Currency="USD"/></Product>`,
    )
    .join('')}</ProductCategory></ProductType></UserGetPricingResult>`

describe('domains: vendors that disagree', function () {
  this.timeout(60_000)
  const servers: (Running | RdapServer | DnsServer)[] = []
  const asked: Record<string, string[]> = { namecheap: [], godaddy: [], domainr: [] }
  let key: string
  let gateway: TestGateway
  let slow: TestGateway

  /** A vendor's server; the callback gets the address and body of each request. */
  const vendor = async (name: string, answer: (url: URL, body: string) => unknown): Promise<string> => {
    const server = await httpServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        const url = new URL(request.url ?? '', 'http://vendor')
        asked[name]?.push(`${url.searchParams.get('DomainList') ?? ''}${url.searchParams.get('domain') ?? ''}${body}`)
        const said = answer(url, body)
        if (typeof said === 'string') response.writeHead(200, { 'content-type': 'text/xml' }).end(said)
        else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said))
      })
    })
    servers.push(server)
    return server.url
  }

  before(async () => {
    const names = await zoneServer({ 'taken.com': { NS: ['ns1.host.example'] } })
    const rdap = await rdapServer({ tlds: ['com', 'app'] })
    servers.push(names, rdap)
    const world = { CAPSTAN_ALLOW_PRIVATE: '127.0.0.1', CAPSTAN_DNS: names.address, CAPSTAN_RDAP_BOOTSTRAP: rdap.bootstrap }
    const porkbun = await vendor('porkbun', () => ({
      status: 'SUCCESS',
      pricing: { com: { registration: '11.08', renewal: '11.08' }, io: { registration: '28.12', renewal: '51.80' } },
    }))
    const namecheap = await vendor('namecheap', ({ searchParams: query }) => {
      const register = query.get('ActionName') === 'REGISTER'
      const list = query.get('DomainList')
      if (list === null) return xml(register ? sheet('10.28', '3.98') : sheet('14.58', '99999999'))
      return xml([...list.split(','), 'not-asked.com'].map(checked).join(''))
    })
    const godaddy = await vendor('godaddy', (_, body) => ({
      domains: (JSON.parse(body) as string[]).map((domain) => ({
        domain,
        available: !domain.startsWith('odd-taken'),
        definitive: !domain.startsWith('odd-last'),
        price: domain.startsWith('odd-gold') ? 4_999_000_000 : 21_990_000,
        currency: 'USD',
      })),
    }))
    const domainr = await vendor('domainr', ({ searchParams: query }) => ({
      status: query.get('domain') === 'odd-last.com' ? 'undelegated dpml' : 'undelegated inactive',
    }))
    gateway = await startGateway({
      bundled: true,
      env: {
        ...world,
        ...USER,
        CAPSTAN_RDAP_PER_SECOND: '100',
        CAPSTAN_VENDOR_PORKBUN_URL: porkbun,
        CAPSTAN_VENDOR_NAMECHEAP_URL: namecheap,
        GODADDY_API_KEY: 'key-two',
        GODADDY_API_SECRET: 'secret-two',
        CAPSTAN_VENDOR_GODADDY_URL: godaddy,
        FASTLY_API_TOKEN: 'key-three',
        CAPSTAN_VENDOR_DOMAINR_URL: domainr,
      },
    })
    slow = await startGateway({
      bundled: true,
      env: { ...world, CAPSTAN_RDAP_PER_SECOND: '0.1', CAPSTAN_WHOIS: '127.0.0.1:9', CAPSTAN_VENDOR_PORKBUN_URL: porkbun },
    })
    key = (await gateway.newKey()).key
  })
  after(async () => {
    await Promise.all([gateway?.close(), slow?.close()])
    await Promise.all(servers.map((server) => server.close()))
  })

  const ask = async (body: Record<string, unknown>): Promise<Body> =>
    (await gateway.send('/v1/domains', { method: 'POST', body, key })).json<Body>()

  it('each is asked about what nobody before could tell for sure', async () => {
    const domains = [
      'taken.com',
      'free.com',
      'sold.com',
      'gold.com',
      'early.app',
      'odd-free.com',
      'odd-gold.com',
      'odd-taken.com',
      'odd-last.com',
    ]
    const { data, metadata } = await ask({ mode: 'check-availability', domains })
    expect(
      data.domains.map(({ domain, status, available, price }) => [domain, status, available, price?.registration, price?.source]),
    ).to.deep.equal([
      ['taken.com', 'registered', false, undefined, undefined],
      ['free.com', 'available', true, 11.08, 'porkbun'],
      ['sold.com', 'unknown', false, undefined, undefined],
      ['gold.com', 'premium', true, 5200, 'namecheap'],
      ['early.app', 'early-access', true, undefined, undefined],
      ['odd-free.com', 'available', true, 11.08, 'porkbun'],
      ['odd-gold.com', 'premium', true, 4999, 'godaddy'],
      ['odd-taken.com', 'unknown', false, undefined, undefined],
      ['odd-last.com', 'unknown', false, undefined, undefined],
    ])
    expect(asked.namecheap?.find((each) => each !== '')).to.equal(domains.slice(1).join(','))
    expect(asked.godaddy?.[0]).to.equal(JSON.stringify(domains.slice(5)))
    expect(asked.domainr).to.deep.equal(['odd-last.com'])
    expect(metadata.notes).to.deep.equal([
      'Cannot be registered according to the registry or a registrar: sold.com, odd-taken.com, odd-last.com.',
    ])
    expect(metadata.providers_tried).to.include.members(['dns', 'rdap', 'namecheap', 'godaddy'])
  })

  it('T-56 prices are typed and bounded, each has its vendor, and vendors far apart are named', async () => {
    const { data, metadata } = await ask({ mode: 'pricing', tlds: ['com', 'io'] })
    const said = data.extensions.map(({ tld, price, prices }) => [
      tld,
      price?.source,
      prices.map((each) => `${each.source} ${String(each.registration)}`),
    ])
    expect(said).to.deep.equal([
      ['com', 'porkbun', ['namecheap 10.28', 'porkbun 11.08', 'godaddy 21.99']],
      ['io', 'porkbun', ['namecheap 3.98', 'godaddy 21.99', 'porkbun 28.12']],
    ])
    expect(data.extensions[1]?.prices[0]).to.include({ registration: 3.98, renewal: null })
    expect(metadata.notes).to.deep.equal(['Prices of the vendors differ widely for io: compare before you buy.'])
  })

  it('a registry that is asked once in ten seconds is not waited for: all but one are unknown', async () => {
    const own = (await slow.newKey()).key
    const body = { mode: 'check-availability', domains: ['one.com', 'two.com', 'three.com'] }
    const reply = (await slow.send('/v1/domains', { method: 'POST', body, key: own })).json<Body>()
    expect(reply.data.domains.map(({ status, available }) => `${status} ${String(available)}`).sort()).to.deep.equal([
      'available true',
      'unknown null',
      'unknown null',
    ])
  })
})
