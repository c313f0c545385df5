import { expect } from 'chai'
import { useFakeTimers } from 'sinon'
import { systemClock } from '../../../core/runtime/clock.js'
import { checkOutside } from '../../../scripts/capstan/cli/outside.js'
import { createOutbound } from '../../../core/outbound/index.js'
import { zoneServer } from '../../../core/sdk/testkit/dns-zones.js'
import { httpServer } from '../../../core/sdk/testkit/servers.js'

describe('capstan doctor: what is outside', () => {
  const check = async (dns: string, tcpPort: number) => {
    const outbound = createOutbound(
      { allowPrivate: ['127.0.0.1'], proxy: null, dns, perHost: 8, userAgent: 'test' },
      systemClock,
      () => undefined,
    )
    try {
      const at = { name: 'site.example', url: `http://site.example:${tcpPort}/`, dns, dnsVariable: 'CAPSTAN_DNS' }
      return await checkOutside(outbound, systemClock, at)
    } finally {
      await outbound.close()
    }
  }

  it('a resolver that answers and a page that is there, whatever its status', async () => {
    const names = await zoneServer({ 'site.example': { A: ['127.0.0.1'] } })
    const site = await httpServer((_request, response) => response.writeHead(503).end())
    const [resolver, internet] = await check(names.address, site.port)
    expect(resolver).to.include({ name: 'resolver', ok: true })
    expect(internet).to.include({ name: 'internet', ok: true })
    expect(internet?.detail).to.match(/^http:\/\/site\.example:\d+\/ answered in \d+ ms$/)
    await site.close()
    await names.close()
  })

  it('a page that is not reached', async () => {
    const names = await zoneServer({ 'site.example': { A: ['127.0.0.1'] } })
    const site = await httpServer((_request, response) => response.end())
    await site.close()
    const [resolver, internet] = await check(names.address, site.port)
    await names.close()
    expect(resolver).to.include({ ok: true })
    expect(internet).to.include({ name: 'internet', ok: false })
    expect(internet?.detail).to.contain('cannot be reached (')
  })

  it('what gives no answer is given up after a second, both at once', async () => {
    const timers = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const never = { query: () => new Promise(() => undefined), get: () => new Promise(() => undefined) }
    const clock = { ...systemClock, after: (ms: number, done: () => void) => (timers.setTimeout(done, ms), () => undefined) }
    try {
      const checking = checkOutside({ net: never, web: never } as unknown as Parameters<typeof checkOutside>[0], clock, {
        ...{ name: 'site.example', url: 'http://site.example/', dns: null, dnsVariable: 'CAPSTAN_DNS' },
      })
      await timers.tickAsync(1_000)
      expect((await checking).map(({ ok, detail }) => [ok, detail])).to.deep.equal([
        [false, "no answer for site.example from the system's name servers (no answer within 1 s); set CAPSTAN_DNS to another one"],
        [
          false,
          'http://site.example/ cannot be reached (no answer within 1 s); capabilities that need only this machine or your own network still work',
        ],
      ])
    } finally {
      timers.restore()
    }
  })
})
