import { expect } from 'chai'
import { send } from '../support/gateway.js'
import { GuestPlugins } from '../support/guest-plugin.js'
import { expectProblem } from '../support/problem.js'
import { Served, soon } from '../support/served.js'
import { until } from '../support/time.js'

/** Far above what a stop takes beside the grace, far below the grace that is set by default. */
const LONGEST_MS = 25_000

describe('limits.grace of capstan serve', function () {
  this.timeout(90_000)
  const guests = new GuestPlugins()
  let served: Served
  before(() => guests.write({ name: 'hangs', providers: { hangs: { run: 'async () => new Promise(() => undefined)' } } }))
  after(() => guests.remove())
  afterEach(() => served.end())

  it('is what calls get that run at a SIGTERM: then they are answered, what they held is given back, and it ends', async () => {
    served = new Served({ env: { CAPSTAN_PLUGINS: guests.folder, CAPSTAN_LIMIT_GRACE: '1s' } })
    await served.line('ready')
    const { key } = await served.account(100)
    const running = served.send('/v1/hangs', { key, body: { text: 'a' } })
    const inFlight = async (): Promise<string> => (await send(`${served.adminUrl}/metrics`)).text
    await until(async () => /^capstan_calls_in_flight 1$/m.test(await inFlight()))
    served.signal('SIGTERM')
    expectProblem(await soon(running, LONGEST_MS), 'overloaded')
    expect(await soon(served.ended, LONGEST_MS)).to.deep.equal({ code: 0, signal: null })
    expect(served.err).to.contain('1 running calls get 1000 ms')
  })
})
