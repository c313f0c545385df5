import { expect } from 'chai'
import { useFakeTimers, type SinonFakeTimers } from 'sinon'
import { Cancel } from '../../../core/runtime/cancel.js'
import { systemClock } from '../../../core/runtime/clock.js'
import { HandClock } from '../../support/outbound.js'

describe('the stop signal of a call', () => {
  const made = (ms = 1_000) => {
    const clock = new HandClock()
    return { clock, cancel: new Cancel(clock, clock.monotonic() + ms) }
  }

  it('calls listeners in the order they were added, once, with the first reason', () => {
    const { cancel } = made()
    const reasons: string[] = []
    cancel.onCancel((reason) => void reasons.push(`a ${reason}`))
    const forget = cancel.onCancel(() => void reasons.push('forgotten'))
    cancel.onCancel((reason) => void reasons.push(`b ${reason}`))
    forget()
    expect([cancel.reason, cancel.cancelled]).to.deep.equal([null, false])
    cancel.cancel('client-gone')
    cancel.cancel('deadline')
    expect(reasons).to.deep.equal(['a client-gone', 'b client-gone'])
    expect([cancel.reason, cancel.cancelled]).to.deep.equal(['client-gone', true])
  })

  it('calls every listener and aborts the signal, whatever one of them throws, and throws that at the end', () => {
    const { cancel } = made()
    const reasons: string[] = []
    const { signal } = cancel
    cancel.onCancel(() => {
      throw new Error('ESRCH')
    })
    cancel.onCancel((reason) => void reasons.push(reason))
    expect(() => cancel.cancel('deadline')).to.throw('ESRCH')
    expect([reasons, signal.aborted]).to.deep.equal([['deadline'], true])
  })

  it('calls a listener that is added afterwards at once', () => {
    const { cancel } = made()
    cancel.cancel('shutdown')
    const reasons: string[] = []
    cancel.onCancel((reason) => void reasons.push(reason))()
    expect(reasons).to.deep.equal(['shutdown'])
  })

  it('is the same signal in the form libraries take, made before or after', () => {
    const { cancel } = made()
    const { signal } = cancel
    expect(cancel.signal).to.equal(signal)
    expect(signal.aborted).to.equal(false)
    cancel.cancel('deadline')
    expect([signal.aborted, signal.reason]).to.deep.equal([true, 'deadline'])
    const late = made().cancel
    late.cancel('deadline')
    expect([late.signal.aborted, late.signal.reason]).to.deep.equal([true, 'deadline'])
  })

  it('returns the time left, never negative', () => {
    const { clock, cancel } = made(1_000)
    clock.advance(400)
    expect(cancel.timeLeft()).to.equal(600)
    clock.advance(4_000)
    expect(cancel.timeLeft()).to.equal(0)
  })

  it('a step ends with its own time, alone', () => {
    const { clock, cancel } = made()
    const step = cancel.step(100)
    expect(step.cancel.timeLeft()).to.equal(100)
    clock.advance(100)
    expect([step.cancel.reason, cancel.reason]).to.deep.equal(['step-timeout', null])
  })

  it('a step ends with the call, also when the call was over before', () => {
    const { cancel } = made()
    const step = cancel.step(100)
    cancel.cancel('client-gone')
    expect(step.cancel.reason).to.equal('client-gone')
    expect(cancel.step(100).cancel.reason).to.equal('client-gone')
  })

  it("a step that is done is not cancelled any more, and one longer than the call has the call's deadline", () => {
    const { clock, cancel } = made()
    const step = cancel.step(100)
    step.done()
    clock.advance(500)
    const long = cancel.step(10_000)
    expect(long.cancel.timeLeft()).to.equal(500)
    cancel.cancel('deadline')
    expect([step.cancel.reason, long.cancel.reason]).to.deep.equal([null, 'deadline'])
  })
})

describe('the clock of the machine', () => {
  let timers: SinonFakeTimers
  beforeEach(() => {
    timers = useFakeTimers({ now: 1_000_000 })
  })
  afterEach(() => timers.restore())

  it('has the time of day and a monotonic time', () => {
    const started = systemClock.monotonic()
    timers.tick(1_500)
    expect(systemClock.now()).to.equal(1_001_500)
    expect(systemClock.monotonic() - started).to.equal(1_500)
    timers.setSystemTime(0)
    expect(systemClock.now()).to.equal(0)
    expect(systemClock.monotonic() - started, 'never jumps').to.equal(1_500)
  })

  it('calls back once or again and again, and stops when cancelled', () => {
    const calls: string[] = []
    systemClock.after(1, () => void calls.push('never'))()
    const stop = systemClock.every(5, () => void calls.push('tick'))
    systemClock.after(12, () => void calls.push('after'))
    timers.tick(11)
    expect(calls).to.deep.equal(['tick', 'tick'])
    timers.tick(4)
    expect(calls).to.deep.equal(['tick', 'tick', 'after', 'tick'])
    stop()
    timers.tick(100)
    expect(calls).to.have.length(4)
  })

  it('keeps no process alive', () => {
    timers.restore()
    const kept = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = kept()
    const stop = [systemClock.after(60_000, () => undefined), systemClock.every(60_000, () => undefined)]
    expect(kept()).to.equal(before)
    for (const each of stop) each()
  })
})
