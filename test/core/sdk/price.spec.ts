import { expect } from 'chai'
import fc from 'fast-check'
import { by, flat, plus } from '../../../core/sdk/index.js'

const modes = by('mode', { fast: 1, deep: 5 })
const rich = plus(modes, [
  { when: 'synthesis', is: false, add: -0.5 },
  { when: 'pages', is: 3, add: 2 },
  { when: 'extras', has: 'images', add: 0.25 },
])
const input = { mode: 'fast' as const, synthesis: true, pages: 1, extras: [] as string[] }

describe('prices', () => {
  it('flat: the same for every call, unless the operator says otherwise', () => {
    expect(flat(2).quote({})).to.equal(2)
    expect(flat(2).table).to.deep.equal({ call: 2 })
    expect(flat(2).quote({}, { call: 7 })).to.equal(7)
    expect(() => flat(2).quote({}, {})).to.throw(RangeError, '"call"')
  })

  it('by: a row for each value of the field', () => {
    expect(modes.field).to.equal('mode')
    expect([modes.quote({ mode: 'fast' }), modes.quote({ mode: 'deep' })]).to.deep.equal([1, 5])
    expect(modes.quote({ mode: 'deep' }, { fast: 1, deep: 9 })).to.equal(9)
    expect(() => modes.quote({ mode: 'slow' as never })).to.throw(RangeError, 'no price for "slow"')
  })

  it('plus: additions and reductions by value and by what a list or a comma text contains', () => {
    expect(rich.field).to.equal('mode')
    expect(rich.table).to.deep.equal({ fast: 1, deep: 5, 'synthesis=false': -0.5, 'pages=3': 2, 'extras:images': 0.25 })
    expect(rich.quote(input)).to.equal(1)
    expect(rich.quote({ ...input, synthesis: false, pages: 3, extras: ['links', 'images'] })).to.equal(2.75)
    expect(rich.quote({ ...input, extras: 'links,images' })).to.equal(1.25)
    expect(rich.quote({ ...input, extras: 'more-images' })).to.equal(1)
    expect(rich.quote({ ...input, pages: '3' as never })).to.equal(1, 'a text is not the number')
  })

  it("plus: the operator's table replaces every row, base and additions", () => {
    const table = { fast: 10, deep: 50, 'synthesis=false': -1, 'pages=3': 0, 'extras:images': 7 }
    expect(rich.quote({ ...input, synthesis: false, pages: 3, extras: ['images'] }, table)).to.equal(16)
    expect(() => rich.quote({ ...input, pages: 3 }, { fast: 1, deep: 5 })).to.throw(RangeError, 'pages=3')
    expect(plus(flat(1), [{ when: 'big', is: true, add: 1 }]).quote({ big: true })).to.equal(2)
  })

  it('T-64 a quote is the sum of the rows that apply, whatever the input', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('fast', 'deep' as const),
        fc.boolean(),
        fc.integer(),
        fc.array(fc.constantFrom('images', 'links')),
        (mode, synthesis, pages, extras) => {
          const wanted = (mode === 'fast' ? 1 : 5) + (synthesis ? 0 : -0.5) + (pages === 3 ? 2 : 0) + (extras.includes('images') ? 0.25 : 0)
          expect(rich.quote({ mode, synthesis, pages, extras })).to.equal(wanted)
        },
      ),
    )
  })
})
