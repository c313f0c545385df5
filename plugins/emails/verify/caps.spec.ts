import { expect } from 'chai'
import { systemClock } from '../../../core/runtime/clock.js'
import { MailNet, MailWorld } from '../../../test/support/mail-world.js'
import { Site } from '../../../test/support/replicas.js'

const FILE = 'plugins:\n  emails:\n    ehlo_name: probe.test\n    probes_per_account_per_day: 5\n'

describe('emails.verify: what an account may have asked for in a day', function () {
  this.timeout(120_000)

  it('A10 T-39 the sixth is 429 and names the setting, for every key of the account; kept answers and closed ports do not count', async () => {
    const world = await MailWorld.start({ file: FILE })
    try {
      await world.net.domain('acme.test', { mailboxes: { 'p0@acme.test': 'exists' } })
      world.net.host('closed.test', null)
      world.net.zones['shut.test'] = { MX: [{ preference: 1, exchange: 'closed.test' }] }
      for (let place = 0; place < 5; place++) {
        expect((await world.verify(`p${String(place)}@shut.test`)).sub_status).to.equal('failed_smtp_connection')
        expect((await world.ask(`p${String(place)}@acme.test`)).status).to.equal(200)
      }
      expect((await world.ask('p0@acme.test')).status).to.equal(200)
      const refused = await world.ask('p5@acme.test')
      expect(refused.status).to.equal(429)
      expect(refused.text).to.contain('plugins.emails.probes_per_account_per_day')
      expect(Number(refused.headers['retry-after'])).to.be.greaterThan(0)
      const { key: second } = await world.gateway.newKey()
      expect((await world.ask('p5@acme.test', second)).status, 'a new key of the account').to.equal(429)
      const made = await world.gateway.send('/v1/keys', { body: {}, key: second })
      expect((await world.ask('p5@acme.test', made.json<{ key: string }>().key)).status, 'a key that this one made').to.equal(429)
      const { key } = await world.gateway.newAccount(100)
      expect((await world.ask('p5@acme.test', key)).status, 'another account').to.equal(200)
    } finally {
      await world.close()
    }
  })

  describe('over two replicas', () => {
    const site = new Site()
    let net: MailNet
    before(async function () {
      await site.open(this)
      await site.empty()
      net = await MailNet.start()
    })
    after(async () => {
      await site.end()
      await site.close()
      await net?.close()
    })

    it('T-39 both together give out five', async () => {
      const replica = () =>
        site.replica({ bundled: true, file: FILE, env: net.env, overrides: { clock: systemClock, outbound: net.outbound() } })
      const [one, two] = [await replica(), await replica()]
      await net.domain('acme.test')
      const { key } = await one.newKey()
      const replies = await Promise.all(
        Array.from({ length: 12 }, (_, place) =>
          (place % 2 === 0 ? one : two).send('/v1/emails/verify', { body: { email: `p${String(place)}@acme.test` }, key }),
        ),
      )
      const count = (wanted: number): number => replies.filter(({ status }) => status === wanted).length
      expect([count(200), count(429)]).to.deep.equal([5, 7])
    })
  })
})
