import { expect } from 'chai'
import { CATALOGUE } from '../../../core/problems/catalogue.js'

/** The contract's table, written out: a change of the catalogue must be a change here. */
const TABLE: Record<string, [status: number, category: string, retriable: boolean]> = {
  'malformed-request': [400, 'invalid_request', false],
  'authentication-required': [401, 'authentication', false],
  'invalid-api-key': [401, 'authentication', false],
  'insufficient-credits': [402, 'insufficient_credits', false],
  'key-not-allowed': [403, 'authentication', false],
  'not-found': [404, 'invalid_request', false],
  'method-not-allowed': [405, 'invalid_request', false],
  'idempotency-conflict': [409, 'invalid_request', false],
  conflict: [409, 'invalid_request', false],
  'payload-too-large': [413, 'invalid_request', false],
  'unsupported-media-type': [415, 'invalid_request', false],
  'validation-failed': [422, 'invalid_request', false],
  'target-blocked': [422, 'target_blocked', false],
  'answer-too-large': [422, 'invalid_request', false],
  'no-result': [422, 'target_blocked', false],
  'rate-limited': [429, 'transient', true],
  'too-many-in-flight': [429, 'transient', true],
  internal: [500, 'internal', true],
  'target-unavailable': [502, 'transient', true],
  'providers-failed': [502, 'provider', true],
  'capability-unavailable': [503, 'provider', false],
  overloaded: [503, 'transient', true],
  'store-unavailable': [503, 'transient', true],
  'deadline-exceeded': [504, 'transient', true],
}

describe('the problem catalogue', () => {
  it('has exactly the rows of the contract', () => {
    expect(Object.keys(CATALOGUE).sort()).to.deep.equal(Object.keys(TABLE).sort())
  })
  for (const [slug, kind] of Object.entries(CATALOGUE)) {
    it(`${slug} has the status, category and retry rule of the contract, and says cause and cure`, () => {
      expect([kind.status, kind.category, kind.retriable]).to.deep.equal(TABLE[slug])
      expect(kind.cause).to.match(/\.$/)
      expect(kind.cure).to.match(/\.$/)
    })
  }
})
