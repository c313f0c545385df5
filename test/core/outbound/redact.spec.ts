import { expect } from 'chai'
import { Redactor } from '../../../core/outbound/redact.js'
import { cpuOf } from '../../support/time.js'

describe('outbound: redaction', () => {
  it('T-28 takes a given value out in every form it travels in, also when it resembles no secret', () => {
    // A scheme and a word, of which every form is another text.
    const secret = 'Plain w"o/??>'
    const redactor = new Redactor([secret])
    const bytes = Buffer.from(secret)
    const forms = {
      plain: secret,
      address: encodeURIComponent(secret),
      base64: bytes.toString('base64'),
      base64url: bytes.toString('base64url'),
      hex: bytes.toString('hex'),
      json: JSON.stringify(secret).slice(1, -1),
      'the word behind the scheme': 'w"o/??>',
      'json with slashes escaped': 'Plain w\\"o\\/??>',
      'slashes escaped': 'Plain w"o\\/??>',
    }
    expect(new Set(Object.values(forms)).size).to.equal(Object.keys(forms).length)
    for (const [name, form] of Object.entries(forms)) {
      expect(new Redactor([]).text(`a <${form}> b`), `${name} resembles no secret`).to.equal(`a <${form}> b`)
      expect(redactor.text(`a <${form}> b`), name).to.equal('a <[redacted]> b')
    }
    expect(new Redactor(['', 'abc']).text('abc')).to.equal('abc')
  })

  it('T-28 takes out what resembles a credential or a person, and leaves sentences alone', () => {
    const redactor = new Redactor([])
    const secrets = [
      'Bearer abcdef123456',
      'eyJhbGciOiJI.eyJzdWIiOiIx.c2ln',
      'sk-proj-abcdefghijklmnop',
      '"api_key":"hunter2"',
      'jane.doe@example.com',
      '+1 415 555 0132',
      'AKIAIOSFODNN7EXAMPLE',
    ]
    for (const text of secrets)
      expect(redactor.text(`x ${text} y`), text)
        .to.match(/\[redacted\]/)
        .and.not.to.match(/hunter2|jane|0132|EXAMPLE|abcdef/)
    expect(redactor.text('country zz is unknown, try 3 of 250 (code 1042)')).to.equal('country zz is unknown, try 3 of 250 (code 1042)')
  })

  it('T-28 cuts after redaction, so that no half of a secret is left', () => {
    const secret = 'q'.repeat(50)
    const redactor = new Redactor([secret])
    for (let lead = 0; lead < 900; lead++)
      expect(redactor.excerpt('a '.repeat(lead / 2) + secret + ' z'.repeat(500), 100)).not.to.contain('qqq')
  })

  it('T-28 keys, tokens and addresses are taken out whole wherever a word may begin', () => {
    const redactor = new Redactor([])
    const cases: readonly (readonly [string, string])[] = [
      ['(eyJhbGciOiJI.eyJzdWIiOiIx.c2ln)', '([redacted])'],
      ['id-eyJhbGciOiJI.eyJzdWIiOiIx.c2ln', '[redacted]'],
      ['eyJ-eyJ-eyJ-eyJhbGciOiJI.eyJzdWIiOiIx', '[redacted]'],
      ['--0123456789abcdef0123456789abcdef--', '[redacted]'],
      ['x=0123456789abcdef-0123456789abcdef,', 'x=[redacted],'],
      [`<${'a'.repeat(100)}@example.com>`, '<[redacted]>'],
      ['a@b@jane+tag@mail.example.co.uk', 'a@b@[redacted]'],
      ['-'.repeat(40), '-'.repeat(40)],
      ['a-word-of-many-parts-without-any-figure', 'a-word-of-many-parts-without-any-figure'],
    ]
    for (const [text, safe] of cases) expect(redactor.text(text), text).to.equal(safe)
  })

  it('A12 T-74 long hostile text is redacted in linear time', async () => {
    const redactor = new Redactor(['secretvalue'])
    const periods = ['a', 'a@', '1 ', 'token=token=', 'eyJ', 'eyJ-', '-', '-0', '-a', '+', 'a.', '0-', 'eyJaaaaaaaa.', 'sk-', 'key ', '@a.']
    for (const period of periods) {
      const text = period.repeat(100_000 / period.length)
      expect(await cpuOf(() => redactor.text(text)), period).to.be.below(100)
      expect(await cpuOf(() => redactor.excerpt(text, 300)), period).to.be.below(20)
    }
  })
})
