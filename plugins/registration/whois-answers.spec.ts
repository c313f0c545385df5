import { expect } from 'chai'
import fc from 'fast-check'
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

  it('cut off anywhere, the record of a registered name never says that it is free', () => {
    const records = samples.filter(({ is }) => is === 'registered')
    fc.assert(
      fc.property(fc.constantFrom(...records), fc.double({ min: 0, max: 1, noNaN: true }), ({ text, domain, server }, share) => {
        const { verdict } = read({ text: text.slice(0, Math.floor(text.length * share)), domain, server })
        expect(verdict.is).to.be.oneOf(['registered', 'busy', 'unclear'])
      }),
      { numRuns: 2_000 },
    )
  })

  it('an answer about one name says nothing of another', () => {
    for (const { text, server } of samples.filter(({ is }) => is === 'registered'))
      expect(read({ text, domain: 'unrelated.example', server }).verdict.is).to.be.oneOf(['busy', 'unclear'])
  })

  it('no text is read for long, whatever it is', () => {
    const odd = fc.stringMatching(/^[ .:%[\]()a-z0-9~\n\t-]{0,200}$/)
    fc.assert(
      fc.property(
        odd,
        fc.integer({ min: 1, max: 200 }),
        (text, times) => void read({ text: text.repeat(times), domain: 'acme.test', server: 'whois.example' }),
      ),
    )
    for (const piece of [' ', '.', ': ', '[', '(', 'a', '- ', 'no match ', '\t:']) {
      const began = process.cpuUsage()
      read({ text: `${piece.repeat(2_000)}\n`.repeat(250), domain: 'acme.test', server: 'whois.example' })
      expect(process.cpuUsage(began).user, piece).to.be.below(3_000_000)
    }
  })
})
