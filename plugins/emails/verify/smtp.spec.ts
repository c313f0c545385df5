import { expect } from 'chai'
import { issued } from '../../../core/sdk/testkit/certificates.js'
import { MailWorld } from '../../../test/support/mail-world.js'
import { skip } from '../../../test/support/needs.js'

describe('emails.verify: mail servers', function () {
  this.timeout(60_000)
  let world: MailWorld

  before(async () => {
    world = await MailWorld.start({
      registered: { 'acme.test': '2015-01-02T00:00:00Z' },
      file: 'plugins:\n  emails:\n    ehlo_name: probe.test\n',
    })
  })
  after(() => world?.close())

  it('every field is filled, without DATA', async () => {
    const server = await world.net.domain('acme.test', { mailboxes: { 'ada@acme.test': 'exists' } })
    const found = await world.verify('ada@acme.test')
    expect(found).to.include({
      email: 'ada@acme.test',
      status: 'valid',
      sub_status: null,
      is_free_email: false,
      did_you_mean: null,
      smtp_provider: null,
      mx_found: 'true',
      mx_record: 'mx.acme.test',
    })
    expect(Number(found.domain_age_days)).to.equal(Math.floor((Date.now() - Date.UTC(2015, 0, 2)) / 86_400_000))
    const [ehlo, mail, rcpt, other, ...rest] = server.lines
    expect([ehlo, mail, rcpt]).to.deep.equal(['EHLO probe.test', 'MAIL FROM:<>', 'RCPT TO:<ada@acme.test>'])
    expect(other).to.match(/^RCPT TO:<x[0-9a-f]{19}@acme\.test>$/)
    expect(rest).to.deep.equal(['RSET'])
  })

  it('a kept answer asks nobody', async () => {
    const before = world.net.connected.length
    expect(await world.verify('ada@acme.test')).to.include({ status: 'valid' })
    expect(world.net.connected.length).to.equal(before)
  })

  it('a closed port is an answer where nobody else is there to be asked', async () => {
    world.net.host('shut.test', null)
    world.net.zones['closed.test'] = { MX: [{ preference: 1, exchange: 'shut.test' }] }
    const reply = (await world.ask('ada@closed.test')).json<{ data: object; metadata: object }>()
    expect(reply.data).to.include({ status: 'unknown', sub_status: 'failed_smtp_connection' })
    expect(reply.metadata).to.include({ provider_used: 'smtp' })
  })

  it('TLS is begun where it is offered', async function () {
    const tls = issued({ names: ['mx.secure.test'] }) ?? undefined
    if (tls === undefined) skip(this, 'openssl is not installed')
    const server = await world.net.domain('secure.test', { tls, mailboxes: { 'ada@secure.test': 'exists' } })
    expect(await world.verify('ada@secure.test')).to.include({ status: 'valid' })
    expect(server.lines.slice(0, 4)).to.deep.equal(['EHLO probe.test', 'STARTTLS', 'tls:EHLO probe.test', 'tls:MAIL FROM:<>'])
  })
})
