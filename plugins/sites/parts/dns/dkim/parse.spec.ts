import { generateKeyPairSync } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import { isDkim, parseDkim } from './parse.js'
import { rsaBits } from './rsa-bits.js'
import { selectors } from './selectors.js'

/** The key of RFC 6376, appendix C. */
const RFC_6376 =
  'v=DKIM1; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDwIRP/UC3SBsEmGqZ9ZJW3/DkMoGeLnQg1fWn7/zYtIxN2SnFCjxOCKG9v3b4jYfcTNh5ijSsq631uBItLa7od+v/' +
  'RtdC2UzJ1lWT947qR+Rcac2gbto/NMqJ0fzfVjH4OuKhitdY9tf6mcwGjaNBcWToIMmPSPDdQPNUYckcQ2QIDAQAB'
/** The key of RFC 8463, appendix A. */
const RFC_8463 = 'v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='

function rsa(bits: number, type: 'spki' | 'pkcs1'): string {
  return generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ type, format: 'der' }).toString('base64')
}

describe('DKIM (RFC 6376, RFC 8463)', () => {
  it('the keys of the RFCs', () => {
    expect(parseDkim(RFC_6376)).to.deep.include({
      key_type: 'rsa',
      key_bits: 1_024,
      testing: false,
      revoked: false,
      problems: ['The key has 1024 bits; 2048 are usual.'],
    })
    expect(parseDkim(RFC_8463)).to.deep.include({ key_type: 'ed25519', key_bits: null, revoked: false, problems: [] })
  })

  it('sizes of RSA keys in both forms', () => {
    for (const bits of [1_024, 2_048, 3_072])
      for (const type of ['spki', 'pkcs1'] as const) expect(rsaBits(Buffer.from(rsa(bits, type), 'base64')), type).to.equal(bits)
    expect(parseDkim(`v=DKIM1; k=rsa; p=${rsa(2_048, 'spki')}`)).to.deep.include({ key_bits: 2_048, problems: [] })
    expect(parseDkim(`p=${rsa(768, 'spki')}`).problems).to.deep.equal(['The key has 768 bits, which receivers refuse.'])
  })

  const CASES: readonly (readonly [record: string, expected: object])[] = [
    ['v=DKIM1; p=', { revoked: true, key_bits: null, problems: [] }],
    ['v=DKIM1; k=rsa; t=y:s; p=', { testing: true, revoked: true }],
    ['v=DKIM1; t=s; p=', { testing: false }],
    ['v=DKIM1; k=rsa', { revoked: false, problems: ['There is no key (p).'] }],
    ['v=DKIM1; p=!!!', { key_bits: null, problems: ['The key cannot be read.'] }],
    ['v=DKIM1; p=AAAA', { key_bits: null, problems: ['The key cannot be read.'] }],
    ['v=DKIM1; k=ed25519; p=AAAA', { key_type: 'ed25519', problems: ['The key cannot be read.'] }],
    ['v=DKIM1; k=dsa; p=AAAA', { key_type: null, problems: ['Keys of type dsa are not known to receivers.'] }],
    ['v=DKIM1; h=sha1; p=', { problems: ['The key allows no hash but old ones.'] }],
    ['v=DKIM1; h=sha1:sha256; p=', { problems: [] }],
    ['k=rsa; v=DKIM1; p=', { problems: ['The version is not DKIM1 at the start of the record.'] }],
    [RFC_8463.replace('11qY', '11 q Y'), { key_type: 'ed25519', problems: [] }],
  ]
  for (const [record, expected] of CASES) it(record, () => expect(parseDkim(record)).to.deep.include(expected))

  it('a text is a key by its version or by a tag p', () => {
    const texts = ['v=DKIM1', 'p=abc', 'k=rsa; p=', 'v=spf1 -all', 'hello', 'v=DKIM10; k=rsa']
    expect(texts.map(isDkim)).to.deep.equal([true, true, true, false, false, false])
  })

  it('the ten usual selectors, and all of them once each', () => {
    expect(selectors('short')).to.have.length(10)
    expect(new Set(selectors('full')).size).to.equal(selectors('full').length)
    expect(selectors('full').length).to.be.at.least(67)
  })

  it('no text or key makes the parser throw', () => {
    fc.assert(fc.property(fc.string(), (text) => parseDkim(`p=${text}`).record.length <= 1_000))
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => (rsaBits(new Uint8Array([0x30, bytes.length & 0x7f, ...bytes])) ?? 1) > 0),
    )
  })
})
