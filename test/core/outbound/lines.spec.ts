import { expect } from 'chai'
import fc from 'fast-check'
import { LineBuffer } from '../../../core/outbound/line-socket.js'
import { problemFrom } from '../../../core/dispatch/from-error.js'
import type { LineSocket } from '../../../core/sdk/index.js'
import { selfSigned } from '../../../core/sdk/testkit/certificates.js'
import { lineServer } from '../../../core/sdk/testkit/line-servers.js'
import { smtpServer } from '../../../core/sdk/testkit/smtp-server.js'
import { whoisServer } from '../../../core/sdk/testkit/whois-server.js'
import { cancelIn, faultOf, HandClock, outboundKit } from '../../support/outbound.js'
import { nameServer } from '../../../core/sdk/testkit/dns-zones.js'
import { skip } from '../../support/needs.js'
import { until } from '../../support/time.js'

const A = (name: string, data: string) => [{ type: 'A' as const, name, data }]
const LOCAL = '127.0.0.1'
const kitFor = (port: number, clock?: HandClock) => outboundKit({ allow: [`${LOCAL}:${port}`], ...(clock === undefined ? {} : { clock }) })

/** All lines of one SMTP reply. */
async function reply(lines: LineSocket): Promise<string[]> {
  const found: string[] = []
  for (;;) {
    const line = await lines.readLine()
    if (line === null) return found
    found.push(line)
    if (/^\d{3} /.test(line)) return found
  }
}

describe('outbound: lines', () => {
  it('a dialogue with a mail server, whose greeting comes late and whose reply has several lines', async () => {
    const server = await smtpServer({ greeting: '' })
    const kit = kitFor(server.port)
    const lines = await kit.net.connect(LOCAL, server.port, {}, cancelIn())
    const greeting = lines.readLine()
    await until(() => server.open() === 1)
    server.say('220 mx.exam')
    server.say('ple\n')
    expect(await greeting).to.equal('220 mx.example')
    await lines.write('EHLO here.example')
    expect(await reply(lines)).to.deep.equal(['250-mx.example', '250-SIZE 1000', '250 8BITMIME'])
    await lines.write('QUIT')
    expect(await reply(lines)).to.deep.equal(['221 bye'])
    lines.close()
    lines.close()
    expect((await faultOf(lines.readLine())).message).to.equal('the connection was closed here')
    await until(() => server.open() === 0)
    expect(server.lines).to.deep.equal(['EHLO here.example', 'QUIT'])
    await kit.close()
    await server.close()
  })

  it('a WHOIS answer is read to its end, as UTF-8 or, where it is none, Latin-1', async () => {
    const server = await whoisServer({ 'a.example': 'Name: Zoë\r\n', 'b.example': '' })
    const kit = kitFor(server.port)
    const whois = async (name: string) => {
      const lines = await kit.net.connect(LOCAL, server.port, {}, cancelIn())
      await lines.write(name)
      return await lines.readAll()
    }
    expect([await whois('a.example'), await whois('b.example'), await whois('c.example')]).to.deep.equal([
      'Name: Zoë\r\n',
      '',
      'No match\r\n',
    ])
    await server.close()
    const latin = await lineServer((_line, socket) => void socket.end(Buffer.from('Zo\xeb', 'latin1')))
    const lines = await outboundKit({ allow: [LOCAL] }).net.connect(LOCAL, latin.port, {}, cancelIn())
    await lines.write('x')
    expect(await lines.readAll()).to.equal('Zoë')
    await kit.close()
    await latin.close()
  })

  it('net.smtp_port takes the place of port 25, and only there is it open', async () => {
    const names = await nameServer((name, type) => (type === 'A' ? A(name, '93.184.215.14') : []))
    const server = await smtpServer()
    const kit = outboundKit({ dns: names.address, smtpPort: server.port, allow: [`${LOCAL}:${server.port}`] })
    const lines = await kit.net.connect(LOCAL, 25, {}, cancelIn())
    expect([lines.host, lines.port, await lines.readLine()]).to.deep.equal([LOCAL, server.port, '220 mx.example ESMTP'])
    lines.close()
    const other = outboundKit({ dns: names.address, smtpPort: 2525 })
    expect((await faultOf(other.net.connect('mx.example', 26, {}, cancelIn()))).message).to.equal('port 26 is not open to foreign hosts')
    for (const port of [25, 43, 465, 587])
      expect(await other.guard.addresses('mx.example', port === 25 ? 2525 : port, 'probe')).to.have.length(1)
    expect((await faultOf(other.guard.addresses('mx.example', 25, 'probe'))).kind).to.equal('blocked')
    await Promise.all([kit.close(), other.close(), server.close(), names.close()])
  })

  it('net.whois is queried first, though it is private; the servers it refers to are checked', async () => {
    const server = await whoisServer({ 'a.example': 'Registrar WHOIS Server: 127.0.0.1\r\n' })
    const kit = outboundKit({ whois: `${LOCAL}:${server.port}` })
    const lines = await kit.net.connect('whois.iana.example', 43, { firstWhois: true }, cancelIn())
    expect([lines.host, lines.port]).to.deep.equal([LOCAL, server.port])
    await lines.write('a.example')
    expect(await lines.readAll()).to.contain(LOCAL)
    for (const [host, port] of [
      [LOCAL, 43],
      [LOCAL, server.port],
    ] as const)
      expect((await faultOf(kit.net.connect(host, port, {}, cancelIn()))).message).to.equal('the address is not public')
    await kit.close()
    await server.close()
  })

  it('a private address is refused, also as a name that later resolves to one, and no socket is opened', async () => {
    let at = '93.184.215.14'
    const names = await nameServer((name, type) => (type === 'A' ? A(name, at) : []))
    const kit = outboundKit({ dns: names.address })
    expect(await kit.guard.addresses('mx.example', 25, 'probe')).to.deep.equal([at])
    at = '10.0.0.1'
    for (const host of ['mx.example', '169.254.169.254', '::ffff:10.0.0.1', 'metadata.google.internal'])
      expect((await faultOf(kit.net.connect(host, 25, {}, cancelIn()))).message, host).to.equal('the address is not public')
    expect(kit.sockets.opened).to.equal(0)
    await kit.close()
    await names.close()
  })
})

