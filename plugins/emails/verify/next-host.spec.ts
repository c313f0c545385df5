import { expect } from 'chai'
import { lineServer, type LineServer } from '../../../core/sdk/testkit/line-servers.js'
import { mailServer } from '../../../core/sdk/testkit/smtp-server.js'
import { MailWorld, type Verified } from '../../../test/support/mail-world.js'

interface Answer {
  readonly data: Verified
  readonly metadata: { readonly notes?: readonly string[] }
}

describe('N8 emails: the next mail host', function () {
  this.timeout(60_000)
  let world: MailWorld
  let live: LineServer
  /** Sends this greeting, and this reply to MAIL. */
  const says = (greeting: string, mail = '250 ok') =>
    lineServer((line) => (line.startsWith('MAIL') ? `${mail}\r\n` : '250 mx\r\n'), { onOpen: `${greeting}\r\n` })
  const firsts: Readonly<Record<string, () => Promise<LineServer | null>>> = {
    closed: () => Promise.resolve(null),
    busy: () => says('421 4.3.2 Service not available, try another mail exchanger'),
    b450: () => says('450 4.3.2 too busy'),
    mail451: () => says('220 mx', '451 4.3.0 try again later'),
    silent: () => lineServer(() => '250 ok\r\n'),
    drops: () => lineServer(() => null, { onOpen: '220 mx\r\n' }),
  }
  const hosts = (domain: string, ...names: readonly string[]): void => {
    world.net.zones[domain] = { MX: names.map((exchange, place) => ({ preference: 10 * (place + 1), exchange })) }
  }

  before(async () => {
    world = await MailWorld.start()
    const names = Object.keys(firsts).map((name) => `ada@first-${name}.test`)
    live = await mailServer({ mailboxes: Object.fromEntries([...names, 'ada@third.test'].map((name) => [name, 'exists'])) })
    world.net.host('mx.live.test', live)
    for (const [name, server] of Object.entries(firsts)) {
      world.net.host(`mx.${name}.test`, await server())
      hosts(`first-${name}.test`, `mx.${name}.test`, 'mx.live.test')
    }
  })
  after(() => world?.close())

  const ask = async (email: string): Promise<Answer> => (await world.ask(email)).json<Answer>()

  it('N8 is asked where the first is closed, busy, silent, breaks off or puts MAIL off, and the verdict names it', async () => {
    const all = Object.keys(firsts)
    const answers = await Promise.all(all.map((name) => ask(`ada@first-${name}.test`)))
    for (const [place, { data, metadata }] of answers.entries()) {
      const name = all[place] ?? ''
      expect(data, name).to.include({ status: 'valid', sub_status: null })
      expect(metadata.notes, name).to.include(`The answer is from the mail host mx.live.test: mx.${name}.test could not be asked.`)
    }
    expect((await ask('nobody@first-closed.test')).data).to.include({ status: 'invalid', sub_status: 'mailbox_not_found' })
  })

  it('N8 is asked after two that fail, and where all fail the words are those of the first', async () => {
    hosts('third.test', 'mx.closed.test', 'mx.busy.test', 'mx.live.test')
    const { data, metadata } = await ask('ada@third.test')
    expect(data.status).to.equal('valid')
    expect(metadata.notes).to.include('The answer is from the mail host mx.live.test: mx.closed.test and mx.busy.test could not be asked.')
    hosts('none.test', 'mx.closed.test', 'mx.busy.test')
    expect((await ask('ada@none.test')).data).to.include({ status: 'unknown', sub_status: 'failed_smtp_connection' })
    hosts('noneleft.test', 'mx.busy.test', 'mx.closed.test')
    expect((await ask('ada@noneleft.test')).data).to.include({ status: 'unknown', sub_status: 'mail_server_temporary_error' })
  })

  it('N8 is not asked where the first named the mailbox, or refuses for good', async () => {
    const put = await lineServer((line) => (line.startsWith('RCPT') ? '451 4.7.1 greylisted, try again\r\n' : '250 mx\r\n'), {
      onOpen: '220 mx\r\n',
    })
    world.net.host('mx.grey.test', put)
    world.net.host('mx.never.test', await says('554 5.7.1 blocked using a list'))
    const before = live.connections()
    const lines = live.lines.length
    hosts('grey.test', 'mx.grey.test', 'mx.live.test')
    hosts('never.test', 'mx.never.test', 'mx.live.test')
    expect((await ask('ada@grey.test')).data).to.include({ status: 'unknown', sub_status: 'greylisted' })
    expect((await ask('ada@never.test')).data).to.include({ status: 'unknown', sub_status: 'antispam_system' })
    expect([live.connections(), live.lines.length]).to.deep.equal([before, lines])
  })
})
