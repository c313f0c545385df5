import { expect } from 'chai'
import { connect, type Socket } from 'node:net'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { HandClock } from '../../support/outbound.js'
import { Stage } from '../../support/stage.js'
import { until } from '../../support/time.js'

const ECHO = '/v1/test/echo'
const MIB = 1024 * 1024
/** A body of echo whose last byte is missing: its `note` is as long as wanted. */
const body = (bytes: number): string => `{"text":"hi","note":"${'n'.repeat(bytes - 23)}"}`

describe('request bodies that arrive', function () {
  this.timeout(30_000)
  const stage = new Stage()
  let clock: HandClock
  let gateway: TestGateway
  let sockets: Socket[]
  beforeEach(async () => {
    clock = new HandClock()
    sockets = []
    gateway = await startGateway({
      overrides: { clock },
      script: { 'test.echo': [stage.vendor('one')] },
      env: {
        CAPSTAN_LIMIT_BODY: String(8 * MIB),
        CAPSTAN_LIMIT_ACCOUNT_BUFFER: String(8 * MIB),
        CAPSTAN_LIMIT_ADDRESS_BUFFER: String(MIB),
      },
    })
  })
  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    await gateway.close()
  })

  const held = (): number => gateway.app.services.bytes.bytes

  interface Sender {
    readonly socket: Socket
    /** All that came back. */
    readonly answer: () => string
    readonly closed: () => boolean
  }
  /** Sends a head and a part of a body. */
  const send = (head: string, part: string | Buffer): Sender => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
    sockets.push(socket)
    let [text, closed] = ['', false]
    socket.on('error', () => undefined)
    socket.on('close', () => (closed = true))
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
    socket.write(`${head}\r\n\r\n`)
    socket.write(part)
    return { socket, answer: () => text, closed: () => closed }
  }
  const paid = (length: number | 'chunked', path = ECHO, key = gateway.key): string =>
    [
      `POST ${path} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
    ].join('\r\n')

  it('A2 that find no room are refused with 503 before they are read, by the name of the setting; others of that size come later', async () => {
    const text = body(5 * MIB)
    const first = send(paid(text.length), text.slice(0, -1))
    await until(() => held() === text.length - 1)
    const second = send(paid(text.length), '')
    await until(() => second.closed())
    expect(second.answer()).to.match(/^HTTP\/1\.1 503 [^]*Retry-After: 2\r\n[^]*limits\.account_buffer/)
    const other = await gateway.newAccount(10)
    expect((await gateway.send(ECHO, { key: other.key, body: text })).status, 'of another account').to.equal(200)
    first.socket.write(text.slice(-1))
    await until(() => first.answer().includes('"credits_used":1'))
    await until(() => held() === 0)
    expect((await gateway.send(ECHO, { body: text })).status).to.equal(200)
  })

  it('A2 of no declared length are refused once they find no room', async () => {
    const [first, second] = [1, 2].map(() => send(paid('chunked'), `500000\r\n${body(5 * MIB)}\r\n`))
    await until(() => held() > 4 * MIB)
    await until(() => first?.closed() === true || second?.closed() === true)
    const refused = [first, second].filter((sender) => sender?.closed())
    expect(refused.length).to.equal(1)
    expect(refused[0]?.answer()).to.match(/^HTTP\/1\.1 503 [^]*limits\.account_buffer/)
    expect(held()).to.be.at.most(8 * MIB)
  })

  it('A2 count while their call runs, whether or not its caller waits', async () => {
    const text = `{"text":"wait","note":"${'n'.repeat(5 * MIB)}"}`
    const head = `${paid(text.length)}\r\nIdempotency-Key: stays`
    const caller = send(head, text)
    await stage.until(() => stage.waiting === 1)
    caller.socket.destroy()
    const refused = send(paid(5 * MIB), '')
    await until(() => refused.closed())
    expect(refused.answer()).to.contain('limits.account_buffer')
    stage.release()
    await until(() => held() === 0)
  })

  for (const [path, what] of [
    [ECHO, 'a capability'],
    ['/v1/agent', '/v1/agent'],
    ['/v1/estimate', 'a route with a key'],
  ] as const)
    it(`A2 T-01 to ${what} that stall for 30 seconds, or drip, are ended with 400`, async () => {
      const senders = [1, 2].map(() => send(paid(500_000, path), body(400_000)))
      await until(() => held() === 800_000)
      for (let second = 0; second < 61; second++) {
        clock.advance(1_000)
        senders[1]?.socket.write('n')
      }
      await until(() => senders.every(({ closed }) => closed()))
      for (const sender of senders) expect(sender.answer()).to.match(/^HTTP\/1\.1 400 [^]*1 KiB a second/)
      await until(() => held() === 0)
    })

  it('A2 to the admin API count for the address', async () => {
    const admin = (length: number): string => paid(length, '/admin/v1/accounts', gateway.adminToken)
    send(admin(900_000), body(800_000))
    await until(() => held() === 800_000)
    const second = send(admin(900_000), '')
    await until(() => second.closed())
    expect(second.answer()).to.match(/^HTTP\/1\.1 503 [^]*limits\.address_buffer/)
    const account = await gateway.get('/v1/account')
    expect(account.status, 'others are served').to.equal(200)
  })

  it('A2 in chunks of one byte take no more memory than their bytes', async () => {
    const before = process.memoryUsage()
    const most = 150_000
    const text = body(most + 10)
    const sender = send(paid('chunked'), [...text.slice(0, most)].map((byte) => `1\r\n${byte}\r\n`).join(''))
    await until(() => held() >= most)
    const { external, heapUsed } = process.memoryUsage()
    expect(external + heapUsed - before.external - before.heapUsed, 'a buffer of its own for each takes 100 bytes and more').to.be.below(
      60 * MIB,
    )
    sender.socket.write(`a\r\n${text.slice(most)}\r\n0\r\n\r\n`)
    await until(() => sender.answer().includes('"success":true'))
  })

  it('a stop ends those that still arrive when its grace is over, with 503', async () => {
    const sender = send(paid(5 * MIB), body(MIB))
    await until(() => held() === MIB)
    gateway.app.cut()
    await until(() => sender.closed())
    expect(sender.answer()).to.match(/^HTTP\/1\.1 503 [^]*stopping/)
  })
})