describe('outbound: lines of hostile servers', () => {
  it('a dripping server is ended when the time of the connection is over', async () => {
    const clock = new HandClock()
    const server = await smtpServer({ greeting: '' })
    const kit = kitFor(server.port, clock)
    const lines = await kit.net.connect(LOCAL, server.port, { timeoutMs: 10_000 }, cancelIn(60_000, clock))
    const reading = faultOf(lines.readLine())
    for (let second = 0; second < 9; second++) {
      server.say('x')
      clock.advance(1_000)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(server.open()).to.equal(1)
    clock.advance(1_000)
    const fault = await reading
    expect([fault.kind, fault.message, fault.unavailable]).to.deep.equal(['blocked', 'the address did not answer in time', true])
    expect(problemFrom(fault).slug).to.equal('target-unavailable')
    await until(() => server.open() === 0)
    expect((await faultOf(lines.write('QUIT'))).message).to.equal('the address did not answer in time')
    await kit.close()
    await server.close()
  })

  it('the end of the call closes the connection, whether it is read or not', async () => {
    const server = await smtpServer()
    const kit = kitFor(server.port)
    const cancel = cancelIn()
    await kit.net.connect(LOCAL, server.port, {}, cancel)
    const lines = await kit.net.connect(LOCAL, server.port, {}, cancel)
    await lines.readLine()
    const reading = faultOf(lines.readLine())
    await until(() => server.open() === 2)
    cancel.cancel('over')
    expect((await reading).kind).to.equal('blocked')
    await until(() => server.open() === 0)
    expect((await faultOf(kit.net.connect(LOCAL, server.port, {}, cancel))).kind).to.equal('blocked')
    await kit.close()
    await server.close()
  })

  it('an endless line and an endless answer are ended at their limits', async () => {
    const server = await lineServer((line, socket) => {
      const piece = Buffer.from(line === 'line' ? 'x'.repeat(1_024) : `${'x'.repeat(1_022)}\r\n`)
      const pour = (): void => {
        while (!socket.destroyed) if (!socket.write(piece)) return
      }
      socket.on('drain', pour)
      pour()
      return undefined
    })
    const kit = kitFor(server.port)
    const whois = async (what: string, read: (lines: LineSocket) => Promise<unknown>, options = {}) => {
      const lines = await kit.net.connect(LOCAL, server.port, options, cancelIn())
      await lines.write(what)
      return (await faultOf(read(lines))).message
    }
    expect(await whois('line', (lines) => lines.readLine())).to.equal('the server sent a line of more than 4096 bytes, which is the limit')
    expect(await whois('line', (lines) => lines.readLine(), { maxLine: 100 })).to.contain('more than 100 bytes')
    expect(await whois('all', (lines) => lines.readAll())).to.equal('the server sent more than 1048576 bytes, which is the limit')
    expect(await whois('all', (lines) => lines.readAll({ maxBytes: 5_000 }))).to.contain('more than 5000 bytes')
    const endless = async (lines: LineSocket): Promise<void> => {
      for (;;) await lines.readLine()
    }
    expect(await whois('all', endless, { maxBytes: 10_000 })).to.contain('more than 10000 bytes')
    await until(() => server.open() === 0)
    await kit.close()
    await server.close()
  })

  it('a connection that breaks off within a line is unavailable, not the end', async () => {
    const server = await lineServer((_line, socket) => void socket.end('250-mx\r\n250'))
    const kit = kitFor(server.port)
    const lines = await kit.net.connect(LOCAL, server.port, {}, cancelIn())
    await lines.write('EHLO a')
    expect(await lines.readLine()).to.equal('250-mx')
    const fault = await faultOf(lines.readLine())
    expect([fault.kind, fault.unavailable]).to.deep.equal(['blocked', true])
    await kit.close()
    await server.close()
  })

  it('a line with a break in it is not sent, and the connection goes on', async () => {
    const server = await smtpServer()
    const kit = kitFor(server.port)
    const lines = await kit.net.connect(LOCAL, server.port, {}, cancelIn())
    for (const text of ['RCPT TO:<a@b>\r\nDATA', 'a\nb', 'a\0', 'x'.repeat(4_095)])
      expect((await faultOf(lines.write(text))).kind).to.equal('invalid')
    await lines.write('QUIT')
    expect([await lines.readLine(), await lines.readLine()]).to.deep.equal(['220 mx.example ESMTP', '221 bye'])
    expect(server.lines).to.deep.equal(['QUIT'])
    await kit.close()
    await server.close()
  })

  it('two reads at once are a mistake of the plugin', async () => {
    const server = await smtpServer({ greeting: '' })
    const kit = kitFor(server.port)
    const lines = await kit.net.connect(LOCAL, server.port, {}, cancelIn())
    const first = lines.readLine()
    expect(await lines.readLine().catch((error: unknown) => error)).to.be.instanceOf(TypeError)
    server.say('220 a\r\n')
    expect(await first).to.equal('220 a')
    lines.close()
    await kit.close()
    await server.close()
  })

  it('however it is cut, text comes as the same lines', () => {
    const line = fc.string({ unit: 'binary-ascii', maxLength: 20 }).map((text) => text.replace(/[\r\n]/g, ''))
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), (lines, cuts) => {
        const buffer = new LineBuffer({ maxBytes: 10_000, maxLine: 20 })
        const bytes = Buffer.from(lines.map((each) => `${each}\r\n`).join(''))
        const found: string[] = []
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = cuts[turn % cuts.length] ?? 1
          buffer.push(bytes.subarray(at, at + size))
          at += size
          for (let each = buffer.line(); each !== null; each = buffer.line()) found.push(each)
        }
        expect([found, buffer.length]).to.deep.equal([lines, 0])
      }),
    )
  })
})

