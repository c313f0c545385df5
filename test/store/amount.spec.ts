import { expect } from 'chai'
import fc from 'fast-check'
import { toCredits, toMilli } from '../../core/store/amount.js'

describe('amounts of credits', () => {
  it('T-64 every number of thousandths up to a thousand million credits comes back unchanged', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (milli) => toMilli(toCredits(milli)) === milli),
      { numRuns: 2_000 },
    )
    for (const milli of [999_999_999_999, 1e12, 1, -1, 0]) expect(toMilli(toCredits(milli))).to.equal(milli)
  })

  it('T-64 refuses what is not finite, finer than a thousandth or absurdly large', () => {
    for (const credits of [NaN, Infinity, -Infinity, 0.0001, 1.0005, -0.00049, 123456.7891, 1_000_000_000.001, 1e300])
      expect(() => toMilli(credits), String(credits)).to.throw(RangeError, 'three decimals')
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 1, max: 9 }), (milli, tenth) => {
        expect(() => toMilli((milli * 10 + tenth) / 10_000)).to.throw(RangeError)
      }),
    )
  })

  it('takes sums of prices that binary fractions cannot say exactly', () => {
    expect(toMilli(0.1 + 0.2)).to.equal(300)
    expect(toMilli(1.1 * 3)).to.equal(3_300)
  })
})
