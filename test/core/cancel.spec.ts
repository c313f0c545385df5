import { expect } from 'chai'
import { Cancel } from '../../core/cancel.js'
import { systemClock } from '../../core/clock.js'
import { HandClock } from '../support/outbound.js'

describe('the stop signal of a call', () => {
  const made = (ms = 1_000) => {
    const clock = new HandClock()
    return { clock, cancel: new Cancel(clock, clock.monotonic() + ms) }
  }

  it('tells listeners in the order they came, once, with the first reason', () => {
    const { cancel } = made()
    const heard: string[] = []
    cancel.onCancel((reason) => void heard.push(`a ${reason}`))
    const forget = cancel.onCancel(() => void heard.push('forgotten'))
    cancel.onCancel((reason) => void heard.push(`b ${reason}`))
    forget()
    expect([cancel.reason, cancel.cancelled]).to.deep.equal([null, false])
    cancel.cancel('client-gone')
    cancel.cancel('deadline')
    expect(heard).to.deep.equal(['a client-gone', 'b client-gone'])
    expect([cancel.reason, cancel.cancelled]).to.deep.equal(['client-gone', true])
  })

  it('tells who listens afterwards at once', () => {
    const { cancel } = made()
    cancel.cancel('shutdown')
    const heard: string[] = []
    cancel.onCancel((reason) => void heard.push(reason))()
    expect(heard).to.deep.equal(['shutdown'])
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

  it('knows the time left, never negative', () => {
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

  it("a step that is done hears nothing any more, and one longer than the call has the call's deadline", () => {
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
  it('tells the time, calls back, and forgets when told to', async () => {
    expect(Math.abs(systemClock.now() - Date.now())).to.be.lessThan(1_000)
    const started = systemClock.monotonic()
    const calls: string[] = []
    systemClock.after(1, () => void calls.push('never'))()
    const stop = systemClock.every(1, () => void calls.push('tick'))
    // The clock's own timers keep no process alive; this one does.
    const awake = setTimeout(() => undefined, 5_000)
    await new Promise<void>((resolve) => void systemClock.after(20, () => (calls.push('after'), resolve())))
    clearTimeout(awake)
    stop()
    expect(systemClock.monotonic()).to.be.greaterThan(started)
    expect(calls.filter((call) => call === 'after')).to.have.length(1)
    expect(calls).to.include('tick').and.not.to.include('never')
    const ticks = calls.length
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(calls).to.have.length(ticks)
  })
})
