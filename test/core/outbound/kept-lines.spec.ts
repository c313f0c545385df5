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

  it('the next call takes it up, with what it must know, once; the call that left it may end', async () => {
    const first = new Cancel(clock, clock.monotonic() + 1_000)
    const lines = await connect('mail', first)
    expect(lines.resumed).to.equal(null)
    expect(await said(lines, 'one')).to.equal('echo one')
    lines.keep(10_000, 'greeted')
    expect((await faultOf(lines.write('more'))).message).to.equal('the connection was left to others')
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
    lines.keep(10_000, 'tls')
    const second = await open()
    expect(second.resumed).to.equal('tls')
    expect(await said(second, 'NOOP')).to.equal('250 ok')
    expect(mail.lines).to.deep.equal(['STARTTLS', 'tls:NOOP', 'tls:NOOP'])
    second.close()
    await secure.close()
    await mail.close()
  })
})
