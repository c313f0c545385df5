import { expect } from 'chai'
import { Budget, BUDGETS } from './budget.js'

function budgetWith(deadlineMs: number, allowance = BUDGETS.standard) {
  const clock = { left: deadlineMs }
  return { clock, budget: new Budget(allowance, { tokens: 1_000, timeLeft: () => clock.left }) }
}

describe('research: hard counters', () => {
  it('searches, scrapes, entities and time are those of the specification', () => {
    const figures = Object.entries(BUDGETS).map(([depth, { searches, scrapes, entities, timeMs }]) => [
      depth,
      searches,
      scrapes,
      entities,
      timeMs,
    ])
    expect(figures).to.deep.equal([
      ['standard', 5, 8, 5, 60_000],
      ['deep', 15, 20, 15, 180_000],
      ['comprehensive', 30, 40, 30, 480_000],
    ])
  })

  it('grants what is left and nothing more, and says that something was refused', () => {
    const { budget } = budgetWith(63_000)
    expect(Array.from({ length: 7 }, () => budget.take('searches'))).to.deep.equal([true, true, true, true, true, false, false])
    expect([budget.used('searches'), budget.left('searches'), budget.exhausted]).to.deep.equal([5, 0, true])
  })

  it('refuses an amount that is not left as a whole, and takes nothing of it', () => {
    const { budget } = budgetWith(63_000)
    expect(budget.take('tokens', 600)).to.equal(true)
    expect(budget.take('tokens', 600)).to.equal(false)
    expect(budget.left('tokens')).to.equal(400)
  })

  it('what is given back can be taken again, but never more than was taken', () => {
    const { budget } = budgetWith(63_000)
    budget.take('tokens', 600)
    budget.giveBack('tokens', 5_000)
    expect([budget.left('tokens'), budget.used('tokens')]).to.deep.equal([1_000, 0])
    budget.giveBack('tokens', -5)
    expect(budget.left('tokens')).to.equal(1_000)
  })

  it('the time budget ends before the deadline of the call, whose last part is for the answer', () => {
    const { budget, clock } = budgetWith(63_000)
    expect([budget.timeLeft(), budget.timeUntil(0.5), budget.elapsed()]).to.deep.equal([60_000, 30_000, 0])
    clock.left = 33_000
    expect([budget.timeLeft(), budget.timeUntil(0.5), budget.elapsed()]).to.deep.equal([30_000, 0, 30_000])
    clock.left = 1_000
    expect([budget.timeLeft(), budget.timeUntil(1), budget.elapsed()]).to.deep.equal([0, 0, 60_000])
  })

  it('a deadline that is nearer than the time budget is the time budget', () => {
    const { budget, clock } = budgetWith(10_000)
    expect(budget.timeLeft()).to.equal(10_000)
    clock.left = 4_000
    expect([budget.timeLeft(), budget.timeUntil(0.5)]).to.deep.equal([4_000, 0])
  })
})
