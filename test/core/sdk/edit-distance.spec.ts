import { expect } from 'chai'
import fc from 'fast-check'
import { editDistance } from '../../../core/sdk/index.js'

/** By its definition: each of the ways to begin, and the best of what is left. */
function plainly(one: string, other: string): number {
  if (one === '' || other === '') return one.length + other.length
  const ways = [
    plainly(one.slice(1), other) + 1,
    plainly(one, other.slice(1)) + 1,
    plainly(one.slice(1), other.slice(1)) + Number(one[0] !== other[0]),
  ]
  if (one[0] === other[1] && one[1] === other[0] && one.length > 1) ways.push(plainly(one.slice(2), other.slice(2)) + 1)
  return Math.min(...ways)
}

describe('core/sdk: editDistance', () => {
  it('counts an exchange of neighbours once', () => {
    expect(editDistance('gmial', 'gmail', 2)).to.equal(1)
    expect(editDistance('gmail', 'gmail', 2)).to.equal(0)
    expect(editDistance('', 'ab', 2)).to.equal(2)
    expect(editDistance('kitten', 'sitting', 3)).to.equal(3)
    expect(editDistance('kitten', 'sitting', 2)).to.equal(3)
    expect(editDistance('a'.repeat(200), 'b'.repeat(200), 2)).to.equal(3)
  })

  it('is the least number of edits, and one more than the most when there are more', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 })
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 6 }), (one, other, most) => {
        expect(editDistance(one, other, most)).to.equal(Math.min(plainly(one, other), most + 1))
      }),
      { numRuns: 500 },
    )
  })
})
