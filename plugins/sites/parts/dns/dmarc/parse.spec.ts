import { expect } from 'chai'
import fc from 'fast-check'
import { isDmarc, parseDmarc } from './parse.js'

/** Record; policy, policy of subdomains, percent, alignments of DKIM and SPF; problems. The first ones are those of RFC 7489, appendix B. */
const CASES: readonly (readonly [record: string, says: string, ...problems: string[]])[] = [
  ['v=DMARC1; p=none; rua=mailto:dmarc-feedback@example.com', 'none none 100 relaxed relaxed'],
  [
    'v=DMARC1; p=none; rua=mailto:dmarc-feedback@example.com; ruf=mailto:auth-reports@thirdparty.example.net',
    'none none 100 relaxed relaxed',
  ],
  [
    'v=DMARC1; p=quarantine; rua=mailto:dmarc-feedback@example.com,mailto:tld-test@thirdparty.example.net!10m; pct=25',
    'quarantine quarantine 25 relaxed relaxed',
  ],
  ['v=DMARC1;p=reject;sp=none;adkim=s;aspf=S;fo=1:d:s;ri=3600;rf=afrf', 'reject none 100 strict strict'],
  [' v=DMARC1 ; P = Reject ', 'reject reject 100 relaxed relaxed'],
  ['v=DMARC1; p=reject; pct=0', 'reject reject 0 relaxed relaxed'],
  ['v=DMARC1; p=none', 'none none 100 relaxed relaxed', 'The policy is none and no reports are asked for, so the record has no effect.'],
  ['v=DMARC1', 'null null 100 relaxed relaxed', 'There is no policy (p), so receivers ignore the record.'],
  ['v=DMARC1; rua=mailto:a@example.com', 'none none 100 relaxed relaxed', 'There is no policy (p); receivers take it for none.'],
  ['v=DMARC1; p=block', 'null null 100 relaxed relaxed', 'The policy "block" is none, so receivers ignore the record.'],
  [
    'v=DMARC1; p=block; rua=mailto:a@example.com',
    'none none 100 relaxed relaxed',
    'The policy "block" is none; receivers take it for none.',
  ],
  ['v=DMARC1; p=reject; sp=block', 'reject reject 100 relaxed relaxed', 'sp is none of none, quarantine, reject.'],
  ['v=DMARC1; p=reject; pct=101', 'reject reject 100 relaxed relaxed', 'pct is no number from 0 to 100.'],
  ['v=DMARC1; p=reject; pct=a', 'reject reject 100 relaxed relaxed', 'pct is no number from 0 to 100.'],
  ['v=DMARC1; p=reject; adkim=x', 'reject reject 100 relaxed relaxed', 'adkim is none of r, s.'],
  ['v=DMARC1; p=reject; fo=7', 'reject reject 100 relaxed relaxed', 'fo is none of 0, 1, d and s.'],
  [
    'v=DMARC1; p=reject; rua=a@example.com',
    'reject reject 100 relaxed relaxed',
    'rua has "a@example.com", which is no address for reports.',
  ],
  ['v=DMARC1; p=reject; colour=red', 'reject reject 100 relaxed relaxed', 'colour is no tag of DMARC.'],
  ['v=DMARC1; p=reject; p=none', 'reject reject 100 relaxed relaxed', 'The tag p is there more than once.'],
  ['v=DMARC1; p=reject; stray', 'reject reject 100 relaxed relaxed', '"stray" is no tag.'],
]

describe('DMARC (RFC 7489)', () => {
  for (const [record, says, ...problems] of CASES)
    it(record, () => {
      const { policy, subdomain_policy, percent, dkim_alignment, spf_alignment, problems: found } = parseDmarc(record)
      expect([policy, subdomain_policy, percent, dkim_alignment, spf_alignment].map(String).join(' ')).to.equal(says)
      expect(found).to.deep.equal(problems)
    })

  it('addresses of reports keep their order', () => {
    const read = parseDmarc('v=DMARC1; p=none; rua=mailto:a@example.com!50m , https://example.com/r; ruf=mailto:b@example.com')
    expect(read.aggregate_reports).to.deep.equal(['mailto:a@example.com!50m', 'https://example.com/r'])
    expect(read.failure_reports).to.deep.equal(['mailto:b@example.com'])
  })

  it('only a text that begins with the version is a record', () => {
    const texts = ['v=DMARC1', 'v=DMARC1; p=none', 'v = DMARC1;p=none', 'v=dmarc1; p=none', 'v=DMARC10; p=none', 'p=none; v=DMARC1', '']
    expect(texts.map(isDmarc)).to.deep.equal([true, true, true, false, false, false, false])
  })

  it('no text makes the parser throw', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom('p=', 'rua=mailto:', ';', '=', 'none', ',', '@'), fc.string())), (pieces) => {
        expect(parseDmarc(`v=DMARC1;${pieces.join('')}`).percent).to.be.within(0, 100)
      }),
    )
  })
})
