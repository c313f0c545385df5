import { createServer } from 'node:net'
import { expect } from 'chai'
import { zoneServer, type DnsServer } from '../../core/sdk/testkit/index.js'
import { openBrowser, type TestBrowser } from '../../test/support/browser.js'
import { startCanary, startSite, type Site } from '../../test/support/browser-site.js'
import { CHANNELS, redirectTo } from '../../test/support/egress-channels.js'
import { needsProgram } from '../../test/support/needs.js'

/** Internal hosts of every kind; the last ones are names that resolve to internal addresses. */
const HOSTS = [
  ...['127.0.0.1', '2130706433', '0x7f000001', '0177.0.0.1', '0.0.0.0', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]'],
  ...['[fe80::1]', '[fd00:ec2::254]', '10.0.0.5', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.100.100.200'],
  ...['inside.test', 'private.test', 'six.test', 'alias.test'],
]
/** Other notations, for addresses that are opened. */
const MORE = [
  ...['127.1', '127.8.9.10', 'a.localhost', '127.0.0.1.', '[::]', '[::ffff:10.0.0.5]', '[2002:7f00:1::1]', '224.0.0.1'],
  ...['metadata.google.internal', 'mapped.test'],
]
const ZONES = {
  'inside.test': { A: ['127.0.0.1'] },
  'private.test': { A: ['10.0.0.5', '192.168.1.1'] },
  'six.test': { AAAA: ['::1'] },
  'mapped.test': { AAAA: ['::ffff:127.0.0.1'] },
  'alias.test': { CNAME: ['inside.test'] },
}
const AT_ONCE = 4
/** The full page suite runs all of them (`npm run test:long`). */
const ALL = process.env['CAPSTAN_TEST_LONG'] === 'all'
const CHANNELS_A_PAGE = 4
/** Statuses the guard proxy sends in place of a target. */
const REFUSED = new Set([403, 502, 504])

describe('browser: ways out of a page to places inside', function () {
  this.timeout(180_000)
  let site: Site
  let names: DnsServer
  let browser: TestBrowser
  let canary: Awaited<ReturnType<typeof startCanary>>
  let targets: string[]
  let groups: string[][]
  const statuses: (number | null)[] = []

  before(async function () {
    needsProgram(this, 'chromium-headless-shell')
    needsProgram(this, 'bwrap')
    // On every address of this machine, so that every connection to it is recorded.
    canary = await startCanary((await hasIPv6()) ? '::' : '0.0.0.0')
    names = await zoneServer(ZONES)
    targets = HOSTS.map((host) => `${host}:${canary.port}`)
    const all = Object.keys(CHANNELS)
    groups = Array.from({ length: Math.ceil(all.length / CHANNELS_A_PAGE) }, (_, at) =>
      all.slice(at * CHANNELS_A_PAGE, (at + 1) * CHANNELS_A_PAGE),
    )
    const pages = groups.map((group) => {
      const tries = group.flatMap((name) => targets.map((target) => CHANNELS[name]?.(target) ?? ''))
      const end = `<script>setTimeout(()=>document.body.insertAdjacentHTML('beforeend','<i id="tried"></i>'),700)</script>`
      return `<!doctype html><body>${tries.join('\n')}${end}`
    })
    site = await startSite({
      ...Object.fromEntries(pages.map((page, at) => [`/page/${at}`, page])),
      '/to': redirectTo,
      '/own': '<p id="end">own</p>',
    })
    const hooks = {
      onRequest: ({ kind, status }: { kind: string; status: number | null }) => void (kind === 'proxy' && statuses.push(status)),
    }
    browser = await openBrowser([site.authority], {}, { dns: names.address, hooks })
  })

  beforeEach(() => {
    statuses.length = 0
    site.requests.length = 0
  })

  after(async () => {
    await browser?.close()
    await site?.close()
    await names?.close()
    await canary?.close()
  })

  /** Only the site's own answers passed the guard proxy; any other way out would have reached the canary. */
  function assertNothingGotThrough(): void {
    expect(canary.hits).to.deep.equal([])
    expect(statuses.filter((status) => !REFUSED.has(status ?? 0)).length).to.be.at.most(site.requests.length)
  }

  it(`T-21 ${Object.keys(CHANNELS).length} channels to ${HOSTS.length} places: 0 connections`, async () => {
    await inTurns(groups, async (_group, at) => {
      await browser.open(`${site.url}/page/${at}`, { wait_for: '#tried', timeout_ms: 60_000 })
    })
    await browser.open(`${site.url}/own`)
    assertNothingGotThrough()
    expect(statuses.filter((status) => REFUSED.has(status ?? 0)).length, 'what the guard refused').to.be.greaterThan(HOSTS.length * 20)
  })

  it('T-18 an address that is one of them, and a redirect to one, are refused', async () => {
    const places = [...targets, ...MORE.map((host) => `${host}:${canary.port}`)].map((target) => `http://${target}/`)
    const redirects = places.map((place) => `${site.url}/to?${place}`)
    // Each host is tested at least one way by `npm test`, and both ways by the full page suite.
    const addresses = [
      ...places.filter((_, at) => ALL || at % 2 === 0),
      `https://127.0.0.1:${canary.port}/`,
      ...redirects.filter((_, at) => ALL || at % 2 === 1),
    ]
    const kinds: Record<string, string> = {}
    await inTurns(addresses, async (address) => {
      kinds[address] = (await browser.refused(address)).kind
    })
    expect(Object.entries(kinds).filter(([, kind]) => kind !== 'blocked' && kind !== 'missing')).to.deep.equal([])
    assertNothingGotThrough()
  })
})

/** Runs the work for each, as many at once as the browser opens. */
async function inTurns<T>(all: readonly T[], work: (each: T, at: number) => Promise<void>): Promise<void> {
  const left = [...all.entries()]
  const turn = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next[1], next[0])
  }
  await Promise.all(Array.from({ length: AT_ONCE }, turn))
}

function hasIPv6(): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(0, '::', () => server.close(() => resolve(true)))
  })
}
