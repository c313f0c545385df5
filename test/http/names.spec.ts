import { expect } from 'chai'
import type { Behaviour } from '../support/test-plugin.js'
import { startGateway } from '../support/gateway.js'
import { nameServer } from '../../core/sdk/testkit/dns-zones.js'
import { httpServer } from '../../core/sdk/testkit/servers.js'
import { expectProblem } from '../support/problem.js'
import { atMost, until, waited } from '../support/time.js'

describe('F-37 names that nobody answers for', () => {
  it('are the share of one account, which is refused with a time to retry; pages of another account are read at once', async function () {
    const page = await httpServer((_request, response) => response.end('page'))
    const names = await nameServer((name, type) => {
      if (name.endsWith('.test')) return undefined
      return type === 'A' ? [{ type: 'A', name, data: '127.0.0.1' }] : []
    })
    const run: Behaviour = async ({ text }, context) => {
      const urls = Array.from({ length: 40 }, (_, index) =>
        text === 'good' ? `http://good.example:${page.port}/` : `http://d${index}.test/`,
      )
      const pages = await Promise.all(text === 'good' ? [context.web.get(urls[0] ?? '')] : urls.map((url) => context.web.get(url)))
      return { text: Buffer.from(pages[0]?.bytes ?? []).toString() }
    }
    const gateway = await startGateway({
      script: { 'test.echo': [{ vendor: 'one', run }] },
      env: { CAPSTAN_DNS: names.address, CAPSTAN_ALLOW_PRIVATE: `127.0.0.1:${page.port}` },
    })
    const [one, two] = [await gateway.newAccount(100), await gateway.newAccount(100)]
    const silent = gateway.send('/v1/test/echo', { key: one.key, body: { text: 'silent' } })
    await until(() => names.questions.length >= 64)
    const { own } = await waited(async () => {
      const good = await gateway.send('/v1/test/echo', { key: two.key, body: { text: 'good' } })
      expect([good.status, good.json<{ data: { text: string } }>().data.text]).to.deep.equal([200, 'page'])
    })
    await atMost(this, { what: 'the answer', value: own, limit: 1_000 })
    expect(new Set(names.questions.filter((question) => question.startsWith('A d')))).to.have.lengthOf(32)
    const refused = await silent
    expectProblem(refused, 'target-unavailable')
    expect(refused.headers['retry-after']).to.equal('30')
    await gateway.close()
    await Promise.all([names.close(), page.close()])
  })
})
