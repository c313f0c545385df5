import { expect } from 'chai'
import { request, type IncomingMessage } from 'node:http'
import type { Envelope } from '../../core/calls/envelope.js'
import { startGateway, type TestGateway } from '../support/gateway.js'
import { HandClock } from '../support/outbound.js'
import { expectProblem } from '../support/problem.js'
import { Stage } from '../support/stage.js'
import { settle } from '../support/unit.js'
import type { Behaviour } from '../support/test-plugin.js'
import { until } from '../support/time.js'

const ECHO = '/v1/test/echo'
const LIMIT_MS = 120_000
const PATIENCE_MS = 30_000

interface Stream {
  readonly status: number | undefined
  readonly events: { readonly event: string; readonly data: Envelope & Record<string, unknown> }[]
  readonly ended: Promise<void>
  readonly close: () => void
}

describe('a call that waits for a place of its class', () => {
  let stage: Stage
  let clock: HandClock
  let gateway: TestGateway
  let taken = 0
  let release: () => void = () => undefined
  beforeEach(async () => {
    stage = new Stage()
    taken = 0
    clock = new HandClock()
    gateway = await startGateway({
      script: { 'test.echo': [stage.vendor('one')], echo: { work: 'media', timeoutMs: LIMIT_MS } },
      env: { CAPSTAN_LIMIT_MEDIA_SLOTS: '1' },
      overrides: { clock },
    })
  })
  afterEach(async () => await gateway.close())
  /** Takes in a file of so many bytes (none of -1), and works on it until it is released or stopped; a text of `0` is answered at once. */
  const sized: Behaviour = async (input, context) => {
    const { text } = input as { text: string }
    if (text === '0') return { text }
    if (text !== '-1') await context.scratch.decode(Buffer.alloc(Number(text)).toString('base64'))
    taken++
    await new Promise<void>((resolve) => (release = resolve))
    return { text }
  }
  const plain = (text: string, key = gateway.key, headers: Record<string, string> = {}) =>
    gateway.send(ECHO, { body: { text }, key, headers })

  /** The events of a call, from its head on. */
  const stream = (text: string, key = gateway.key): Promise<Stream> =>
    new Promise((resolve, reject) => {
      const headers = { accept: 'text/event-stream', authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const sent = request(gateway.url + ECHO, { method: 'POST', agent: false, headers }, (incoming: IncomingMessage) => {
        const events: Stream['events'] = []
        let rest = ''
        incoming.setEncoding('utf8').on('data', (chunk: string) => {
          const blocks = (rest + chunk).split('\n\n')
          rest = blocks.pop() ?? ''
          for (const block of blocks) {
            const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/m.exec(block) ?? []
            if (event !== '') events.push({ event, data: JSON.parse(data) as Stream['events'][number]['data'] })
          }
        })
        const ended = new Promise<void>((end) => incoming.on('close', end).on('error', () => undefined))
        resolve({ status: incoming.statusCode, events, ended, close: () => sent.destroy() })
      })
      sent.on('error', reject)
      sent.end(JSON.stringify({ text }))
    })
  /** A call that has the one place; `reply` is its answer. */
  const occupied = async (): Promise<{ reply: ReturnType<typeof plain> }> => {
    const reply = plain('wait')
    await stage.until(() => stage.waiting === 1)
    return { reply }
  }
  const holds = async (credits: number): Promise<void> => {
    await until(async () => (await gateway.money()).held === credits)
  }
  const received = async ({ events }: Stream, count: number): Promise<void> => {
    await until(() => events.length >= count)
  }

  it('is shown its position as it changes, and then its work', async () => {
    const first = plain('wait 1')
    await stage.until(() => stage.waiting === 1)
    const second = plain('wait 2')
    await holds(2)
    const third = await stream('step 3')
    await received(third, 1)
    expect(third.status).to.equal(200)
    stage.release()
    await first
    await stage.until(() => stage.texts.includes('one:wait 2'))
    clock.advance(500)
    await received(third, 2)
    stage.release()
    await second
    await third.ended
    const shown = third.events.map(({ event, data: { step, detail, done, total } }) =>
      event === 'progress' ? { step, detail, done, total } : event,
    )
    expect(shown).to.deep.equal([
      { step: 'queued', detail: 'position 2 in the queue for media work', done: 0, total: 2 },
      { step: 'queued', detail: 'position 1 in the queue for media work', done: 1, total: 2 },
      { step: 'working', detail: 'half done', done: 1, total: 2 },
      { step: 'finishing', detail: null, done: null, total: null },
      'result',
    ])
    expect(third.events.at(-1)?.data).to.deep.include({ success: true, credits_used: 1 })
  })

  it('without the credits is 402 at once, also as events, and takes no place in the line', async () => {
    const running = await occupied()
    const poor = await gateway.newAccount(0)
    expectProblem(await plain('hi', poor.key), 'insufficient-credits')
    expectProblem(
      await gateway.send(ECHO, { body: { text: 'hi' }, key: poor.key, headers: { accept: 'text/event-stream' } }),
      'insufficient-credits',
    )
    const next = await stream('hi')
    await received(next, 1)
    expect(next.events[0]?.data).to.deep.include({ step: 'queued', done: 0, total: 1 })
    stage.release()
    expect((await running.reply).status).to.equal(200)
    await next.ended
    expect(next.events.at(-1)?.data).to.include({ success: true })
  })

  it('A8 is given that of a small file that has had 20 s, whose call is 422, free and counted as an abort', async () => {
    await gateway.close()
    gateway = await startGateway({
      script: { 'test.echo': [{ vendor: 'one', run: sized }], echo: { work: 'media', timeoutMs: LIMIT_MS } },
      env: { CAPSTAN_LIMIT_MEDIA_SLOTS: '1', CAPSTAN_LIMIT_ABORTS_PER_MINUTE: '1' },
      overrides: { clock },
    })
    const other = await gateway.newAccount(100)
    const keyed = { 'idempotency-key': 'small-file' }
    for (const headers of [keyed, keyed]) {
      const before = taken
      const small = plain('999999', gateway.key, headers)
      await until(() => taken === before + 1)
      const waiting = plain('0', other.key)
      await until(async () => (await gateway.money(other.id)).held === 1)
      clock.advance(20_000)
      const refused = expectProblem(await small, 'no-result')
      expect(refused.error?.detail).to.contain('takes longer than a file of its size may while other accounts wait')
      expect((await waiting).status).to.equal(200)
      expect((await gateway.money()).held).to.equal(0)
    }
    expect(taken, 'the refusal is not kept under its key: the work began again').to.equal(2)
    expectProblem(await plain('0'), 'rate-limited')
  })

  it('A8 is not given that of a large file, nor of a call without one, before its time', async () => {
    for (const bytes of [1_000_000, -1]) {
      await gateway.close()
      gateway = await startGateway({
        script: { 'test.echo': [{ vendor: 'one', run: sized }], echo: { work: 'media', timeoutMs: LIMIT_MS } },
        env: { CAPSTAN_LIMIT_MEDIA_SLOTS: '1' },
        overrides: { clock },
      })
      const before = taken
      const running = plain(String(bytes))
      await until(() => taken === before + 1)
      const other = await gateway.newAccount(100)
      const waiting = plain('0', other.key)
      await until(async () => (await gateway.money(other.id)).held === 1)
      clock.advance(25_000)
      release()
      expect((await running).status, String(bytes)).to.equal(200)
      expect((await waiting).status).to.equal(200)
    }
  })

  it('in vain is 503: with its credits given back, and as the last event of a stream that has begun', async () => {
    const running = await occupied()
    const { balance } = await gateway.money()
    const waiting = plain('hi')
    await holds(2)
    const shown = await stream('hi')
    await received(shown, 1)
    clock.advance(PATIENCE_MS)
    const refused = expectProblem(await waiting, 'overloaded')
    expect(refused.error?.detail).to.contain('limits.media_slots')
    await shown.ended
    expect(shown.events.map(({ event }) => event)).to.deep.equal(['progress', 'result'])
    expect(shown.events.at(-1)?.data).to.deep.include({ success: false, credits_used: 0 })
    expect(shown.events.at(-1)?.data).to.have.nested.property('error.status', 503)
    expect(await gateway.money()).to.include({ balance, held: 1 })
    stage.release()
    expect((await running.reply).status).to.equal(200)
    expect(stage.texts).to.deep.equal(['one:wait'])
  })

  it('is refused at once, and without a hold, where the wait would be too long: as events too with the plain status', async () => {
    const slow = await occupied()
    clock.advance(40_000)
    stage.release()
    await slow.reply
    const running = await occupied()
    const first = await stream('first')
    await received(first, 1)
    const { held } = await gateway.money()
    for (const headers of [{}, { accept: 'text/event-stream' }])
      expectProblem(await gateway.send(ECHO, { body: { text: 'hi' }, headers }), 'overloaded')
    expect(held).to.equal(2)
    const calls = await gateway.get('/v1/calls')
    expect(calls.text).not.to.contain('overloaded')
    stage.release()
    await Promise.all([running.reply, first.ended])
  })

  it('keeps its hold through the queue and the work: it is charged once at the end, whatever is swept meanwhile', async () => {
    const running = await occupied()
    const { balance } = await gateway.money()
    const waiting = await stream('wait')
    await received(waiting, 1)
    for (let passed = 0; passed < PATIENCE_MS - 1_000; passed += 1_000) clock.advance(1_000)
    stage.release()
    await running.reply
    await stage.until(() => stage.texts.length === 2 && stage.waiting === 1)
    for (let passed = 0; passed < LIMIT_MS - PATIENCE_MS - 1_000; passed += 1_000) {
      clock.advance(1_000)
      if (passed % 10_000 === 0) await settle()
    }
    expect((await gateway.money()).held).to.equal(1)
    stage.release()
    await waiting.ended
    expect(waiting.events.at(-1)?.data).to.deep.include({ success: true, credits_used: 1 })
    expect(await gateway.money()).to.include({ balance: balance - 2, held: 0 })
  })

  it('and whose caller leaves gives place and credits back, and those behind it move up', async () => {
    const running = await occupied()
    const before = await gateway.money()
    const leaver = await stream('gone')
    await received(leaver, 1)
    const behind = await stream('hi')
    await received(behind, 1)
    leaver.close()
    await holds(before.held + 1)
    clock.advance(500)
    await received(behind, 2)
    expect(behind.events.map(({ data }) => [data['done'], data['total']])).to.deep.equal([
      [0, 2],
      [1, 2],
    ])
    stage.release()
    await Promise.all([running.reply, behind.ended])
    expect(stage.texts).to.deep.equal(['one:wait', 'one:hi'])
  })

  it('under an Idempotency-Key is answered 409 meanwhile; refused, it frees the key', async () => {
    const running = await occupied()
    const headers = { 'idempotency-key': 'once' }
    const waiting = plain('hi', gateway.key, headers)
    await holds(2)
    expectProblem(await plain('hi', gateway.key, headers), 'idempotency-conflict', { retriable: true })
    clock.advance(PATIENCE_MS)
    expectProblem(await waiting, 'overloaded')
    stage.release()
    await running.reply
    expect((await plain('hi', gateway.key, headers)).status).to.equal(200)
    const replay = await plain('hi', gateway.key, headers)
    expect(replay.headers).to.include({ 'idempotent-replayed': 'true' })
  })
})
