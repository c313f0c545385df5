import { expect } from 'chai'
import { inOneForm, violations } from './input.js'

const question = { first_name: 'Ada', last_name: 'Lovelace', domain: 'example.com' }
const faults = (change: Partial<typeof question> & { company?: string }): string[] =>
  violations(inOneForm({ ...question, ...change })).map(({ loc, msg }) => `${loc.join('.')}: ${msg}`)

describe('emails.find: questions', () => {
  it('domains in one form', () => {
    for (const [given, wanted] of [
      ['Example.COM', 'example.com'],
      [' example.com ', 'example.com'],
      ['www.example.com', 'example.com'],
      ['www.com', 'www.com'],
      ['müller.example', 'xn--mller-kva.example'],
      ['mail.example.co.uk', 'mail.example.co.uk'],
      // N10 suffixes with their own mail.
      ['nhs.uk', 'nhs.uk'],
      ['www.gov.uk', 'gov.uk'],
    ])
      expect(inOneForm({ ...question, domain: String(given) }).domain, given).to.equal(wanted)
  })

  it('domains that are none', () => {
    for (const [domain, why] of [
      ['https://example.com/', 'without scheme, port and path'],
      ['example.com/team', 'without scheme, port and path'],
      ['example.com:25', 'without scheme, port and path'],
      ['ada@example.com', 'the part after the @'],
      ['example', 'no dot'],
      ['example.com.', 'ends with a dot'],
      ['127.0.0.1', 'number'],
      ['[127.0.0.1]', 'brackets'],
      ['exam ple.com', 'characters'],
      ['example.com\r\nRCPT TO:<x@y.z>', 'must be'],
      ['gmail.com', 'mail service for everybody'],
      ['WWW.GMAIL.com', 'mail service for everybody'],
      ['a'.repeat(64) + '.com', 'longer than 63'],
    ]) {
      const [first = '', ...rest] = faults({ domain: String(domain) })
      expect(first, domain)
        .to.match(/^domain: must be/)
        .and.include(why)
      expect(rest).to.deep.equal([])
    }
  })

  it('names of all scripts, and what is none', () => {
    for (const last_name of [
      "O'Brien",
      'D’Angelo',
      'van der Berg',
      'Smith-Jones',
      'García López',
      'Хрущёв',
      'محمد',
      '李',
      'Jr.',
      'Müller (Bob)',
      'می‌خواهم',
    ])
      expect(faults({ last_name }), last_name).to.deep.equal([])
    for (const last_name of ['Love\r\nlace', 'Love\u0000lace', '\u202eecalevol', '😀', '123', '...', 'a@b.c', 'Ada😀', '<b>', 'a\u2028b'])
      expect(faults({ last_name })[0], JSON.stringify(last_name)).to.match(/^last_name: must/)
    expect(faults({ company: 'A\r\nB' })).to.deep.equal(['company: must not contain line breaks or control characters'])
    expect(inOneForm({ ...question, first_name: '  Ada \u00a0 M ' }).first_name).to.equal('Ada M')
  })

  it('all faults at once', () => {
    expect(faults({ first_name: '😀', last_name: '1', domain: 'x' })).to.have.length(3)
  })
})
