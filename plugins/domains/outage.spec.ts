import { expect } from 'chai'
import { rdapServer } from '../../core/sdk/testkit/rdap-server.js'
import { httpServer, tcpServer, type Running } from '../../core/sdk/testkit/servers.js'
import type { Reply } from '../../test/support/gateway.js'
import { HandClock } from '../../test/support/outbound.js'
import { expectProblem } from '../../test/support/problem.js'
import { until } from '../../test/support/time.js'
import { zoneServer } from '../../core/sdk/testkit/dns-zones.js'
import { startGateway, type TestGateway } from '../../test/support/gateway.js'

const PRICES = { status: 'SUCCESS', pricing: { com: { registration: '11.08', renewal: '11.08' } } }

describe('domains: vendors and registries that are out', function () {
  this.timeout(60_000)
  const closers: { close(): Promise<void> }[] = []
  const clock = new HandClock()
  let gateway: TestGateway
  let shop: Running
  let says: { status?: number; headers?: Record<string, string>; json: unknown } = { json: PRICES }
  let asked = 0

  before(async () => {
    shop = await httpServer((request, response) => {
      asked++
      const { status = 200, headers = {}, json } = says
      request
        .resume()
        .on('end', () => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json)))
    })
    const silent = await tcpServer(() => undefined)
    const names = await zoneServer({})
    const list = await rdapServer({ services: () => [[['com'], [`http://127.0.0.1:${String(silent.port)}/`]]] })
    closers.push(shop, silent, names, list)
    gateway = await startGateway({
      bundled: true,
      env: {
        CAPSTAN_ALLOW_PRIVATE: '127.0.0.1',
        CAPSTAN_DNS: names.address,
        CAPSTAN_RDAP_BOOTSTRAP: list.bootstrap,
        CAPSTAN_WHOIS: `127.0.0.1:${String(silent.port)}`,
        CAPSTAN_VENDOR_PORKBUN_URL: shop.url,
      },
      overrides: { clock },
    })
  })
  after(async () => {
    await gateway?.close()
    for (const each of closers) await each.close()
  })

  const ask = (body: Record<string, unknown>, order: string): Promise<Reply> =>
    gateway.post('/v1/domains', body, { 'idempotency-key': order })
  const pricing = (order: string): Promise<Reply> => ask({ mode: 'pricing', tlds: ['com', 'io'] }, order)

  const failures: readonly (readonly [string, typeof says, number])[] = [
    ['asks for a pause', { status: 429, headers: { 'retry-after': '7' }, json: {} }, 7],
    ['fails', { status: 500, json: {} }, 3_600],
    ['refuses the key', { status: 401, json: {} }, 7_200],
    ['answers with an error', { json: { status: 'ERROR', message: 'no' } }, 3_600],
  ]
  for (const [what, failing, pause] of failures)
    it(`V2 a price vendor that ${what} is a failure to be tried again, and its prices are there as soon as it may be asked`, async () => {
      const order = what.replaceAll(' ', '-')
      const { balance } = await gateway.money()
      says = failing
      const failed = expectProblem(await pricing(order), 'providers-failed', what === 'asks for a pause' ? { category: 'transient' } : {})
      if (what === 'asks for a pause') expect(failed.error?.retry_after_seconds).to.equal(7)
      const again = await pricing(`${order}-again`)
      expect(
        again.json().metadata.attempts?.map(({ provider }) => provider),
        again.text,
      ).to.include('porkbun')
      expect(again.json().error?.is_retriable, again.text).to.equal(true)
      says = { json: PRICES }
      clock.advance(pause * 1_000)
      const { data } = (await pricing(order)).json<{ data: { extensions: { tld: string; price: { registration: number } | null }[] } }>()
      expect(data.extensions.map(({ price }) => price?.registration ?? null)).to.deep.equal([11.08, null])
      expect((await gateway.money()).balance).to.be.below(balance)
      // The list is cached for a day from now on.
      const before = asked
      await pricing(`${order}-kept`)
      expect(asked).to.equal(before)
      clock.advance(3 * 86_400_000)
    })

  it('23 without the internet the answer names the host that is unknown, and nothing is called busy', async () => {
    const names = await zoneServer({})
    const offline = await startGateway({
      bundled: true,
      env: { CAPSTAN_DNS: names.address, CAPSTAN_RDAP_BOOTSTRAP: 'https://rdap.registry.example/dns.json' },
    })
    try {
      const body = { mode: 'suggest-names', description: 'Solar kettles for small cafés' }
      const { error } = expectProblem(await offline.post('/v1/domains', body), 'providers-failed', { category: 'transient' })
      expect(error?.detail).to.match(/the host name (?:rdap\.registry\.example|whois\.[a-z.-]+) is unknown/)
    } finally {
      await offline.close()
      await names.close()
    }
  })

  it('P3 a registry that hangs is recorded as busy, and not as one that knows nothing of the name', async () => {
    let reply: Reply | null = null
    void ask({ mode: 'check-availability', domains: ['acme.com', 'other.com'] }, 'hung').then((each) => (reply = each))
    await until(() => {
      clock.advance(50)
      return reply !== null
    })
    const failed = expectProblem(reply as unknown as Reply, 'providers-failed', { category: 'transient' })
    const rdap = failed.metadata.attempts?.filter(({ provider, port }) => provider === 'rdap' && port === 'domains.availability')
    expect(rdap?.map(({ outcome }) => outcome)).to.deep.equal(['busy'])
  })
})
