import { expect } from 'chai'
import { Redactor } from '../../../core/outbound/redact.js'
import { cpuOf } from '../../support/time.js'

describe('outbound: redaction', () => {
  it('T-28 takes a given value out in every form it travels in, also when it looks like nothing', () => {
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
      expect(new Redactor([]).text(`a <${form}> b`), `${name} looks like nothing`).to.equal(`a <${form}> b`)
      expect(redactor.text(`a <${form}> b`), name).to.equal('a <[redacted]> b')
    }
    expect(new Redactor(['', 'abc']).text('abc')).to.equal('abc')
  })

  it('T-28 takes out what looks like a credential or a person, and leaves sentences alone', () => {
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

  it('T-72 headers are masked by name', () => {
    const headers = { Authorization: 'x', 'x-api-key': 'y', 'set-cookie': 'z', 'x-auth-token': 'w', 'content-type': 'text/html' }
    expect(new Redactor([]).headers(headers)).to.deep.equal({
      Authorization: '[redacted]',
      'x-api-key': '[redacted]',
      'set-cookie': '[redacted]',
      'x-auth-token': '[redacted]',
      'content-type': 'text/html',
    })
  })

  it('T-74 long hostile text is redacted in linear time', async () => {
    const redactor = new Redactor(['secretvalue'])
    for (const text of [
      'a'.repeat(100_000),
      'a@'.repeat(50_000),
      '1 '.repeat(50_000),
      'token=token='.repeat(9_000),
      'eyJ'.repeat(30_000),
      '-'.repeat(100_000),
    ]) {
      expect(await cpuOf(() => redactor.excerpt(text, 300)), text.slice(0, 12)).to.be.below(100)
    }
  })
})
