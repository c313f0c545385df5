import { expect } from 'chai'
import type { LineServer } from '../../../../core/sdk/testkit/line-servers.js'
import { issued } from '../../../../core/sdk/testkit/certificates.js'
import { smtpServer, type SmtpOptions } from '../../../../core/sdk/testkit/smtp-server.js'
import type { NetServices } from '../../../../core/sdk/index.js'
import { cancelIn, HandClock, outboundKit, type OutboundKit } from '../../../../test/support/outbound.js'
import { skip } from '../../../../test/support/needs.js'
import { until } from '../../../../test/support/time.js'
import { leaveOpen, openSession, type Session } from './session.js'

const LOCAL = '127.0.0.1'
const RSET = { RSET: '250 ok\r\n' }
const left = (): number => 4_000

describe('emails: how a connection to a mail server ends', () => {
  const clock = new HandClock()
  let server: LineServer
  let kit: OutboundKit
  const serve = async (options: SmtpOptions): Promise<void> => {
    server = await smtpServer(options)
    kit = outboundKit({ allow: [`${LOCAL}:${server.port}`], smtpPort: server.port, clock })
  }
  const open = async (): Promise<Session> => {
    const unused = (): never => expect.fail('only connections are needed')
    const connect: NetServices['connect'] = (host, port, options = {}) => kit.net.connect(host, port, options, cancelIn(8_000, clock))
    const net = { dns: unused, query: unused, tls: unused, inspectTls: unused, connect }
    const { signal } = new AbortController()
    const session = await openSession(LOCAL, { net, signal }, { settings: { ehlo_name: 'probe.test' }, left })
    return 'lines' in session ? session : expect.fail(JSON.stringify(session))
  }
  afterEach(async () => {
    await kit.close()
    await server.close()
  })

  it('V6 with QUIT after ten seconds in which no call took it up', async () => {
    await serve({ replies: RSET })
    await leaveOpen(await open(), { left })
    const again = await open()
    expect(again.resumed).to.equal(true)
    await leaveOpen(again, { left })
    clock.advance(9_999)
    expect(server.lines).to.deep.equal(['EHLO probe.test', 'RSET', 'RSET'])
    clock.advance(1)
    await until(() => server.open() === 0)
    expect(server.lines).to.deep.equal(['EHLO probe.test', 'RSET', 'RSET', 'QUIT'])
    expect((await open()).resumed).to.equal(false)
  })

  it('V6 with QUIT below TLS', async function () {
    const tls = issued({ names: ['mx.example'] })
    if (tls === null) skip(this, 'openssl is not installed')
    await serve({ tls, replies: RSET })
    await leaveOpen(await open(), { left })
    clock.advance(10_000)
    await until(() => server.open() === 0)
    expect(server.lines.slice(-2)).to.deep.equal(['tls:RSET', 'tls:QUIT'])
  })

  it('V6 with QUIT at once where the server refuses RSET, and after a reply that is none', async () => {
    await serve({ replies: { RSET: '502 not known\r\n' } })
    await leaveOpen(await open(), { left })
    await until(() => server.open() === 0)
    expect(server.lines.slice(-2)).to.deep.equal(['RSET', 'QUIT'])
    await kit.close()
    await server.close()
    await serve({ replies: { RSET: 'hello\r\n' } })
    await leaveOpen(await open(), { left })
    await until(() => server.open() === 0)
    expect(server.lines.slice(-2)).to.deep.equal(['RSET', 'QUIT'])
  })

  it('V6 without QUIT where the server has ended it', async () => {
    await serve({ replies: RSET })
    await leaveOpen(await open(), { left })
    server.say('421 4.4.2 idle for too long\r\n')
    await until(() => server.open() === 0)
    clock.advance(10_000)
    await kit.close()
    expect(server.lines).to.deep.equal(['EHLO probe.test', 'RSET'])
  })
})
