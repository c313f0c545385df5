import { expect } from 'chai'
import { judged } from './dnssec.js'

const ZONE = 'dskey.example.com'
/** RFC 4034 5.4, RFC 4509 2.3. */
const KEY = {
  flags: 256,
  algorithm: 5,
  key: 'AQOeiiR0GOMYkDshWoSKz9XzfwJr1AYtsmx3TGkJaNXVbfi/2pHm822aJ5iI9BMzNXxeYCmZDRD99WYwYqUSdjMmmAphXdvxegXd/M5+X7OrzKBaMbCVdFLUUh6DhweJBjEVv5f2wwjM9XzcnOf+EPbtG9DMBmADjFDc2w/rljwvFw==',
}
const SHA1 = { keyTag: 60_485, algorithm: 5, digestType: 1, digest: '2bb183af5f22588179a53b0a98631fad1a292118' }
const SHA256 = { ...SHA1, digestType: 2, digest: 'D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A' }

describe('DNSSEC', () => {
  const says = (...given: Parameters<typeof judged>) => {
    const { signed, delegated, authenticated, matches, problems } = judged(...given)
    return [signed, delegated, authenticated, matches, problems[0]?.replace(/[:;].*/, '') ?? null]
  }

  it('the keys and digests of the RFCs fit, whatever the case of the name', () => {
    expect(judged('DSKEY.example.COM.', [KEY], [SHA256], 'validated')).to.deep.equal({
      signed: true,
      delegated: true,
      authenticated: true,
      matches: true,
      bogus: false,
      algorithms: ['RSASHA1'],
      problems: ['RSASHA1 is an old algorithm (RFC 8624).'],
    })
    expect(judged(ZONE, [KEY], [SHA1], 'validated')).to.deep.include({ matches: true })
    expect(judged(ZONE, [KEY], [SHA1], 'validated').problems).to.include('The DS records use SHA-1 alone (RFC 8624).')
  })

  it('a zone that the name server refuses is bogus, whatever its keys', () => {
    for (const [keys, delegations] of [
      [[KEY], [SHA256]],
      [[KEY], []],
      [[], []],
    ] as const)
      expect(judged(ZONE, keys, delegations, 'refused')).to.include({ bogus: true, authenticated: false })
    expect(judged(ZONE, [KEY], [SHA256], 'refused').problems[0]).to.match(/^Bogus: the queried name server/)
    expect(judged('other.example.com', [KEY], [SHA256], 'refused').problems.filter((each) => each.startsWith('Bogus'))).to.have.length(1)
    expect([judged(ZONE, [KEY], [SHA256], 'unsaid').bogus, judged(ZONE, [], [SHA256], 'unsaid').bogus]).to.deep.equal([false, true])
  })

  it('unsigned, insecure, bogus and unchecked zones are distinguished', () => {
    const old = 'RSASHA1 is an old algorithm (RFC 8624).'
    expect(says(ZONE, [], [], 'unsaid')).to.deep.equal([false, false, false, null, 'Unsigned'])
    expect(says(ZONE, [KEY], [], 'unsaid')).to.deep.equal([true, false, false, null, 'Insecure'])
    expect(says(ZONE, [], [SHA256], 'unsaid')).to.deep.equal([false, true, false, null, 'Bogus'])
    expect(says('other.example.com', [KEY], [SHA256], 'unsaid')).to.deep.equal([true, true, false, false, 'Bogus'])
    expect(says(ZONE, [{ ...KEY, flags: 0 }], [SHA256], 'unsaid')).to.deep.equal([true, true, false, false, 'Bogus'])
    expect(says(ZONE, [KEY], [{ ...SHA256, algorithm: 8 }], 'unsaid')).to.deep.equal([true, true, false, false, 'Bogus'])
    expect(says(ZONE, [KEY], [{ ...SHA256, digestType: 3 }], 'unsaid')).to.deep.equal([
      true,
      true,
      false,
      null,
      'The DS records use digests that cannot be checked here.',
    ])
    expect(says(ZONE, [KEY], [SHA256], 'unsaid')).to.deep.equal([true, true, false, true, 'The keys fit the DS record'])
    expect(says(ZONE, [KEY], [{ ...SHA256, digestType: 3 }, SHA256], 'validated')).to.deep.equal([true, true, true, true, old])
  })
})
