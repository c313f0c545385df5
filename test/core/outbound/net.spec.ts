import { createServer as createTls } from 'node:tls'
import { connect } from 'node:net'
import { expect } from 'chai'
import { LimitByKey, Throttle } from '../../../core/outbound/throttle.js'
import { selfSigned } from '../../../core/sdk/testkit/certificates.js'
import { cancelIn, faultOf, HandClock, outboundKit } from '../../support/outbound.js'
import { nameServer, type NameServer } from '../../../core/sdk/testkit/dns-zones.js'
import { httpServer, tcpServer } from '../../../core/sdk/testkit/servers.js'
import { skip } from '../../support/needs.js'

describe('outbound: names', () => {
  let names: NameServer
  beforeEach(async () => {
    names = await nameServer((name, type) => {
      if (name === 'silent.example') return undefined
      if (name !== 'known.example') return null
      if (type === 'A') return [{ type: 'A', name, data: '192.0.2.1' }]
      if (type === 'MX') return [{ type: 'MX', name, data: { preference: 10, exchange: 'mail.example' } }]
      if (type === 'TXT') return [{ type: 'TXT', name, data: ['v=spf1 ', '-all'] }]
      if (type === 'CAA') return [{ type: 'CAA', name, data: { flags: 0, tag: 'issue', value: 'ca.example' } }]
      if (type === 'SOA')
        return [
          {
            type: 'SOA',
            name,
            data: { mname: 'ns.example', rname: 'admin.example', serial: 1, refresh: 2, retry: 3, expire: 4, minimum: 5 },
          },
        ]
      return []
    })
  })
  afterEach(() => names.close())

  it('records come in the form of node:dns, texts joined, none as an empty list', async () => {
    const kit = outboundKit({ dns: names.address })
    const records = (type: string) => kit.net.dns('known.example.', type, cancelIn())
    expect(await records('A')).to.deep.equal(['192.0.2.1'])
    expect(await records('mx')).to.deep.equal([{ exchange: 'mail.example', priority: 10 }])
    expect(await records('TXT')).to.deep.equal(['v=spf1 -all'])
    expect(await records('CAA')).to.deep.equal([{ critical: 0, issue: 'ca.example' }])
    expect(await records('SOA')).to.deep.equal([
      { nsname: 'ns.example', hostmaster: 'admin.example', serial: 1, refresh: 2, retry: 3, expire: 4, minttl: 5 },
    ])
    expect(await records('NS')).to.deep.equal([])
    await kit.close()
  })

  it('unknown names are missing, silence and cancelled questions blocked, unknown types broken', async () => {
    const kit = outboundKit({ dns: names.address })
    expect((await faultOf(kit.net.dns('unknown.example', 'A', cancelIn()))).kind).to.equal('missing')
    expect((await faultOf(kit.net.dns('not a name', 'A', cancelIn()))).kind).to.equal('missing')
    expect((await faultOf(kit.net.dns('known.example', 'DNSKEY', cancelIn()))).kind).to.equal('broken')
    const cancel = cancelIn()
    const fault = faultOf(kit.net.dns('silent.example', 'A', cancel))
    cancel.cancel('client-gone')
    expect((await fault).kind).to.equal('blocked')
    await kit.close()
  })

  it('F-37 a failed lookup is remembered for 5 s, then repeated', async () => {
    const clock = new HandClock()
    const kit = outboundKit({ dns: names.address, clock })
    const kindOf = async () => (await faultOf(kit.resolver.resolve('unknown.example'))).kind
    expect([await kindOf(), await kindOf(), names.questions.length]).to.deep.equal(['missing', 'missing', 2])
    clock.advance(4_999)
    await kindOf()
    expect(names.questions.length).to.equal(2)
    clock.advance(2)
    expect([await kindOf(), names.questions.length]).to.deep.equal(['missing', 4])
    await kit.close()
  })

  it('F-37 a silent name server is given up after 2 s', async () => {
    const clock = new HandClock()
    const kit = outboundKit({ dns: names.address, clock })
    const fault = faultOf(kit.resolver.resolve('silent.example'))
    clock.advance(2_000)
    expect((await fault).kind).to.equal('blocked')
    await kit.close()
  })

  it('concurrent equal queries are sent once, and those for localhost never', async () => {
    const kit = outboundKit({ dns: names.address })
    await Promise.all(Array.from({ length: 5 }, () => kit.resolver.resolve('known.example')))
    expect(names.questions.sort()).to.deep.equal(['A known.example', 'AAAA known.example'])
    expect(await kit.resolver.resolve('localhost')).to.deep.equal(['127.0.0.1', '::1'])
    expect(await kit.resolver.resolve('x.localhost')).to.deep.equal(['127.0.0.1', '::1'])
    expect(names.questions.length).to.equal(2)
    await kit.close()
  })
})

