import { expect } from 'chai'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { startGateway, type TestGateway } from '../../test/support/gateway.js'

const CALLS = 4
/** Turns of the event loop for which a reply is held, so that other callers' requests could arrive. */
const HELD = 200

describe('wikidata: requests of all callers together', function () {
  this.timeout(60_000)
  let server: Running
  let gateway: TestGateway
  let running = 0
  let most = 0
  let asked = 0

  before(async () => {
    server = await httpServer((request, response) => {
      asked++
      most = Math.max(most, ++running)
      request.resume()
      const answer = (left: number): void => {
        if (left > 0) return void setImmediate(() => answer(left - 1))
        running--
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"search":[]}')
      }
      answer(HELD)
    })
    gateway = await startGateway({
      bundled: true,
      env: { CAPSTAN_ALLOW_PRIVATE: '127.0.0.1', CAPSTAN_VENDOR_WIKIDATA_URL: server.url, CAPSTAN_WATERFALL_PROFILES_FIND: 'wikidata' },
    })
  })
  after(async () => {
    await gateway?.close()
    await server?.close()
  })

  it('come one after another', async () => {
    const keys = await Promise.all(Array.from({ length: CALLS }, async () => (await gateway.newKey()).key))
    const names = ['Ada', 'Alan', 'Grace', 'Edsger']
    const replies = await Promise.all(
      keys.map((key, at) => {
        const body = { first_name: names[at], last_name: 'Lovelace', company: 'Acme' }
        return gateway.send('/v1/profiles/find', { method: 'POST', body, key })
      }),
    )
    expect(replies.map(({ status }) => status)).to.deep.equal(keys.map(() => 422))
    expect([asked, most]).to.deep.equal([CALLS, 1])
  })
})
