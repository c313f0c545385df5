import { expect } from 'chai'
import { Breaker } from '../../../core/redis/breaker.js'
import { HandClock } from '../../support/outbound.js'
import { settle } from '../../support/unit.js'

function parts() {
  const clock = new HandClock()
  const seen = { probes: 0, changes: 0, answers: false }
  const breaker = new Breaker(clock, {
    inARow: 3,
    skipMs: 1_000,
    probe: () => {
      seen.probes++
      return Promise.resolve(seen.answers)
    },
    changed: () => void seen.changes++,
  })
  const fail = (times: number): void => {
    for (let count = 0; count < times; count++) breaker.failed()
  }
  return { clock, seen, breaker, fail }
}

describe('the breaker before Redis', () => {
  it('F-13 opens at the third failure in a row; a success in between starts over', () => {
    const { breaker, fail, seen } = parts()
    fail(2)
    breaker.succeeded()
    fail(2)
    expect([breaker.closed, seen.changes]).to.deep.equal([true, 0])
    fail(1)
    expect([breaker.closed, seen.changes]).to.deep.equal([false, 1])
  })

  it('F-13 sends one probe a second while it is open, and closes at the first that is answered', async () => {
    const { clock, breaker, fail, seen } = parts()
    fail(3)
    clock.advance(999)
    expect(seen.probes).to.equal(0)
    clock.advance(1)
    await settle()
    expect([seen.probes, breaker.closed]).to.deep.equal([1, false])
    clock.advance(1_000)
    await settle()
    expect(seen.probes).to.equal(2)
    seen.answers = true
    clock.advance(1_000)
    await settle()
    expect([seen.probes, breaker.closed, seen.changes]).to.deep.equal([3, true, 2])
    clock.advance(10_000)
    await settle()
    expect(seen.probes, 'no probe while it is closed').to.equal(3)
    fail(2)
    expect(breaker.closed, 'counts from nothing again').to.equal(true)
  })

  it('late answers and failures change nothing while it is open, and it says each change once', async () => {
    const { clock, breaker, fail, seen } = parts()
    fail(20)
    breaker.succeeded()
    expect([breaker.closed, seen.changes]).to.deep.equal([false, 1])
    clock.advance(1_000)
    await settle()
    expect(seen.probes, 'twenty failures, one probe').to.equal(1)
  })

  it('sends no probe after it was closed for good', async () => {
    const { clock, breaker, fail, seen } = parts()
    fail(3)
    breaker.close()
    clock.advance(5_000)
    await settle()
    expect(seen.probes).to.equal(0)
  })
})