describe('outbound: certificates', () => {
  it('T-53 an untrusted certificate is reported with its reason, and refused by web', async function () {
    const pair = selfSigned()
    if (pair === null) skip(this, 'openssl is not installed')
    let servername = ''
    const server = createTls({ ...pair, SNICallback: (name, done) => ((servername = name), done(null)) }, (socket) =>
      socket.on('error', () => undefined).once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')),
    )
    server.on('tlsClientError', () => undefined)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const names = await nameServer((name, type) => (type === 'A' ? [{ type: 'A', name, data: '127.0.0.1' }] : []))
    const kit = outboundKit({ allow: [`127.0.0.1:${port}`], dns: names.address })
    const certificate = await kit.net.tls('known.example', port, cancelIn())
    expect(certificate).to.deep.include({ subject: { CN: 'known.example', O: 'Example' }, issuer: { CN: 'known.example', O: 'Example' } })
    expect(certificate).to.deep.include({
      names: ['known.example', 'www.known.example'],
      trusted: false,
      reason: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      protocol: 'TLSv1.3',
    })
    expect(Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)).to.equal(30 * 86_400_000)
    expect(servername).to.equal('known.example')
    const fault = await faultOf(kit.web.get(`https://known.example:${port}/`, {}, cancelIn()))
    expect(fault.message).to.equal('the certificate of the address is not trusted: DEPTH_ZERO_SELF_SIGNED_CERT')
    expect(fault.obstacle).to.equal('untrusted')
    const page = await kit.web.get(`https://known.example:${port}/`, { untrustedTls: true }, cancelIn())
    expect(page.status).to.equal(200)
    const again = await faultOf(kit.web.get(`https://known.example:${port}/`, {}, cancelIn()))
    expect(again.obstacle, 'the connection of the read before is not used again').to.equal('untrusted')
    await kit.close()
    await names.close()
    await new Promise((resolve) => server.close(resolve))
  })

  it('T-53 inside addresses and other ports are refused, silence ends with the call', async () => {
    const silent = await tcpServer(() => undefined)
    const kit = outboundKit({ allow: [`127.0.0.1:${silent.port}`] })
    expect((await faultOf(kit.net.tls('10.0.0.1', 443, cancelIn()))).kind).to.equal('blocked')
    expect((await faultOf(kit.net.tls('93.184.215.14', 25, cancelIn()))).message).to.contain('port 25')
    expect(kit.sockets.opened).to.equal(0)
    const cancel = cancelIn()
    const step = cancel.step(50)
    expect((await faultOf(kit.net.tls('127.0.0.1', silent.port, step.cancel))).kind).to.equal('blocked')
    step.done()
    await kit.close()
    await silent.close()
  })
})

