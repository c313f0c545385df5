import { expect } from 'chai'
import { createSocket } from 'node:dgram'
import type { AddressInfo } from 'node:net'
import type { Slug } from '../../../core/problems/catalogue.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { logInto, type LogLine } from '../../support/log-lines.js'
import { needsProgram } from '../../support/needs.js'
import { expectProblem } from '../../support/problem.js'

/** A port that nobody listens at. */
async function silentPort(): Promise<number> {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const { port }: AddressInfo = socket.address()
  await new Promise<void>((resolve) => socket.close(() => resolve()))
  return port
}

describe('B14 a gateway whose name server does not answer', function () {
  this.timeout(120_000)
  const lines: LogLine[] = []
  let gateway: TestGateway
  before(async () => {
    gateway = await startGateway({
      bundled: true,
      env: { CAPSTAN_DNS: `127.0.0.1:${await silentPort()}` },
      overrides: { log: logInto(lines) },
    })
  })
  after(async () => await gateway.close())

  const LACK = 'The gateway lacks an answer of its name servers.'
  const cases: readonly (readonly [string, string, Record<string, unknown>, Slug, string, 'chromium' | null])[] = [
    ['a page by plain request', '/v1/scrape', { url: 'http://example.com/', mode: 'fast' }, 'overloaded', LACK, null],
    ['results of a search', '/v1/search', { query: 'hello', mode: 'serp' }, 'overloaded', LACK, null],
    ['an answer of a search', '/v1/search', { query: 'hello', mode: 'ai' }, 'overloaded', LACK, null],
    ['a page in a browser', '/v1/scrape', { url: 'https://example.com/' }, 'overloaded', LACK, 'chromium'],
    ['a picture', '/v1/screenshots/capture', { url: 'https://example.com/' }, 'overloaded', LACK, 'chromium'],
    [
      'a picture over http',
      '/v1/screenshots/capture',
      { url: 'http://example.com/' },
      'target-unavailable',
      'the host name could not be resolved.',
      'chromium',
    ],
  ]
  for (const [what, path, body, slug, detail, program] of cases)
    it(`${what} is ${slug}: may be tried again, and nothing of it is called blocked`, async function () {
      if (program !== null) needsProgram(this, 'chromium-headless-shell')
      const before = await gateway.money()
      const reply = await gateway.post(path, body)
      const { error } = expectProblem(reply, slug)
      expect(error).to.include({ detail, is_retriable: true, error_category: 'transient' })
      expect(error?.alternative_action).to.match(/^Wait as long as Retry-After says and try again/)
      expect(Number(reply.headers['retry-after'])).to.be.within(1, 60)
      expect(await gateway.money()).to.deep.equal(before)
    })

  it('the log names it, and no provider is suspended for it', () => {
    expect(lines.filter(({ event }) => event === 'name-servers-away').length).to.be.above(0)
    expect(gateway.app.services.suspensions.list()).to.deep.equal([])
  })
})
