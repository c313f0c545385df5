import { expect } from 'chai'
import { best, figuresOf, quantile, ratio } from '../../scripts/bench/neighbours/figures.js'

describe('the figures of bench:neighbours', () => {
  it('take the nearest rank of values in any order', () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect(quantile(values, 0.5)).to.equal(50)
    expect(quantile(values, 0.99)).to.equal(99)
    expect(quantile([7, 3], 0.99)).to.equal(7)
    expect(quantile([], 0.99)).to.be.NaN
  })

  it('count failures and leave their times out', () => {
    expect(figuresOf({ times: [1, 2, 3], failures: 2 })).to.deep.equal({ calls: 5, failures: 2, p50: 2, p99: 3 })
  })

  it('have the best p99 of two rounds and the failures of both', () => {
    const [slow, fast] = [figuresOf({ times: [9], failures: 0 }), figuresOf({ times: [4], failures: 1 })]
    for (const found of [best(slow, fast), best(fast, slow)]) expect(found).to.deep.equal({ calls: 3, failures: 1, p50: 4, p99: 4 })
  })

  it('are infinitely worse than quiet when no call succeeded', () => {
    const [none, quiet] = [figuresOf({ times: [], failures: 3 }), figuresOf({ times: [2], failures: 0 })]
    expect(ratio(none, quiet)).to.equal(Infinity)
    expect(best(none, quiet).p99).to.equal(2)
    expect(ratio(figuresOf({ times: [6], failures: 0 }), quiet)).to.equal(3)
  })
})
