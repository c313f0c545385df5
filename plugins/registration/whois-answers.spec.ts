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

  it('P3 cut off anywhere, the record of a registered name never says that it is free, nor gives half of a value', () => {
    const records = samples.filter(({ is }) => is === 'registered')
    fc.assert(
      fc.property(fc.constantFrom(...records), fc.double({ min: 0, max: 1, noNaN: true }), ({ text, domain, server }, share) => {
        const { verdict, record } = read({ text: text.slice(0, Math.floor(text.length * share)), domain, server })
        expect(verdict.is).to.be.oneOf(['registered', 'busy', 'unclear', 'cut'])
        // No returned value is truncated.
        const whole = read({ text, domain, server }).record
        if (verdict.is !== 'registered') return
        for (const key of ['created', 'updated', 'expires'] as const) expect(record[key]).to.be.oneOf([null, whole[key]])
        expect(record.registrar?.name ?? null).to.be.oneOf([null, whole.registrar?.name ?? null])
        expect(whole.name_servers).to.include.members(record.name_servers)
      }),
      { numRuns: 2_000 },
    )
  })

  it('an answer about one name says nothing of another', () => {
    for (const { text, server } of samples.filter(({ is }) => is === 'registered'))
      expect(read({ text, domain: 'unrelated.example', server }).verdict.is).to.be.oneOf(['busy', 'unclear'])
  })

  it('words of a record in a form that is not known are no answer', () => {
    const rest = Array.from({ length: 12 }, (_, at) => `Campo ${String(at)}: valor`)
    for (const word of ['Not found', 'No match', 'Available', 'Nothing found']) {
      const verdict = (lines: readonly string[]) =>
        read({ text: lines.join('\n'), domain: 'acme.test', server: 'whois.example' }).verdict.is
      expect(verdict([...rest, word])).to.equal('unclear')
      expect(verdict([word])).to.equal('free')
    }
  })

  describe('N9 what a server says in its own words', () => {
    for (const [is, ...text] of [
      ['reserved', 'Domain Name: acme.test', 'Domain Status: No Object Found', 'Notes: This name is invalid and can not be registered'],
      ['reserved', 'acme.test not found', 'Names of this kind cannot be', 'registered by anybody.'],
      [
        'reserved',
        'The registration of this domain is restricted, as it is protected by the Sample DPML Brand Protection policy. Additional information',
        '',
        'Terms of Use: Registry Inc. provides this service.',
      ],
      ['reserved', 'The domain acme.test is blocked by the registry.'],
      ['reserved', 'Object does not exist: acme.test', 'This name is not eligible for registration.'],
      ['busy', 'The query frequency too fast, please query later'],
      [
        'busy',
        'The number of requests per client per time interval is',
        'restricted. You have exceeded this limit.',
        'Please wait a moment and try again.',
      ],
      ['busy', '% Your queries are', '% too frequent.'],
      ['busy', 'Daily quota has been', 'exceeded for this address'],
      ['busy', 'ERROR 502: server is busy'],
      ['free', 'Domain name acme.test does not exist in database!'],
      ['free', '*** Nothing found for this query.'],
      ['free', '%ERROR:103: Domain is not registered'],
      ['free', '404 - Not found'],
      ['free', 'acme.test: no entries found'],
      ['free', 'The domain has', 'not been registered.'],
      ['free', 'Object acme.test', 'does not exist.'],
      ['unclear', 'Clients are restricted if you have exceeded your limit.', 'Ask for a name.'],
      ['unclear', 'The domain acme.test is not one of those that this server knows.'],
    ] as const)
      it(`${text.join(' / ')} is ${is}`, () => {
        const given = text.map((line) => `${line}\r\n`).join('')
        expect(read({ text: given, domain: 'acme.test', server: 'whois.example' }).verdict.is).to.equal(is)
      })

    it('of a limit that is stated over two lines says how long to wait', () => {
      const text = 'You have reached the\r\nlimit of queries. Please wait 45\r\nseconds.\r\n'
      expect(read({ text, domain: 'acme.test', server: 'whois.example' }).verdict).to.deep.equal({ is: 'busy', retryAfterSeconds: 45 })
    })
  })

  it('N5 a record of the name with a state or a holder alone is registered, and said to be bare', () => {
    for (const text of [
      'Domain: acme.test\nState: active\n',
      'Domain: acme.test\nOwner: Example Works\nColour: red\n',
      'acme.test is registered.\n',
    ])
      expect(read({ text, domain: 'acme.test', server: 'whois.example' }), text).to.deep.include({
        verdict: { is: 'registered' },
        bare: true,
      })
    for (const text of [
      'Domain: acme.test\nStatus: invalid\n',
      'Domain: acme.test\nStatus: free\nUpdated: 2026-02-01\n',
      'Query: acme.test\nState: active\n',
    ])
      expect(read({ text, domain: 'acme.test', server: 'whois.example' }), text).to.include({ bare: false })
  })

  it('a holder whose name has such words in it is shown', () => {
    const text = [
      'Domain Name: acme.test',
      'Registrar: Hidden Valley Names',
      'Registrant Organization: Hidden Valley NA',
      'Registrant Name: Not Found Ltd',
    ].join('\n')
    const { record } = read({ text, domain: 'acme.test', server: 'whois.example' })
    expect([record.registrar?.name, record.registrant?.organization, record.registrant?.name]).to.deep.equal([
      'Hidden Valley Names',
      'Hidden Valley NA',
      'Not Found Ltd',
    ])
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
