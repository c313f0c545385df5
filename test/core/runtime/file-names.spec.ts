import { expect } from 'chai'
import fc from 'fast-check'
import { attachment, safeName } from '../../../core/runtime/file-names.js'
import { LinkSigner } from '../../../core/files/own-links.js'

const HOSTILE = [
  ['../../etc/passwd', 'passwd'],
  ['C:\\Windows\\system.ini', 'system.ini'],
  ['.htaccess', 'htaccess'],
  ['..', 'file'],
  [' ..', 'file'],
  ['. . .', 'file'],
  ['', 'file'],
  ['a/', 'file'],
  ['a\u0000b\r\nSet-Cookie: x', 'a_b__Set-Cookie_ x'],
  ['invoice\u202Efdp.exe', 'invoice_fdp.exe'],
  ['zero\u200Bwidth\uFEFF', 'zero_width_'],
  ['line\u2028sep\u2029', 'line_sep_'],
  ['a<b>c:d*e?f|g"h', 'a_b_c_d_e_f_g_h'],
  ['cafe\u0301.png', 'caf\u00e9.png'],
  ['lone\uD800', 'lone_'],
] as const

describe('names of files', () => {
  for (const [given, wanted] of HOSTILE)
    it(`T-60 ${JSON.stringify(given)} becomes ${JSON.stringify(wanted)}`, () => expect(safeName(given)).to.equal(wanted))

  it('T-60 whatever is given: short, no path, no control, never only dots, and fit for a link', () => {
    const signer = new LinkSigner('00ff')
    const nasty = fc.string({
      unit: fc.oneof(
        fc.constantFrom('.', '/', '\\', ' ', '\u202e', '\ud83d', '\ude00', '\u{1f600}', '\r', '\n', '"'),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      ),
      maxLength: 200,
    })
    fc.assert(
      fc.property(nasty, (given) => {
        const name = safeName(given)
        expect(name.length).to.be.within(1, 120)
        expect(name).not.to.match(/[\p{C}/\\"]/u)
        expect(name).not.to.match(/^[.\s]/)
        expect(signer.sign('id', name, 1)).to.match(/^\/files\/id\/[^/?#]+\?expires=1&signature=/)
        expect(attachment(name)).to.match(/^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w.%!#$&+^`|~-]*$/)
      }),
      { numRuns: 1_000 },
    )
  })

  it('keeps the ending of a long name and halves no character', () => {
    expect(safeName(`${'x'.repeat(300)}.tar.gz`)).to.equal(`${'x'.repeat(117)}.gz`)
    expect(safeName(`${'x'.repeat(119)}\u{1f600}`)).to.equal('x'.repeat(119))
    expect(safeName('y'.repeat(120))).to.have.length(120)
  })

  it('T-58 a download says its name in both forms and nothing breaks out of the header', () => {
    expect(attachment('r\u00e9sum\u00e9 "1" (it\'s).pdf')).to.equal(
      `attachment; filename="r_sum_ _1_ (it's).pdf"; filename*=UTF-8''r%C3%A9sum%C3%A9%20%221%22%20%28it%27s%29.pdf`,
    )
    expect(attachment('a\r\nb\\%22')).not.to.match(/[\r\n\\]/)
  })
})
