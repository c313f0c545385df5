import { expect } from 'chai'
import { httpServer, type Running } from '../../../core/sdk/testkit/servers.js'
import { MailWorld, type Verified } from '../../../test/support/mail-world.js'
import { expectProblem } from '../../../test/support/problem.js'
import { HandClock } from '../../../test/support/outbound.js'

interface Answer {
  readonly data: Verified
  readonly metadata: { readonly provider_used: string | null; readonly providers_tried: string[]; readonly notes?: string[] }
  readonly credits_used: number
}

describe('emails.verify: vendors before the mail servers', function () {
  this.timeout(60_000)
  let world: MailWorld
  let vendor: Running
  let reply: { status: number; json: unknown } = { status: 200, json: {} }
  const asked: string[] = []
  const verdict = (status: string, sub_status = ''): { status: number; json: unknown } => ({
    status: 200,
    json: { address: '', status, sub_status, free_email: false, domain_age_days: '77', smtp_provider: '', mx_found: 'true', mx_record: '' },
  })

  before(async () => {
    vendor = await httpServer((request, response) => {
      asked.push(new URL(request.url ?? '', 'http://vendor.test').searchParams.get('email') ?? request.url ?? '')
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.json))
    })
    world = await MailWorld.start({
      env: { ZEROBOUNCE_API_KEY: 'key-of-the-test', CAPSTAN_VENDOR_ZEROBOUNCE_URL: vendor.url },
      registered: { 'acme.test': '2015-01-02T00:00:00Z' },
    })
    await world.net.domain('acme.test', {
      mailboxes: { 'grey@acme.test': 'exists', 'down@acme.test': 'exists', 'later@acme.test': '451 4.7.1 Greylisted' },
    })
  })
  after(async () => {
    await world?.close()
    await vendor?.close()
  })
  const answer = async (email: string): Promise<Answer> => {
    const got = await world.ask(email)
    expect(got.status, got.text).to.equal(200)
    return got.json<Answer>()
  }

  it('a vendor that knows is enough; what it leaves out is filled in', async () => {
    reply = verdict('valid')
    const { data, metadata, credits_used } = await answer('ada@acme.test')
    expect(data).to.deep.equal({
      email: 'ada@acme.test',
      status: 'valid',
      sub_status: null,
      is_free_email: false,
      did_you_mean: null,
      domain_age_days: '77',
      smtp_provider: null,
      mx_found: 'true',
      mx_record: 'mx.acme.test',
    })
    expect(metadata.provider_used).to.equal('zerobounce')
    expect(credits_used).to.equal(1)
    expect(world.net.connected).to.deep.equal([])
  })

  it('a kept answer names its vendor, and neither of them is asked', async () => {
    const before = asked.length
    const { data, metadata } = await answer('ada@acme.test')
    expect(data.status).to.equal('valid')
    expect(metadata.provider_used).to.equal('zerobounce')
    expect(asked.length).to.equal(before)
  })

  it('where one does not know or does not answer, the next is asked', async () => {
    reply = verdict('unknown', 'greylisted')
    const grey = await answer('grey@acme.test')
    expect(grey.data).to.include({ status: 'valid', sub_status: null })
    expect(Number(grey.data.domain_age_days)).to.be.greaterThan(3_000)
    expect(grey.metadata.providers_tried).to.include.members(['zerobounce', 'smtp'])
    reply = { status: 500, json: {} }
    const down = await answer('down@acme.test')
    expect(down.data).to.include({ status: 'valid' })
    expect(down.metadata.providers_tried).to.include.members(['zerobounce', 'smtp'])
    expect(down.metadata.provider_used).to.equal('smtp')
    reply = verdict('unknown', 'greylisted')
    expect((await answer('later@acme.test')).metadata.provider_used).to.equal('merged')
  })

  it('B3 a mail server that could not be asked does not outweigh a vendor that failed', async () => {
    world.net.host('shut.test', null)
    world.net.zones['closed.test'] = { MX: [{ preference: 1, exchange: 'shut.test' }] }
    reply = { status: 500, json: {} }
    const failed = expectProblem(await world.ask('ada@closed.test'), 'providers-failed')
    expect(failed.metadata.attempts?.map(({ provider, outcome }) => `${provider} ${outcome}`)).to.deep.equal([
      'zerobounce broken',
      'smtp ok',
    ])
    reply = verdict('valid')
    expect((await answer('ada@closed.test')).data).to.include({ status: 'valid' })
  })

  it('but a vendor that does not know has answered', async () => {
    reply = verdict('unknown', 'mail_server_did_not_respond')
    expect((await answer('alan@closed.test')).data).to.include({ status: 'unknown', sub_status: 'mail_server_did_not_respond' })
  })

  it('nobody is asked about what is certain', async () => {
    const before = [asked.length, world.net.connected.length]
    world.net.zones['no-mail.test'] = { MX: [{ preference: 0, exchange: '.' }] }
    world.net.host('mailinator.com', null)
    world.net.zones['mailinator.com'] = { MX: [{ preference: 1, exchange: 'mx.acme.test' }] }
    const wanted = {
      'ada(x)@acme.test': 'failed_syntax_check',
      'ada@nowhere.test': 'no_dns_entries',
      'ada@gmial.com': 'possible_typo',
      'ada@no-mail.test': 'does_not_accept_mail',
      'ada@mailinator.com': 'disposable',
      'ada@sub.mailinator.com': 'no_dns_entries',
    }
    for (const [email, sub_status] of Object.entries(wanted)) expect((await answer(email)).data, email).to.include({ sub_status })
    expect((await answer('ada@gmial.com')).data).to.include({ did_you_mean: 'ada@gmail.com', mx_found: 'false', mx_record: null })
    expect([asked.length, world.net.connected.length]).to.deep.equal(before)
  })

  it('a caller of /v1/agent gets the same', async () => {
    const got = await world.gateway.post('/v1/agent', { capability: 'emails.verify', params: { email: 'ada@acme.test' } })
    expect(got.json<Answer>().data).to.include({ status: 'valid', domain_age_days: '77' })
  })
})

describe('emails.verify: how long answers are kept', function () {
  this.timeout(60_000)

  it('a mailbox that was put off for five minutes, what is certain for a day', async () => {
    const clock = new HandClock()
    const world = await MailWorld.start({ clock, env: { CAPSTAN_LIMIT_KEY_CONCURRENCY: '100' } })
    try {
      const rcpts = (server: { lines: readonly string[] }): number => server.lines.filter((line) => line.startsWith('RCPT TO:<ada@')).length
      const server = await world.net.domain('acme.test', { mailboxes: { 'ada@acme.test': 'greylisted' } })
      const said = async (): Promise<string> => {
        const { status, sub_status } = await world.verify('ada@acme.test')
        return `${status} ${String(sub_status)} after ${String(rcpts(server))}`
      }
      expect(await said()).to.equal('unknown greylisted after 1')
      clock.advance(299_000)
      expect(await said()).to.equal('unknown greylisted after 1')
      clock.advance(2_000)
      expect(await said()).to.equal('valid null after 2')
      clock.advance(86_300_000)
      expect(await said()).to.equal('valid null after 2')
      clock.advance(800_000)
      expect(await said()).to.equal('valid null after 3')
    } finally {
      await world.close()
    }
  })
})
