import { expect } from 'chai'
import sinon from 'sinon'
import { RunningCalls } from '../../../core/runtime/running.js'
import { Cancel } from '../../../core/runtime/cancel.js'
import { closeInOrder, finishCalls } from '../../../core/lifecycle/closing.js'
import { HandClock } from '../../support/outbound.js'
import { settle } from '../../support/unit.js'

describe('the steps of closing', () => {
  let timers: sinon.SinonFakeTimers
  beforeEach(
    () => (timers = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })),
  )
  afterEach(() => timers.restore())

  it('follow each other; one that fails or hangs for five seconds is logged by name and keeps none of the others', async () => {
    const done: string[] = []
    const logs: unknown[] = []
    let finish: () => void = () => undefined
    const step = (name: string, work: () => Promise<unknown>) => [name, () => (done.push(name), work())] as const
    const closed = closeInOrder(
      [
        step('slow', () => new Promise<void>((resolve) => void (finish = resolve))),
        step('broken', () => Promise.reject(new Error('away'))),
        step('hanging', () => new Promise(() => undefined)),
        step('last', () => Promise.resolve()),
      ],
      (_level, message, fields) => void logs.push([message, fields?.step]),
    )
    await timers.tickAsync(4_999)
    expect(done).to.deep.equal(['slow'])
    finish()
    await timers.tickAsync(4_999)
    expect(done).to.deep.equal(['slow', 'broken', 'hanging'])
    await timers.tickAsync(1)
    await closed
    expect(done.at(-1)).to.equal('last')
    expect(logs).to.deep.equal([
      ['shutdown step failed', 'broken'],
      ['shutdown step failed', 'hanging'],
    ])
    expect(timers.countTimers(), 'nothing keeps the process alive').to.equal(0)
  })

  it('take ten seconds together at most, and each of them has its turn', async () => {
    const begun: string[] = []
    const hanging = (name: string) => [name, () => (begun.push(name), new Promise(() => undefined))] as const
    const closed = closeInOrder(['one', 'two', 'three', 'four'].map(hanging), () => undefined)
    await timers.tickAsync(9_999)
    expect(begun).to.deep.equal(['one', 'two'])
    await timers.tickAsync(501)
    await closed
    expect(begun).to.deep.equal(['one', 'two', 'three', 'four'])
  })
})

describe('calls that run while the gateway closes', () => {
  const call = (clock: HandClock): Cancel => new Cancel(clock, clock.monotonic() + 60_000)

  it('are waited for until none runs, one that begins meanwhile too', async () => {
    const clock = new HandClock()
    const running = new RunningCalls()
    const [first, second] = [call(clock), call(clock)]
    const leaveFirst = running.add(first)
    let over = false
    const finished = finishCalls(running, clock, 10_000).then(() => (over = true))
    leaveFirst()
    const leaveSecond = running.add(second)
    await settle()
    expect(over).to.equal(false)
    leaveSecond()
    await finished
    expect(second.signal.aborted).to.equal(false)
  })

  it('are cut when the grace is over, and at once without one', async () => {
    for (const grace of [10_000, 0, -5]) {
      const clock = new HandClock()
      const running = new RunningCalls()
      const endless = call(clock)
      running.add(endless)
      const finished = finishCalls(running, clock, grace)
      await settle(5)
      expect(endless.signal.aborted, String(grace)).to.equal(grace <= 0)
      clock.advance(10_000)
      await finished
      expect(endless.signal.aborted).to.equal(true)
    }
  })
})
