import type { RequestListener } from 'node:http'
import { expect } from 'chai'
import { zoneServer } from '../../core/sdk/testkit/dns-zones.js'
import type { DnsServer } from '../../core/sdk/testkit/dns-server.js'
import { rdapServer, type RdapServer } from '../../core/sdk/testkit/rdap-server.js'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { startGateway, type TestGateway } from '../../test/support/gateway.js'
import { later } from '../../test/support/time.js'
import { allExtensions, isOpen } from './catalogue/extensions.js'

const HOSTS = 50
const DELAY_MS = 100

interface Body {
  readonly data: { domains: { domain: string; status: string }[] }
}

describe('domains: a page of 50 names over RDAP servers on 50 hosts', function () {
  this.timeout(60_000)
  const tlds = allExtensions()
    .filter((extension) => isOpen(extension) && extension.theme !== 'internationalised')
    .slice(0, HOSTS)
    .map(({ tld }) => tld)
  const servers: Running[] = []
  /** Answers held until every server was queried; null when each is sent after its delay. */
  let held: (() => void)[] | null = []
  let asked = 0
  let list: RdapServer
  let names: DnsServer
  let gateway: TestGateway

  const registry: RequestListener = ({ url = '' }, response) => {
    asked++
    const taken = url.includes('/domain/taken.')
    const record = taken ? { objectClassName: 'domain', ldhName: url.split('/').at(-1) } : { errorCode: 404 }
    const answer = (): void => {
      response.writeHead(taken ? 200 : 404, { 'content-type': 'application/rdap+json' }).end(JSON.stringify(record))
    }
    if (held === null) later(DELAY_MS, answer)
    else if (held.push(answer) === HOSTS) for (const each of held) each()
  }

  before(async () => {
    for (const [at] of tlds.entries()) servers.push(await httpServer(registry, `127.0.2.${String(at + 1)}`))
    list = await rdapServer({ host: '127.0.2.250', services: () => tlds.map((tld, at) => [[tld], [`${servers[at]?.url ?? ''}/rdap/`]]) })
    names = await zoneServer({})
    gateway = await startGateway({
      bundled: true,
      env: {
        CAPSTAN_ALLOW_PRIVATE: '127.0.2.0/24',
        CAPSTAN_DNS: names.address,
        CAPSTAN_RDAP_BOOTSTRAP: list.bootstrap,
        // Nothing listens there: prices are unavailable, and nothing waits for them.
        CAPSTAN_VENDOR_PORKBUN_URL: 'http://127.0.0.1:9',
      },
    })
  })
  after(async () => {
    await gateway?.close()
    await Promise.all([...servers, list, names].map((server) => server?.close()))
  })

  const search = async (query: string, body: Record<string, unknown> = {}) => {
    const { key } = await gateway.newKey()
    const started = performance.now()
    const reply = await gateway.send('/v1/domains', { method: 'POST', body: { mode: 'search-extensions', query, ...body }, key })
    return { ms: performance.now() - started, entries: reply.json<Body>().data.domains }
  }

  it('all are asked at the same time, each once, and all answer', async () => {
    const { entries } = await search('taken')
    held = null
    expect(entries.map(({ domain }) => domain)).to.deep.equal(tlds.map((tld) => `taken.${tld}`))
    expect([...new Set(entries.map(({ status }) => status))]).to.deep.equal(['registered'])
    expect(asked).to.equal(HOSTS)
  })

  it('so are those of other names; how long that takes is printed', async () => {
    const times: number[] = []
    for (const query of ['free', 'freer', 'freest']) {
      asked = 0
      const { ms, entries } = await search(query)
      times.push(ms)
      expect(entries.every(({ status }) => status === 'available')).to.equal(true)
      expect(asked).to.equal(HOSTS)
    }
    console.log(
      `      ${String(HOSTS)} names over ${String(HOSTS)} hosts of ${String(DELAY_MS)} ms: ${times.map((ms) => ms.toFixed(0)).join(', ')} ms`,
    )
  })

  it('each name is reported as progress while the page is made', async () => {
    const { key } = await gateway.newKey()
    const reply = await gateway.send('/v1/domains', {
      method: 'POST',
      body: { mode: 'search-extensions', query: 'taken' },
      key,
      headers: { accept: 'text/event-stream' },
    })
    const reported = reply.text.split('\n').filter((line) => line.startsWith('data:') && line.includes('checking'))
    expect(reported.join('\n')).to.include('taken.com: registered')
    expect(reported.length).to.be.above(HOSTS / 2)
  })
})
