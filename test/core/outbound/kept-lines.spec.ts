import { expect } from 'chai'
import { Cancel } from '../../../core/runtime/cancel.js'
import type { LineSocket } from '../../../core/sdk/index.js'
import { issued } from '../../../core/sdk/testkit/certificates.js'
import { lineServer, type LineServer } from '../../../core/sdk/testkit/line-servers.js'
import { smtpServer } from '../../../core/sdk/testkit/smtp-server.js'
import { cancelIn, faultOf, HandClock, outboundKit, type OutboundKit } from '../../support/outbound.js'
import { skip } from '../../support/needs.js'
import { until } from '../../support/time.js'

const LOCAL = '127.0.0.1'

describe('outbound: connections that are kept', () => {
  let server: LineServer
  let kit: OutboundKit
  let clock: HandClock

  beforeEach(async () => {
    server = await lineServer((line) => `echo ${line}\r\n`)
    clock = new HandClock()
    kit = outboundKit({ allow: [`${LOCAL}:${server.port}`], clock })
  })
  afterEach(async () => {
    await kit.close()
    await server.close()
  })
  const connect = (session?: string, cancel = cancelIn(8_000, clock)): Promise<LineSocket> =>
    kit.net.connect(LOCAL, server.port, session === undefined ? {} : { session }, cancel)
  const said = async (lines: LineSocket, text: string): Promise<string | null> => {
    await lines.write(text)
    return await lines.readLine()
  }

  it('the next call takes it up, with its state, once; the call that left it may end', async () => {
    const first = new Cancel(clock, clock.monotonic() + 1_000)
    const lines = await connect('mail', first)
    expect(lines.resumed).to.equal(null)
    expect(await said(lines, 'one')).to.equal('echo one')
    lines.keep(10_000, { state: 'greeted' })
    expect((await faultOf(lines.write('more'))).message).to.equal('the connection was handed over')
    first.cancel('over')
    const second = await connect('mail')
    expect(second.resumed).to.equal('greeted')
    expect(await said(second, 'two')).to.equal('echo two')
    expect((await connect('mail')).resumed).to.equal(null)
    expect(server.connections()).to.equal(2)
  })

  it('it ends with the call that took it up', async () => {
    const lines = await connect('mail')
    lines.keep(10_000)
    const cancel = new Cancel(clock, clock.monotonic() + 1_000)
    const second = await connect('mail', cancel)
    cancel.cancel('deadline')
    expect((await faultOf(second.readLine())).unavailable).to.equal(true)
    await until(() => server.open() === 0)
  })

  it('it is closed after its time, ten seconds at most', async () => {
    const lines = await connect('mail')
    lines.keep(60_000)
    clock.advance(9_999)
    expect(server.open()).to.equal(1)
    clock.advance(1)
    await until(() => server.open() === 0)
    expect((await connect('mail')).resumed).to.equal(null)
  })

  it('other names, and connections without one, are not given it', async () => {
    const lines = await connect('mail')
    lines.keep(10_000)
    expect((await connect('other')).resumed).to.equal(null)
    expect((await connect()).resumed).to.equal(null)
    expect((await connect('mail')).resumed).to.equal('')
  })

  it('what the server says meanwhile, or its end, closes it', async () => {
    const lines = await connect('mail')
    await until(() => server.open() === 1)
    lines.keep(10_000)
    server.say('421 closing\r\n')
    await until(() => server.open() === 0)
    expect((await connect('mail')).resumed).to.equal(null)
  })

  it('with something unread, or without a name, it is closed instead', async () => {
    const lines = await connect('mail')
    await said(lines, 'one')
    await until(() => server.open() === 1)
    server.say('x\r\ny\r\n')
    expect(await lines.readLine()).to.equal('x')
    lines.keep(10_000)
    const nameless = await connect()
    nameless.keep(10_000)
    await until(() => server.open() === 0)
    expect((await connect('mail')).resumed).to.equal(null)
  })

  it('one that speaks TLS goes on with it', async function () {
    const tls = issued({ names: ['mx.example'] })
    if (tls === null) skip(this, 'openssl is not installed')
    const mail = await smtpServer({ tls, replies: { NOOP: '250 ok\r\n' } })
    const secure = outboundKit({ allow: [`${LOCAL}:${mail.port}`] })
    const open = () => secure.net.connect(LOCAL, mail.port, { session: 'mail' }, cancelIn())
    const lines = await open()
    await lines.readLine()
    expect(await said(lines, 'STARTTLS')).to.equal('220 go ahead')
    await lines.startTls()
    expect(await said(lines, 'NOOP')).to.equal('250 ok')
    lines.keep(10_000, { state: 'tls' })
    const second = await open()
    expect(second.resumed).to.equal('tls')
    expect(await said(second, 'NOOP')).to.equal('250 ok')
    second.keep(10_000, { closingLine: 'QUIT' })
    await secure.close()
    await until(() => mail.open() === 0)
    expect(mail.lines).to.deep.equal(['STARTTLS', 'tls:NOOP', 'tls:NOOP', 'tls:QUIT'])
    await mail.close()
  })

  describe('with a closing line', () => {
    const closingLine = 'QUIT'
    const quits = (): number => server.lines.filter((line) => line === closingLine).length
    const kept = async (session: string, to = server): Promise<void> => {
      const open = to.open()
      const lines = await kit.net.connect(LOCAL, to.port, { session }, cancelIn(8_000, clock))
      await until(() => to.open() === open + 1)
      lines.keep(10_000, { closingLine })
    }

    it('V6 the line is sent when the time is over, once, and the connection is closed after the answer', async () => {
      await kept('mail')
      clock.advance(9_999)
      expect([quits(), server.open()]).to.deep.equal([0, 1])
      clock.advance(1)
      await until(() => server.open() === 0)
      expect(server.lines).to.deep.equal([closingLine])
      clock.advance(60_000)
      await kit.net.close()
      expect(quits()).to.equal(1)
    })

    it('V6 at a stop all lines are sent at once, and a connection that was just ended gets no second one', async () => {
      await kept('one')
      clock.advance(5_000)
      await kept('two')
      await kept('three')
      clock.advance(5_000)
      await kit.net.close()
      await until(() => server.open() === 0)
      expect(server.lines).to.deep.equal([closingLine, closingLine, closingLine])
      await kept('late')
      await until(() => quits() === 4 && server.open() === 0)
      expect((await connect('late')).resumed, 'after the stop none is kept').to.equal(null)
    })

    it('V6 a server that does not answer the line holds a stop up for one second', async () => {
      const silent = await lineServer(() => undefined)
      const own = outboundKit({ allow: [`${LOCAL}:${silent.port}`], clock })
      for (const session of ['one', 'two'])
        (await own.net.connect(LOCAL, silent.port, { session }, cancelIn(8_000, clock))).keep(10_000, { closingLine })
      let closed = false
      const closing = own.net.close().then(() => (closed = true))
      await until(() => silent.lines.length === 2)
      clock.advance(999)
      await until(() => silent.open() === 2)
      expect(closed).to.equal(false)
      clock.advance(1)
      await closing
      await until(() => silent.open() === 0)
      expect(silent.lines).to.deep.equal([closingLine, closingLine])
      await silent.close()
    })

    it('V6 it is not sent to a server that has closed the connection, or has said so', async () => {
      await kept('said')
      server.say('421 closing\r\n')
      await until(() => server.open() === 0)
      const leaving = await lineServer(() => null)
      const own = outboundKit({ allow: [`${LOCAL}:${leaving.port}`], clock })
      const lines = await own.net.connect(LOCAL, leaving.port, { session: 'ended' }, cancelIn(8_000, clock))
      await lines.write('bye')
      await until(() => leaving.lines.length === 1)
      lines.keep(10_000, { closingLine })
      await until(() => leaving.open() === 0)
      clock.advance(10_000)
      await Promise.all([kit.net.close(), own.close()])
      expect([server.lines, leaving.lines]).to.deep.equal([[], ['bye']])
      await leaving.close()
    })

    it('V6 it is sent when another takes the name, or the place of the oldest of a hundred', async () => {
      const first = await connect('mail')
      const second = await connect('mail')
      first.keep(10_000, { closingLine })
      second.keep(10_000, { closingLine })
      await until(() => quits() === 1 && server.open() === 1)
      for (let each = 0; each < 100; each++) await kept(`other ${each}`)
      await until(() => quits() === 2 && server.open() === 100)
      expect((await connect('mail')).resumed).to.equal(null)
    })

    it('V6 it is not sent on a connection that the next call has taken up', async () => {
      await kept('mail')
      const taken = await connect('mail')
      clock.advance(10_000)
      await kit.net.close()
      expect(await said(taken, 'more')).to.equal('echo more')
      expect(server.lines).to.deep.equal(['more'])
    })

    it('more than one line is refused', async () => {
      const lines = await connect('mail')
      for (const bad of ['QUIT\r\nMAIL FROM:<>', 'QUIT\n', 'QUIT\0', 'Q'.repeat(4_095)])
        expect(() => lines.keep(10_000, { closingLine: bad })).to.throw('a line for a server')
      expect(await said(lines, 'still here'), 'the connection is still the caller’s').to.equal('echo still here')
    })
  })
})
