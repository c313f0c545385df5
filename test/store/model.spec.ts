import { expect } from 'chai'
import { explore } from './model/explore.js'
import type { Mutant, Scope } from './model/world.js'

/** One fault of each kind everywhere: a process dies at any step, a reply is lost with its update done or not. */
const FAULTS = { lost: 1, crashes: 1 }

const SCOPES: readonly (readonly [string, Scope])[] = [
  ['one request, two lost replies, two crashes', { money: 2, lost: 2, crashes: 2, requests: 1, publishers: 1 }],
  ['two requests, a lost reply', { money: 2, lost: 1, crashes: 0, requests: 2, publishers: 1 }],
  ['two requests, a crash', { money: 2, lost: 0, crashes: 1, requests: 2, publishers: 1 }],
  ['two requests for the money of one', { money: 1, lost: 0, crashes: 1, requests: 2, publishers: 1 }],
  ['two workers with one grant, a publisher', { money: 1, lost: 2, crashes: 1, granters: 2, publishers: 1 }],
  ['two requests with one Idempotency-Key', { money: 2, ...FAULTS, keyed: 2, publishers: 1 }],
]

const LONG: readonly (readonly [string, Scope])[] = [
  ['two requests, a lost reply and a crash', { money: 2, ...FAULTS, requests: 2, publishers: 1 }],
  ['one request, two publishers, a grant', { money: 1, ...FAULTS, requests: 1, publishers: 2, granters: 1 }],
  ['one request, two workers with one grant', { money: 1, ...FAULTS, requests: 1, publishers: 1, granters: 2 }],
  ['two requests with one Idempotency-Key, two lost replies', { money: 2, lost: 2, crashes: 1, keyed: 2, publishers: 1 }],
  ['two requests, two lost replies', { money: 2, lost: 2, crashes: 1, requests: 2, publishers: 1 }],
]

/** Each leaves out one thing of the protocol, and the smallest scope that shows it. */
const MUTANTS: readonly (readonly [Mutant, Scope, RegExp])[] = [
  ['reuse-hold-id', { money: 2, ...FAULTS, requests: 1, publishers: 1 }, /^L5/],
  ['grant-without-compare', { money: 1, ...FAULTS, granters: 2, publishers: 1 }, /^L[36]/],
  ['rollup-without-compare', { money: 1, ...FAULTS, requests: 1, publishers: 2 }, /^L10/],
  ['ready-without-fence', { money: 2, ...FAULTS, keyed: 2, publishers: 1 }, /^L6/],
  ['late-charge-without-compare', { money: 2, ...FAULTS, keyed: 2, publishers: 1 }, /^L[356]/],
  ['end-before-published', { money: 2, ...FAULTS, requests: 1, publishers: 1 }, /^L7/],
]

/** Set to 1 for the large scopes (some millions of states, minutes). */
const long = process.env.CAPSTAN_LONG === '1'

describe('N-08 small-scope model of the ledger protocol', function () {
  this.timeout(long ? 3_600_000 : 120_000)

  for (const [name, scope] of long ? [...SCOPES, ...LONG] : SCOPES) {
    it(`${name}: no state breaks an invariant`, function () {
      const { states, violation, trace, complete } = explore(scope)
      expect(violation, trace.join('\n')).to.equal(null)
      expect(complete).to.equal(true)
      if (this.test !== undefined) this.test.title += ` (${states.toLocaleString('en')} states)`
    })
  }

  for (const [mutant, scope, invariant] of MUTANTS) {
    it(`the seeded bug ${mutant} is found, with the way to it`, function () {
      const { violation, trace } = explore({ ...scope, mutant })
      expect(violation).to.match(invariant)
      expect(trace.length).to.be.within(2, 25)
      if (this.test !== undefined) this.test.title += ` (${violation}, in ${trace.length} steps)`
    })
  }
})
