import { expect } from 'chai'
import { systemClock } from '../../../core/runtime/clock.js'
import { FindNet, FindWorld } from '../../../test/support/find-world.js'
import { Site } from '../../../test/support/replicas.js'

const FILE = 'plugins:\n  emails:\n    ehlo_name: probe.test\n    probes_per_account_per_day: 5\n'
const ADA = { first_name: 'Ada', last_name: 'Lovelace' }

describe('emails.find: what an account may have asked for in a day', function () {
  this.timeout(120_000)
  let world: FindWorld

  beforeEach(async () => (world = await FindWorld.start({ file: FILE })))
  afterEach(() => world?.close())

  it('A10 T-39 each mailbox counts, the sixth is 429 and names the setting, also for a new key of the account', async () => {
    const server = await world.domain('acme.test', { mail: { mailboxes: { 'ada_lovelace@acme.test': 'exists' } } })
    const refused = await world.ask({ ...ADA, domain: 'acme.test' })
    expect(refused.status).to.equal(429)
    expect(refused.text).to.contain('plugins.emails.probes_per_account_per_day').and.not.contain('ovelace')
    expect(Number(refused.headers['retry-after'])).to.be.greaterThan(0)
    // One that does not exist, and five.
    expect(server?.lines.filter((line) => line.startsWith('RCPT')).length).to.equal(6)
    await world.domain('small.test', { mail: { mailboxes: { 'ada.lovelace@small.test': 'exists' } } })
    expect((await world.ask({ ...ADA, domain: 'small.test' })).status).to.equal(429)
    const { key: second } = await world.gateway.newKey()
    expect((await world.ask({ ...ADA, domain: 'small.test' }, second)).status).to.equal(429)
    const { key } = await world.gateway.newAccount(100)
    expect((await world.ask({ ...ADA, domain: 'small.test' }, key)).status, 'another account').to.equal(200)
  })

  it('T-39 the count is that of emails.verify', async () => {
    const mailboxes = { 'flovelace@both.test': 'exists', 'alovelace@both.test': 'exists' }
    await world.domain('both.test', { mail: { mailboxes } })
    const { key } = await world.gateway.newKey()
    expect((await world.ask({ ...ADA, domain: 'both.test' }, key)).status).to.equal(200)
    const verify = async (email: string): Promise<number> =>
      (await world.gateway.send('/v1/emails/verify', { method: 'POST', body: { email }, key })).status
    const found = [await verify('a@both.test'), await verify('b@both.test'), await verify('c@both.test'), await verify('d@both.test')]
    expect(found).to.deep.equal([200, 200, 200, 429])
  })

  it('a closed port and a domain that takes any name cost nothing and one', async () => {
    await world.domain('closed.test', { mail: null })
    await world.domain('any.test', { mail: { catchAll: true } })
    const { key } = await world.gateway.newKey()
    for (let place = 0; place < 8; place++)
      expect((await world.ask({ ...ADA, first_name: `A${'bcdefghi'.charAt(place)}`, domain: 'closed.test' }, key)).status).to.equal(422)
    const statuses: number[] = []
    for (let place = 0; place < 6; place++)
      statuses.push((await world.ask({ ...ADA, first_name: `A${'bcdefghi'.charAt(place)}`, domain: 'any.test' }, key)).status)
    expect(statuses).to.deep.equal([200, 200, 200, 200, 200, 429])
  })
})

describe('emails.find: what an account may have asked for in a day, over two replicas', function () {
  this.timeout(120_000)
  const site = new Site()
  let net: FindNet

  before(async function () {
    await site.open(this)
    await site.empty()
    net = await FindNet.start()
  })
  after(async () => {
    await site.end()
    await site.close()
    await net?.close()
  })

  it('T-39 both together give out five', async () => {
    const replica = () => site.replica({ bundled: true, file: FILE, overrides: { clock: systemClock, outbound: net.outbound() } })
    const [one, two] = [await replica(), await replica()]
    // A catch-all domain costs one of the limit.
    await net.domain('any.test', { mail: { catchAll: true } })
    const { key } = await one.newKey()
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, place) =>
        (place % 2 === 0 ? one : two).send('/v1/emails/find', {
          body: { first_name: `A${'bcdefghijklm'.charAt(place)}`, last_name: 'Lovelace', domain: 'any.test' },
          key,
        }),
      ),
    )
    const count = (wanted: number): number => replies.filter(({ status }) => status === wanted).length
    expect([count(200), count(429)]).to.deep.equal([5, 7])
  })
})