describe('outbound: plain connections and pace', () => {
  it('T-23 a mail or whois host inside is refused, also by name; other ports are refused', async () => {
    const names = await nameServer((name, type) =>
      type === 'A' ? [{ type: 'A', name, data: name === 'mx.example' ? '127.0.0.1' : '10.0.0.1' }] : [],
    )
    const kit = outboundKit({ dns: names.address })
    for (const [host, port] of [
      ['mx.example', 25],
      ['whois.example', 43],
      ['127.0.0.1', 25],
      ['::1', 43],
      ['93.184.215.14', 22],
      ['93.184.215.14', 80],
    ] as const) {
      expect((await faultOf(kit.net.connect(host, port, {}, cancelIn()))).kind, `${host} ${port}`).to.equal('blocked')
    }
    expect(kit.sockets.opened).to.equal(0)
    await kit.close()
    await names.close()
  })

  it('T-23 an allowed host is connected to, whatever the port', async () => {
    const server = await tcpServer((socket) => void socket.end('220 ready\r\n'))
    const kit = outboundKit({ allow: [`127.0.0.1:${server.port}`] })
    const lines = await kit.net.connect('127.0.0.1', server.port, {}, cancelIn())
    expect([await lines.readLine(), await lines.readLine()]).to.deep.equal(['220 ready', null])
    await kit.close()
    await server.close()
  })

  it('T-24 at most two at once and five a second for a target, and other targets do not wait', async () => {
    const clock = new HandClock()
    const pace = new Throttle({ atOnce: 2, perSecond: 5 }, clock)
    const started: string[] = []
    const finish: (() => void)[] = []
    const work = (label: string) => (): Promise<void> => {
      started.push(label)
      return new Promise((resolve) => finish.push(resolve))
    }
    const all = ['a1', 'a2', 'a3', 'b1'].map((label) => pace.run(label.slice(0, 1), cancelIn(10_000, clock), work(label)))
    await settle()
    expect(started).to.deep.equal(['a1', 'b1'])
    clock.advance(199)
    await settle()
    expect(started).to.deep.equal(['a1', 'b1'])
    clock.advance(1)
    await settle()
    expect(started).to.deep.equal(['a1', 'b1', 'a2'])
    clock.advance(1_000)
    await settle()
    expect(started).to.have.length(3)
    finish.shift()?.()
    await settle()
    expect(started).to.deep.equal(['a1', 'b1', 'a2', 'a3'])
    const cancel = cancelIn(10_000, clock)
    const waiting = pace.run('a', cancel, work('a4')).catch((error: unknown) => (error instanceof Error ? error.message : ''))
    cancel.cancel('client-gone')
    expect(await waiting).to.equal('stopped: client-gone')
    for (const done of finish) done()
    await Promise.all(all)
  })

  it('T-24 an idle target gets so many queries at once, then at the rate', async () => {
    const clock = new HandClock()
    const pace = new Throttle({ atOnce: 1_000, perSecond: 50, burst: 60 }, clock)
    let started = 0
    const all = Array.from({ length: 90 }, () => pace.run('a', cancelIn(10_000, clock), () => Promise.resolve(void started++)))
    await settle()
    expect(started).to.equal(60)
    clock.advance(100)
    await settle()
    expect(started).to.equal(65)
    clock.advance(500)
    await settle()
    expect(started).to.equal(90)
    await Promise.all(all)
    clock.advance(2_000)
    const later = Array.from({ length: 61 }, () => pace.run('a', cancelIn(10_000, clock), () => Promise.resolve(void started++)))
    await settle()
    expect(started).to.equal(150)
    clock.advance(20)
    await Promise.all(later)
  })

  it('waiting fetches get their place in the order they came', async () => {
    const limits = new LimitByKey(new HandClock(), 1)
    const order: number[] = []
    const first = await limits.take('h', cancelIn())
    const rest = [1, 2, 3].map(async (index) => {
      const release = await limits.take('h', cancelIn())
      order.push(index)
      release()
      release()
    })
    first()
    await Promise.all(rest)
    expect([order, limits.size]).to.deep.equal([[1, 2, 3], 0])
  })
})

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('outbound: sockets of the process', () => {
  it('T-68 sockets opened elsewhere are counted, our own are not', async () => {
    const server = await httpServer((_request, response) => response.end())
    const kit = outboundKit({ allow: ['127.0.0.1'] })
    const stop = kit.sockets.audit()
    await kit.web.get(server.url, {}, cancelIn())
    expect([kit.sockets.opened, kit.sockets.foreign]).to.deep.equal([1, 0])
    await new Promise<void>((resolve) => connect(server.port, '127.0.0.1', () => resolve()))
    expect([kit.sockets.opened, kit.sockets.foreign]).to.deep.equal([1, 1])
    stop()
    await new Promise<void>((resolve) => connect(server.port, '127.0.0.1', () => resolve()))
    expect(kit.sockets.foreign).to.equal(1)
    await kit.close()
    await server.close()
  })
})
