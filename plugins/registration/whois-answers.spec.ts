import { expect } from 'chai'
import { whoisSamples } from '../../test/support/whois/index.js'
import read from './work/whois.js'

describe('registration: answers of WHOIS servers', () => {
  const samples = whoisSamples()

  it('are more than 60, of the servers that are asked by name', () => {
    expect(samples.filter(({ is }) => is === 'registered')).to.have.length.above(60)
  })

  for (const { name, server, domain, text, is, facts, referral } of samples)
    it(`${name} (${domain})`, () => {
      const reading = read({ text, domain, server })
      expect(reading.verdict.is).to.equal(is)
      if (facts !== undefined) expect(reading.record).to.deep.equal(facts)
      expect(reading.referral).to.equal(referral ?? null)
    })
})