describe('outbound: STARTTLS', () => {
  const pair = selfSigned()
  before(function () {
    if (pair === null) skip(this, 'openssl is not installed')
  })
  const server = (injected = '') => smtpServer({ ...(pair === null ? {} : { tls: pair }), injected })
  async function upTo(port: number) {
    const kit = kitFor(port)
    const lines = await kit.net.connect(LOCAL, port, {}, cancelIn())
    await reply(lines)
    await lines.write('STARTTLS')
    return { kit, lines }
  }

  it('after it the dialogue is encrypted, and the untrusted certificate reported', async () => {
    const running = await server()
    const { kit, lines } = await upTo(running.port)
    expect(await reply(lines)).to.deep.equal(['220 go ahead'])
    const certificate = await lines.startTls()
    expect(certificate).to.deep.include({
      trusted: false,
      reason: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      names: ['known.example', 'www.known.example'],
    })
    await lines.write('EHLO here.example')
    expect(await reply(lines)).to.include('250-STARTTLS')
    expect(running.lines).to.deep.equal(['STARTTLS', 'tls:EHLO here.example'])
    lines.close()
    await until(() => running.open() === 0)
    await kit.close()
    await running.close()
  })

  it('RFC 3207 what came before the handshake is refused, with the reply or just after it', async () => {
    const injecting = await server('250 injected\r\n')
    const late = await lineServer(() => '220 go ahead\r\n', { onOpen: '220 a\r\n' })
    for (const running of [injecting, late]) {
      const { kit, lines } = await upTo(running.port)
      await reply(lines)
      if (running === late) late.say('250 injected\r\n')
      const fault = await faultOf(lines.startTls())
      expect(fault.kind).to.equal('blocked')
      expect((await faultOf(lines.readLine())).message).to.equal(fault.message)
      await until(() => running.open() === 0)
      expect(running.lines).to.deep.equal(['STARTTLS'])
      await kit.close()
      await running.close()
    }
  })

  it('a server that says nothing in the handshake is ended with the call', async () => {
    const clock = new HandClock()
    const silent = await lineServer(() => '220 go ahead\r\n', { onOpen: '220 a\r\n' })
    const kit = kitFor(silent.port, clock)
    const lines = await kit.net.connect(LOCAL, silent.port, { timeoutMs: 3_000 }, cancelIn(60_000, clock))
    await lines.readLine()
    await lines.write('STARTTLS')
    await lines.readLine()
    const securing = faultOf(lines.startTls())
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(3_000)
    expect((await securing).message).to.equal('the address did not answer in time')
    await until(() => silent.open() === 0)
    await kit.close()
    await silent.close()
  })
})
