import { expect } from 'chai'
import { bearer } from '../../../core/accounts/authenticate.js'
import { Problem } from '../../../core/problems/problem.js'

const WRONG: readonly (readonly [string | undefined, RegExp])[] = [
  [undefined, /has no Authorization header/],
  ['  ', /has no Authorization header/],
  ['cap_key', /starts with the API key itself: put the word Bearer/],
  ['Basic Y2FwOmtleQ==', /does not use the Bearer scheme/],
  ['Token cap_key', /does not use the Bearer scheme/],
  ['Bearer', /No API key follows/],
  ['Bearer cap_key and more', /followed by more than the API key/],
  ['Bearer "cap_key"', /without quotes or brackets/],
  ["Bearer 'cap_key'", /without quotes or brackets/],
  ['Bearer <cap_key>', /without quotes or brackets/],
  ['Bearer {cap_key}', /without quotes or brackets/],
]

describe('the header with a key', () => {
  for (const [header, says] of WRONG)
    it(`is refused as ${String(header)}`, () =>
      expect(() => bearer(header))
        .to.throw(Problem, says)
        .with.property('slug', 'authentication-required'))

  it('is read in any case of its word and with any blanks', () => {
    for (const header of ['Bearer cap_key', 'bearer  cap_key ', ' BEARER cap_key']) expect(bearer(header)).to.equal('cap_key')
  })

  it('never repeats what it holds', () => {
    for (const [header] of WRONG)
      expect(() => bearer(header))
        .to.throw()
        .with.property('message')
        .that.does.not.include('cap_key')
  })
})
