import { expect } from 'chai'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { HandClock } from '../../support/outbound.js'
import { expectProblem } from '../../support/problem.js'
import { Stage } from '../../support/stage.js'
import { until } from '../../support/time.js'

const ECHO = '/v1/test/echo'
const MIB = 1024 * 1024
/** One answer of `wide` is 24 MiB, of which the kernel takes some. */
const WIDE = 24 * MIB

describe('answers that nobody reads', function () {
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
      env: { CAPSTAN_LIMIT_KEY_CONCURRENCY: '3', CAPSTAN_LIMIT_ABORTS_PER_MINUTE: '3' },
    })
  })
  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    await gateway.close()
  })

  const held = (): number => gateway.app.services.bytes.bytes
  const open = (): Socket => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    sockets.push(socket)
    return socket
  }
  const requestFor = (key: string, body: unknown, headers = ''): string => {
    const text = JSON.stringify(body)
    return `POST ${ECHO} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${headers}Content-Length: ${text.length}\r\n\r\n${text}`
  }
  /** A client that requests 24 MiB and reads nothing. */
  const unread = async (key = gateway.key, headers = ''): Promise<Socket> => {
    const before = held()
    const answers: ServerResponse[] = []
    gateway.server.once('request', (_request, answer: ServerResponse) => void answers.push(answer))
    const socket = open()
    socket.pause()
    socket.write(requestFor(key, { text: 'wide' }, headers))
    await until(() => held() >= before + WIDE && answers[0]?.headersSent === true)
    return socket
  }
  const closed = (socket: Socket): Promise<boolean> => new Promise((resolve) => socket.once('close', () => resolve(true)).resume())
  const settled = (balance: number): Promise<number> => until(async () => (await gateway.money()).balance === balance)

  it('A2 count for their account, beyond whose 64 MiB a call is refused before it is charged; others are served', async () => {
    const { balance } = await gateway.money()
    await unread()
    await unread()
    const refused = await gateway.post(ECHO, { text: 'wide' })
    expect(expectProblem(refused, 'overloaded').error?.detail).to.contain('limits.account_buffer')
    expect(refused.headers['retry-after']).to.equal('2')
    await settled(balance - 2)
    expect((await gateway.post(ECHO, { text: 'hi' })).status, 'what fits is served').to.equal(200)
    const other = await gateway.newAccount(100)
    expect((await gateway.send(ECHO, { key: other.key, body: { text: 'wide' } })).status).to.equal(200)
  })

  it('A2 that find no room count as given up, since their work was for nothing', async () => {
    const { key } = await gateway.newAccount(100)
    await unread(key)
    await unread(key)
    const statuses: number[] = []
    for (let round = 0; round < 5; round++) statuses.push((await gateway.send(ECHO, { key, body: { text: 'wide' } })).status)
    expect(statuses).to.deep.equal([503, 503, 503, 503, 429])
  })

  it('A2 keep the place of their call until they are out, so that a key has no more of them than calls at once', async () => {
    const { key } = await gateway.newKey()
    const first = await unread(key)
    await unread(key)
    const waiting = gateway.send(ECHO, { key, body: { text: 'wait' } })
    await stage.until(() => stage.waiting === 1)
    expectProblem(await gateway.send(ECHO, { key, body: { text: 'hi' } }), 'too-many-in-flight')
    stage.release()
    expect((await waiting).status).to.equal(200)
    expect((await gateway.send(ECHO, { key, body: { text: 'hi' } })).status, 'the place of an answer that is out is free').to.equal(200)
    first.destroy()
    await until(() => held() < 2 * WIDE)
    expect((await gateway.send(ECHO, { key, body: { text: 'hi' } })).status).to.equal(200)
  })

  it('B1 of repeated answers count too, before they are unpacked, and are free: the ledger shows one charge', async () => {
    const { balance } = await gateway.money()
    const header = { 'idempotency-key': 'one' }
    expect((await gateway.post(ECHO, { text: 'wide' }, header)).status).to.equal(200)
    const line = 'Idempotency-Key: one\r\n'
    await unread(gateway.key, line)
    await unread(gateway.key, line)
    const { key } = await gateway.newKey()
    const refused = await gateway.send(ECHO, { key, body: { text: 'wide' }, headers: header })
    expect(expectProblem(refused, 'overloaded').error?.detail).to.contain('limits.account_buffer')
    for (const socket of sockets) socket.destroy()
    await until(() => held() === 0)
    const again = await gateway.send(ECHO, { key, body: { text: 'wide' }, headers: header })
    expect([again.status, again.headers['idempotent-replayed']]).to.deep.equal([200, 'true'])
    expect((await gateway.money()).balance).to.equal(balance - 1)
  })

  for (const [what, window] of [
    ['nothing', 0],
    ['a byte now and then', 1],
  ] as const)
    it(`F-27 A1 A2 are cut when their reader takes ${what} for 30 seconds behind what the kernel took at once, and refunded`, async () => {
      const { balance } = await gateway.money()
      const socket = await unread()
      await settled(balance - 1)
      expect((await gateway.post(ECHO, { text: 'missing' })).status, 'others are served meanwhile').to.equal(422)
      for (let second = 0; second < 61; second++) {
        clock.advance(1_000)
        if (window > 0) socket.read(1)
      }
      expect(await closed(socket)).to.equal(true)
      await until(() => held() === 0)
      await settled(balance)
    })

  it('of a reader that keeps up are written to the end, whatever it takes', async () => {
    const socket = open()
    let read = 0
    socket.on('data', (chunk: Buffer) => {
      read += chunk.length
      socket.pause()
      setImmediate(() => {
        clock.advance(100)
        socket.resume()
      })
    })
    socket.write(requestFor(gateway.key, { text: 'wide' }))
    await until(() => read > WIDE)
    await until(() => held() === 0)
    expect(clock.monotonic()).to.be.above(30_000)
  })

  it('A2 as events count like others, and end on the wire as they do', async () => {
    const text = 'x'.repeat(WIDE)
    const reply = await gateway.post(ECHO, { text: 'wide' }, { accept: 'text/event-stream' })
    expect(reply.text.startsWith('event: result\ndata: {')).to.equal(true)
    expect(reply.text.endsWith('}\n\n')).to.equal(true)
    expect(reply.text.includes(text)).to.equal(true)
    expect(reply.trailers['x-credits-used']).to.equal('1')
    await unread(gateway.key, 'Accept: text/event-stream\r\n')
    await unread(gateway.key, 'Accept: text/event-stream\r\n')
    expect((await gateway.post(ECHO, { text: 'wide' }, { accept: 'text/event-stream' })).text).to.contain('limits.account_buffer')
  })

  it('A2 behind one that is not out yet on the same connection count as well', async () => {
    const { key } = await gateway.newKey()
    const socket = open()
    socket.pause()
    socket.write(requestFor(key, { text: 'wait first' }) + requestFor(key, { text: 'wide' }) + requestFor(key, { text: 'wide' }))
    await until(() => held() >= 2 * WIDE)
    expectProblem(await gateway.post(ECHO, { text: 'wide' }), 'overloaded')
    socket.destroy()
    await until(() => held() === 0)
  })

  describe('A5 whose reader leaves', () => {
    /** Reads so much of an answer of 24 MiB and resets the connection. */
    const readAndLeave = async (key: string, share: number, headers = ''): Promise<void> => {
      const socket = open()
      let read = 0
      await new Promise<void>((resolve) => {
        socket.on('data', (chunk: Buffer) => {
          read += chunk.length
          if (read >= share * WIDE) resolve(void socket.pause())
        })
        socket.write(requestFor(key, { text: 'wide' }, headers))
      })
      socket.resetAndDestroy()
    }
    const aborts = async (key: string): Promise<number> => (await gateway.send(ECHO, { key, body: { text: 'hi' } })).status

    it('before half of them was written are refunded, and count as given up', async () => {
      const { key, id } = await gateway.newAccount(100)
      for (let round = 0; round < 4; round++) {
        await readAndLeave(key, 0.1)
        await until(() => held() === 0)
        await until(async () => (await gateway.money(id)).balance === 100)
      }
      expect(await aborts(key), 'more than three a minute').to.equal(429)
    })

    it('behind half of them stay charged, and count as given up', async () => {
      const { key, id } = await gateway.newAccount(100)
      for (let round = 0; round < 4; round++) {
        // The rest is more than the buffers of the kernel take, else the answer would count as delivered.
        await readAndLeave(key, 0.6)
        await until(() => held() === 0)
      }
      await until(async () => gateway.app.services.refunds.unsettled === 0 && (await gateway.money(id)).balance === 96)
      // An abort is counted behind its charge.
      await until(async () => (await aborts(key)) === 429)
    })

    it('and that are kept under an Idempotency-Key stay charged and are not given up', async () => {
      const { key, id } = await gateway.newAccount(100)
      for (let round = 0; round < 4; round++) {
        await readAndLeave(key, 0.1, `Idempotency-Key: r${round}\r\n`)
        await until(() => held() === 0)
      }
      expect(await aborts(key)).to.equal(200)
      expect((await gateway.money(id)).balance).to.equal(95)
    })
  })

  it('B7 capstan_credits_total and the log count what was charged and not refunded, and no repeated answer', async () => {
    const lines: unknown[] = []
    await gateway.close()
    gateway = await startGateway({
      overrides: { clock, log: (event, _message, fields) => void (event === 'request' && lines.push(fields?.['credits'])) },
      script: { 'test.echo': [stage.vendor('one')] },
    })
    const header = { 'idempotency-key': 'one' }
    for (let round = 0; round < 4; round++)
      expect((await gateway.post(ECHO, { text: 'loud', mode: 'loud' }, header)).headers['x-credits-used']).to.equal('2')
    const { balance } = await gateway.money()
    const left = await unread()
    left.destroy()
    await until(() => held() === 0)
    await settled(balance)
    await until(() => lines.length === 5)
    expect(lines).to.deep.equal([2, 0, 0, 0, 0])
    const { text } = await gateway.app.services.telemetry.metrics()
    expect(/^capstan_credits_total\{[^}]*\} (\S+)$/m.exec(text)?.[1]).to.equal('2')
  })
})
