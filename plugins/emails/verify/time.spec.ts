import { expect } from 'chai'
import type { ServerResponse } from 'node:http'
import { httpServer, type Running } from '../../../core/sdk/testkit/servers.js'
import { MailWorld, type Verified } from '../../../test/support/mail-world.js'
import { HandClock } from '../../../test/support/outbound.js'
import { eventually } from '../../../test/support/replicas.js'

const UNKNOWN = { address: '', status: 'unknown', sub_status: 'greylisted', free_email: false, domain_age_days: '77', mx_found: 'true' }

describe('emails.verify: vendors that take long', function () {
  this.timeout(60_000)
  let world: MailWorld
  let vendors: Running
  const clock = new HandClock()
  /** The answer of each vendor to a request. */
  let answers: Record<string, (response: ServerResponse) => unknown> = {}
  let asked: string[] = []
  const held: ServerResponse[] = []

  before(async () => {
    vendors = await httpServer((request, response) => {
      const name = (request.url ?? '').split('/', 2)[1] ?? ''
      asked.push(name)
      request.resume()
      answers[name]?.(response)
    })
    world = await MailWorld.start({
      clock,
      env: {
        ZEROBOUNCE_API_KEY: 'k1',
        CAPSTAN_VENDOR_ZEROBOUNCE_URL: `${vendors.url}/zerobounce`,
        NEVERBOUNCE_API_KEY: 'k2',
        CAPSTAN_VENDOR_NEVERBOUNCE_URL: `${vendors.url}/neverbounce`,
      },
    })
  })
  after(async () => {
    for (const response of held) response.destroy()
    await world?.close()
    await vendors?.close()
  })
  beforeEach(() => {
    asked = []
    const { suspensions } = world.gateway.app.services
    for (const id of suspensions.ids()) suspensions.resume(id)
  })

  const after17s = (response: ServerResponse): void => {
    clock.advance(17_000)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(UNKNOWN))
  }

  it('what the first one answered is returned before the deadline, and none is asked in the last seconds', async () => {
    await world.net.domain('acme.test', { mailboxes: { 'ada@acme.test': 'exists' } })
    answers = { zerobounce: after17s, neverbounce: (response) => held.push(response) }
    let reply: Awaited<ReturnType<MailWorld['ask']>> | null = null
    const done = world.ask('ada@acme.test').then((each) => (reply = each))
    await eventually(() => asked.includes('neverbounce'), 'the second vendor')
    clock.advance(10_000)
    await eventually(() => reply !== null, 'an answer 27 seconds after the question')
    const got = await done
    expect(got.status).to.equal(200)
    expect(got.json<{ data: Verified }>().data).to.include({ status: 'unknown', sub_status: 'greylisted' })
    expect(asked).to.deep.equal(['zerobounce', 'neverbounce'])
    expect(world.net.connected).to.deep.equal([])
  })

  it('where nobody answered in time that is said, before the deadline too', async () => {
    await world.net.domain('other.test', { mailboxes: { 'ada@other.test': 'exists' } })
    answers = { zerobounce: (response) => held.push(response), neverbounce: (response) => held.push(response) }
    let reply: Awaited<ReturnType<MailWorld['ask']>> | null = null
    const done = world.ask('ada@other.test').then((each) => (reply = each))
    await eventually(() => asked.includes('zerobounce'), 'the first vendor')
    clock.advance(18_000)
    await eventually(() => asked.includes('neverbounce'), 'the second vendor')
    clock.advance(9_500)
    await eventually(() => reply !== null, 'an answer 27.5 seconds after the question')
    expect((await done).status).to.equal(502)
  })
})
