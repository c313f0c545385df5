import { expect } from 'chai'
import { request, type IncomingMessage } from 'node:http'
import { startGateway, type TestGateway } from '../support/gateway.js'
import { HandClock } from '../support/outbound.js'
import { expectHeaders, expectProblem } from '../support/problem.js'
import { Stage } from '../support/stage.js'
import { until } from '../support/time.js'

const ECHO = '/v1/test/echo'
const EVENTS = { accept: 'text/event-stream' }

interface Event {
  readonly event: string
  readonly data: Record<string, unknown>
}
const parse = (text: string): Event[] =>
  text
    .split('\n\n')
    .filter((block) => block.startsWith('event:'))
    .map((block) => ({
      event: /^event: (.*)$/m.exec(block)?.[1] ?? '',
      data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? 'null') as Record<string, unknown>,
    }))

describe('a call answered as events', () => {
  const stage = new Stage()
  const clock = new HandClock()
  let gateway: TestGateway
  let key: string
  before(async () => {
    clock.advance(1_000)
    gateway = await startGateway({
      script: { 'test.echo': [stage.vendor('one')], 'test.send': [stage.vendor('asleep', { state: 'dormant' })] },
      overrides: { clock },
    })
    key = (await gateway.newKey()).key
  })
  after(async () => await gateway.close())
  afterEach(() => gateway.app.services.suspensions.resume('test.echo/one'))
  const call = (body: unknown, headers: Record<string, string> = {}, path = ECHO) =>
    gateway.send(path, { body, key, headers: { ...EVENTS, ...headers } })

  /** A stream whose head has come. */
  const open = (body: unknown, headers: Record<string, string> = {}): Promise<{ incoming: IncomingMessage; close: () => void }> =>
    new Promise((resolve, reject) => {
      const sent = request(
        gateway.url + ECHO,
        {
          method: 'POST',
          agent: false,
          headers: { ...EVENTS, authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        },
        (incoming) => {
          incoming.on('error', () => undefined)
          resolve({ incoming, close: () => sent.destroy() })
        },
      )
      sent.on('error', reject)
      sent.end(JSON.stringify(body))
    })

  it('of an Idempotency-Key that was used says that it is a replay, and costs nothing more', async () => {
    const headers = { 'idempotency-key': 'stream-1' }
    const [first, again] = [await call({ text: 'once' }, headers), await call({ text: 'once' }, headers)]
    const { balance } = await gateway.money()
    expect(first.headers).not.to.have.property('idempotent-replayed')
    expect(again.headers).to.include({ 'idempotent-replayed': 'true', 'content-type': 'text/event-stream; charset=utf-8' })
    expectHeaders(again)
    expect(again.text).to.equal(first.text)
    await call({ text: 'once' }, headers)
    expect((await gateway.money()).balance).to.equal(balance)
  })

  it('says progress, then the envelope as one last result; the credits follow as a trailer', async () => {
    const { balance } = await gateway.money()
    const reply = await call({ text: 'step by step', mode: 'loud' })
    expect(reply.status).to.equal(200)
    expectHeaders(reply)
    expect(reply.headers).to.include({ 'content-type': 'text/event-stream; charset=utf-8', trailer: 'X-Credits-Used' })
    expect(reply.headers).not.to.have.property('x-credits-used')
    expect(reply.trailers).to.deep.equal({ 'x-credits-used': '2' })
    const events = parse(reply.text)
    expect(events.map(({ event }) => event)).to.deep.equal(['progress', 'progress', 'result'])
    expect(events[0]?.data).to.deep.equal({ step: 'working', detail: 'half done', done: 1, total: 2 })
    expect(events[1]?.data).to.deep.equal({ step: 'finishing', detail: null, done: null, total: null })
    expect(events[2]?.data).to.deep.include({ success: true, data: { text: 'step by step' }, credits_used: 2 })
    expect((await gateway.money()).balance).to.equal(balance - 2)
  })

  it('sends its head on admission and a heartbeat each fifteen seconds', async () => {
    const { incoming } = await open({ text: 'wait' })
    expect(incoming.statusCode).to.equal(200)
    const received: string[] = []
    incoming.setEncoding('utf8')
    incoming.on('data', (chunk: string) => received.push(chunk))
    await stage.until(() => stage.waiting === 1)
    clock.advance(4_000)
    expect(received).to.deep.equal([])
    const ended = new Promise((resolve) => incoming.on('end', resolve))
    stage.release()
    await ended
    expect(parse(received.join('')).at(-1)?.data).to.include({ success: true })
  })

  it('has a heartbeat each fifteen seconds while nothing happens', async () => {
    const { EventWriter } = await import('../../core/http/answer.js')
    const written: string[] = []
    const res = { writeHead: () => res, flushHeaders: () => undefined, on: () => res, write: (text: string) => written.push(text) }
    const writer = new EventWriter(
      { clock, shedder: { leaving: false } } as never,
      { res, state: { exchange: { requestId: 'r', rate: null, balance: null, creditsUsed: 0 } } } as never,
    )
    writer.start()
    for (const [ms, count] of [
      [14_999, 0],
      [1, 1],
      [15_000, 2],
      [14_000, 2],
    ] as const) {
      clock.advance(ms)
      expect(written.length).to.equal(count)
    }
    expect(written[0]).to.equal(': heartbeat\n\n')
  })

  it('a failure of the work is a result that says so, free', async () => {
    const { balance } = await gateway.money()
    const reply = await call({ text: 'blocked' })
    expect(reply.status).to.equal(200)
    const [last] = parse(reply.text).slice(-1)
    expect(last?.data).to.deep.include({ success: false, data: null, credits_used: 0 })
    expect(reply.trailers).to.deep.equal({ 'x-credits-used': '0' })
    expect((await gateway.money()).balance).to.equal(balance)
  })

  it('a problem before admission is an ordinary answer', async () => {
    expectProblem(await call({}), 'validation-failed')
    expectProblem(await call({ text: 'hi' }, {}, '/v1/test/send'), 'capability-unavailable')
    expectProblem(await gateway.send(ECHO, { body: { text: 'hi' }, key: null, headers: EVENTS }), 'authentication-required')
    const poor = await gateway.newAccount(0)
    expectProblem(await gateway.send(ECHO, { body: { text: 'hi' }, key: poor.key, headers: EVENTS }), 'insufficient-credits')
  })

  it('hanging up aborts the work and gives the money back', async () => {
    const before = await gateway.money()
    const { close } = await open({ text: 'wait for nobody' })
    await stage.until(() => stage.waiting === 1)
    close()
    await stage.until(() => stage.aborted.includes('wait for nobody'))
    await until(() => gateway.app.running() === 0)
    expect(await gateway.money()).to.deep.equal(before)
  })

  it('hanging up under an Idempotency-Key lets the work go on; its progress goes nowhere and harms nothing', async () => {
    const { close } = await open({ text: 'step wait' }, { 'idempotency-key': 'stream' })
    await stage.until(() => stage.waiting === 1)
    close()
    await new Promise((resolve) => setImmediate(resolve))
    stage.release()
    await until(() => gateway.app.running() === 0)
    const replay = await call({ text: 'step wait' }, { 'idempotency-key': 'stream' })
    expect(parse(replay.text).map(({ event }) => event)).to.deep.equal(['result'])
    expect(parse(replay.text)[0]?.data).to.include({ success: true, credits_used: 1 })
  })
})
