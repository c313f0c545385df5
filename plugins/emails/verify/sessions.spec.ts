import { expect } from 'chai'
import { lineServer } from '../../../core/sdk/testkit/line-servers.js'
import { mailServer } from '../../../core/sdk/testkit/smtp-server.js'
import { MailWorld, type Verified } from '../../../test/support/mail-world.js'

describe('emails.verify: connections to mail servers', function () {
  this.timeout(60_000)
  let world: MailWorld

  before(
    async () =>
      (world = await MailWorld.start({ file: 'plugins:\n  emails:\n    ehlo_name: probe.test\n    mail_from: probe@probe.test\n' })),
  )
  after(() => world?.close())

  it('one at a time, left open for the next call, and never DATA', async () => {
    const names = Array.from({ length: 12 }, (_, place) => `p${String(place)}@many.test`)
    const server = await world.net.domain('many.test', { mailboxes: Object.fromEntries(names.map((name) => [name, 'exists'])) })
    const found = await Promise.all(names.map((name) => world.verify(name)))
    expect(found.map(({ status }) => status)).to.deep.equal(names.map(() => 'valid'))
    expect(await world.verify('nobody@many.test')).to.include({ status: 'invalid', sub_status: 'mailbox_not_found' })
    expect(server.connections()).to.equal(1)
    expect(server.open()).to.equal(1)
    expect(world.net.most('mx.many.test')).to.equal(1)
    const commands = server.lines.map((line) => line.split(' ', 1)[0])
    expect(commands.filter((word) => word === 'EHLO').length).to.equal(1)
    expect(commands.filter((word) => word === 'MAIL').length).to.equal(13)
    expect(commands.filter((word) => word === 'RCPT').length).to.equal(25)
    expect([...new Set(commands)].sort()).to.deep.equal(['EHLO', 'MAIL', 'RCPT', 'RSET'])
    expect(server.lines).to.include('MAIL FROM:<probe@probe.test>')
  })

  it('two domains with one mail server share the connection', async () => {
    const server = await mailServer({ mailboxes: { 'ada@one.test': 'exists', 'bo@two.test': 'exists' } })
    world.net.host('shared.test', server)
    for (const name of ['one.test', 'two.test']) world.net.zones[name] = { MX: [{ preference: 5, exchange: 'shared.test' }] }
    const found = await Promise.all([world.verify('ada@one.test'), world.verify('bo@two.test')])
    expect(found.map(({ status }) => status)).to.deep.equal(['valid', 'valid'])
    expect([server.connections(), world.net.most('shared.test')]).to.deep.equal([1, 1])
  })

  it('one that the server ended meanwhile is opened anew', async () => {
    let mails = 0
    const server = await lineServer(
      (line) => {
        if (line.startsWith('MAIL') && ++mails === 2) return null
        return line.startsWith('RCPT') ? '550 5.1.1 no such user\r\n' : '250 ok\r\n'
      },
      { onOpen: '220 mx\r\n' },
    )
    await world.net.domain('tired.test', server)
    expect(await world.verify('a@tired.test')).to.include({ sub_status: 'mailbox_not_found' })
    expect(await world.verify('b@tired.test')).to.include({ sub_status: 'mailbox_not_found' })
    expect(server.connections()).to.equal(2)
  })

  it('calls that would wait too long for their turn are answered unknown, and the first ones are not disturbed', async () => {
    const open: string[] = []
    const server = await lineServer(
      (line) => {
        open.push(line)
        return line.startsWith('RCPT') ? undefined : '250 ok\r\n'
      },
      { onOpen: '220 mx\r\n' },
    )
    await world.net.domain('slow.test', server)
    const replies = await Promise.all(['a', 'b', 'c'].map((name) => world.ask(`${name}@slow.test`)))
    const answers = replies.map((reply) => reply.json<{ data: Verified; metadata: { notes?: string[] } }>())
    const found = answers.map(({ data }) => data)
    const note = 'Other calls used the same mail server all the time.'
    expect(answers.filter(({ metadata }) => metadata.notes?.includes(note) === true).length).to.equal(2)
    expect(found.map(({ status, sub_status }) => `${status} ${String(sub_status)}`)).to.deep.equal(
      Array(3).fill('unknown timeout_exceeded'),
    )
    expect(server.connections()).to.equal(1)
    // Which of them arrives first is open.
    expect(open.filter((line) => line.startsWith('RCPT'))).to.have.length(1)
  })

  it('V6 each kept connection ends with one QUIT when the gateway stops', async () => {
    const own = await MailWorld.start()
    const servers = await Promise.all(
      ['ada', 'bo'].map((name) => own.net.domain(`${name}.test`, { mailboxes: { [`${name}@${name}.test`]: 'exists' } })),
    )
    expect(await own.verify('ada@ada.test')).to.include({ status: 'valid' })
    expect(await own.verify('bo@bo.test')).to.include({ status: 'valid' })
    expect(servers.map((server) => server.open())).to.deep.equal([1, 1])
    await own.gateway.close()
    for (const server of servers) {
      expect(server.lines.slice(-2)).to.deep.equal(['RSET', 'QUIT'])
      expect(server.lines.filter((line) => line === 'QUIT').length).to.equal(1)
    }
    await own.net.close()
  })
})
