import { expect } from 'chai'
import { ByteBudget, type CutReason, type Holding } from '../../../core/limits/byte-budget.js'
import { Problem } from '../../../core/problems/problem.js'
import { HandClock } from '../../support/outbound.js'

const MIB = 1024 * 1024

describe('the budget of bytes', () => {
  let clock: HandClock
  let budget: ByteBudget
  beforeEach(() => {
    clock = new HandClock()
    budget = new ByteBudget(clock, { account: 64 * MIB, address: 16 * MIB, all: () => 256 * MIB })
  })

  /** A holding of an account whose peer is waited for, and the reasons for which it was cut. */
  const reader = (account: string, mib: number, direction: 'in' | 'out' = 'out'): { holding: Holding; cuts: CutReason[] } => {
    const cuts: CutReason[] = []
    const holding = budget.open({ account })
    holding.add(mib * MIB)
    holding.waitFor(direction, { cut: (reason) => cuts.push(reason) })
    return { holding, cuts }
  }
  const refusal = (work: () => void): string => {
    try {
      work()
    } catch (error) {
      if (error instanceof Problem && error.slug === 'overloaded') return error.message
      throw error
    }
    return 'let in'
  }

  it('A2 of an account is 64 MiB over all its keys: what comes beyond is refused by the name of the setting, others are not', () => {
    reader('a', 40)
    expect(refusal(() => reader('a', 25))).to.contain('limits.account_buffer')
    expect(refusal(() => budget.open({ account: 'a' }).assertRoom(25 * MIB))).to.contain('limits.account_buffer')
    reader('a', 24)
    expect(refusal(() => budget.admit('a'))).to.contain('limits.account_buffer')
    budget.admit('b')
    reader('b', 64)
    expect(budget.bytes).to.equal(128 * MIB)
  })

  it('A2 while memory is short only accounts that hold none are admitted', () => {
    const { holding } = reader('a', 1)
    expect(refusal(() => budget.admit('a', true))).to.contain('short of memory')
    expect(refusal(() => budget.admit('b', true))).to.equal('let in')
    expect(refusal(() => budget.admit('a', false))).to.equal('let in')
    holding.release()
    expect(refusal(() => budget.admit('a', true))).to.equal('let in')
  })

  it('A1 of an address without a key is 16 MiB', () => {
    budget.open({ address: 'ip:192.0.2.1' }).add(16 * MIB)
    expect(refusal(() => budget.open({ address: 'ip:192.0.2.1' }).add(1))).to.contain('limits.address_buffer')
    budget.open({ address: 'ip:192.0.2.2' }).add(16 * MIB)
  })

  it('takes what is alone whatever its size, since answers and bodies have limits of their own', () => {
    budget.open({ account: 'a' }).add(500 * MIB)
    expect(refusal(() => budget.open({ account: 'a' }).add(1))).to.contain('limits.account_buffer')
  })

  it('gives back what is released, and forgets an owner of nothing', () => {
    const { holding } = reader('a', 60)
    holding.give(50 * MIB)
    reader('a', 50).holding.release()
    holding.release()
    holding.release()
    holding.add(MIB)
    expect(budget.bytes).to.equal(0)
  })

  it('A2 a peer that moves less than 1 KiB a second over 30 seconds is cut: nothing at all, a byte a second, a byte in 59 seconds', () => {
    const [silent, dripping, reading] = [reader('a', 1), reader('a', 1), reader('a', 1, 'in')]
    for (let second = 1; second <= 31; second++) {
      clock.advance(1_000)
      dripping.holding.moved(1)
      reading.holding.moved(1_100)
    }
    expect([silent.cuts, dripping.cuts, reading.cuts]).to.deep.equal([['slow'], ['slow'], []])
    expect(budget.bytes, 'what was cut counts no longer').to.equal(MIB)
    clock.advance(59_000)
    expect(reading.cuts).to.deep.equal(['slow'])
  })

  it('a burst at the beginning keeps nobody for longer than one more window', () => {
    const { holding, cuts } = reader('a', 1)
    holding.moved(10 * MIB)
    clock.advance(30_000)
    expect(cuts).to.deep.equal([])
    clock.advance(30_000)
    expect(cuts).to.deep.equal(['slow'])
  })

  it('where room is needed the slowest of the slow ones gives way, ten seconds after it began and not before', () => {
    const [slow, slower, fast] = [reader('a', 20), reader('a', 20), reader('a', 20)]
    clock.advance(9_000)
    expect(refusal(() => reader('a', 20))).to.contain('limits.account_buffer')
    clock.advance(2_000)
    slow.holding.moved(100_000)
    slower.holding.moved(50_000)
    fast.holding.moved(11 * 16 * 1024)
    reader('a', 20)
    expect([slow.cuts, slower.cuts, fast.cuts]).to.deep.equal([[], ['room'], []])
    reader('a', 20)
    expect([slow.cuts, fast.cuts]).to.deep.equal([['room'], []])
    expect(
      refusal(() => reader('a', 25)),
      'who keeps up is not cut by his own account',
    ).to.contain('limits.account_buffer')
  })

  it('of the process: whoever holds most gives way to whoever holds less, before any grace, and whoever holds most is refused', () => {
    const accounts = ['a', 'b', 'c', 'd'].map((account) => [reader(account, 30), reader(account, 30)])
    const [largest] = [reader('a', 4)]
    accounts.flat().forEach(({ holding }, index) => holding.moved(1_000 * (8 - index)))
    reader('e', 13)
    expect(accounts.flat().map(({ cuts }) => cuts.length)).to.deep.equal([0, 0, 0, 0, 0, 0, 0, 0])
    expect(largest.cuts, 'the slowest of the account that holds most').to.deep.equal(['room'])
    expect(
      refusal(() => reader('f', 256)),
      'it would hold most itself',
    ).to.contain('limits.buffer')
  })

  it('has nothing to cut in what no peer is waited for, such as the body of a call that runs', () => {
    const holding = budget.open({ account: 'a' })
    holding.add(64 * MIB)
    clock.advance(60_000)
    expect(refusal(() => reader('a', 1))).to.contain('limits.account_buffer')
  })

  it('a stop ends bodies that arrive, and no answer', () => {
    const [arriving, read] = [reader('a', 1, 'in'), reader('a', 1)]
    budget.cutArriving()
    expect([arriving.cuts, read.cuts]).to.deep.equal([['stopping'], []])
  })

  it('wakes nobody while no peer is waited for', () => {
    let timers = 0
    const counting = new ByteBudget(
      { ...systemLike(clock), every: (ms, callback) => (timers++, withEnd(clock.every(ms, callback), () => timers--)) },
      { account: MIB, address: MIB, all: () => MIB },
    )
    const holding = counting.open({ account: 'a' })
    holding.add(10)
    expect(timers).to.equal(0)
    holding.waitFor('out', { cut: () => undefined })
    expect(timers).to.equal(1)
    holding.rest()
    expect(timers).to.equal(0)
  })
})

function systemLike(clock: HandClock) {
  return { now: () => clock.now(), monotonic: () => clock.monotonic(), after: (ms: number, work: () => void) => clock.after(ms, work) }
}

function withEnd(stop: () => void, ended: () => void): () => void {
  return () => {
    stop()
    ended()
  }
}
