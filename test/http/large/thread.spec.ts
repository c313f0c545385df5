import { expect } from 'chai'
import { Problem } from '../../../core/problems/problem.js'
import { systemClock } from '../../../core/runtime/clock.js'
import { GrowingBuffer } from '../../../core/runtime/growing-buffer.js'
import { bodyThread, LargeBodies } from '../../../core/http/large/bodies.js'
import type { SentBody } from '../../../core/http/sent-body.js'
import { SchemaCompiler } from '../../../core/sdk/index.js'
import { HandClock } from '../../support/outbound.js'
import { echo } from '../../support/test-plugin.js'

const MINUTE = 60_000

function order(text: string, account = 'a') {
  const growing = new GrowingBuffer(text.length)
  growing.append(Buffer.from(text))
  return { account, buffer: growing.buffer, length: text.length, request: null, agent: false }
}

/** A thread of a script that does not read bodies. */
function scripted(clock: HandClock, code: string): ReturnType<typeof bodyThread> {
  return bodyThread(
    clock,
    new URL(`data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'\n${code}`)}`),
  )
}

async function failure(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => null,
    (error: unknown) => error,
  )
}

describe('the thread of large bodies', function () {
  this.timeout(20_000)
  const clock = new HandClock()
  let thread: ReturnType<typeof bodyThread>
  afterEach(() => thread.close())

  it('starts with the first body and ends a minute after the last one', async () => {
    thread = bodyThread(clock)
    const bodies = new LargeBodies(clock, thread)
    expect(thread.running).to.equal(false)
    const body = await bodies.open(order('{"text":"hi"}'))
    clock.advance(2 * MINUTE)
    expect(thread.running).to.equal(true)
    body.close()
    clock.advance(MINUTE - 1)
    expect(thread.running).to.equal(true)
    ;(await bodies.open(order('{"text":"hi"}'))).close()
    clock.advance(MINUTE - 1)
    expect(thread.running).to.equal(true)
    clock.advance(1)
    expect(thread.running).to.equal(false)
    ;(await bodies.open(order('{}'))).close()
  })

  it('reads one body at a time; the next begins when the one before is checked, refused or given up', async () => {
    thread = bodyThread(clock)
    const bodies = new LargeBodies(clock, thread)
    const validator = new SchemaCompiler().compile(echo.input)
    const checked = await bodies.open(order('{"text":"one"}'))
    const came: string[] = []
    const next = ['{"text":', '{"text":"two"}', '{"text":"three"}'].map((text, index) => {
      const opened: Promise<SentBody | null> = bodies.open(order(text, `account ${index}`)).catch(() => null)
      return opened.finally(() => came.push(text))
    })
    expect(came).to.deep.equal([])
    expect(await checked.input(validator, 'body')).to.include({ text: 'one', mode: 'plain' })
    checked.close()
    expect(await next[0]).to.equal(null)
    const second = await next[1]
    expect(came).to.deep.equal(['{"text":', '{"text":"two"}'])
    second?.close()
    expect(await (await next[2])?.input(validator, 'body')).to.include({ text: 'three' })
  })

  it('that ends fails the body it had, and the next body has another thread', async () => {
    thread = scripted(clock, 'parentPort.on("message", () => process.exit(3))')
    const bodies = new LargeBodies(clock, thread)
    for (let round = 0; round < 2; round++)
      expect(String(await failure(bodies.open(order('{}'))))).to.contain('the thread gave no answer (ended)')
  })

  it('that runs out of memory refuses the body', async () => {
    thread = scripted(clock, 'parentPort.on("message", () => { const all = []; for (;;) all.push(new Array(1e5).fill(0.5)) })')
    const refused = await failure(new LargeBodies(clock, thread).open(order('{}')))
    expect(refused).to.be.instanceOf(Problem).with.property('message', 'The body needs too much memory to read.')
  })

  it('that takes too long is ended, and the body is refused for now', async () => {
    thread = scripted(clock, 'parentPort.on("message", () => undefined)')
    const open = failure(new LargeBodies(clock, thread).open(order('{}')))
    await Promise.resolve()
    await Promise.resolve()
    clock.advance(20_000)
    expect(await open)
      .to.be.instanceOf(Problem)
      .with.property('slug', 'overloaded')
    expect(thread.running).to.equal(false)
  })

  it('has no more bodies waiting than fit in memory', async () => {
    thread = bodyThread(systemClock)
    const bodies = new LargeBodies(systemClock, thread)
    const first = await bodies.open(order('{}'))
    const large = { ...order('{}'), length: 40 * 1024 * 1024 }
    const waiting = failure(bodies.open(large))
    expect(await failure(bodies.open({ ...order('{}'), length: large.length })))
      .to.be.instanceOf(Problem)
      .with.property('slug', 'overloaded')
    first.close()
    expect(await waiting).not.to.equal(null)
  })
})
