import { expect } from 'chai'
import { readTextFile } from '../../test/support/read-file.js'

describe('reading: messages', () => {
  const message = (subject: string, body: string, headers: readonly string[] = ['Content-Type: text/plain; charset=utf-8']): string =>
    ['From: c@example.org', `Subject: ${subject}`, 'MIME-Version: 1.0', ...headers, '', body].join('\r\n')
  const forwarded = (subject: string, inner: string, disposition: readonly string[] = []): string =>
    message(
      subject,
      ['--X', 'Content-Type: text/plain', '', `See ${subject}.`, '--X', 'Content-Type: message/rfc822', ...disposition, '', inner, '--X--']
        .join('\r\n')
        .replaceAll('--X', `--${subject}`),
      [`Content-Type: multipart/mixed; boundary=${subject}`],
    )

  for (const [name, disposition] of [
    ['without a disposition', []],
    ['inline', ['Content-Disposition: inline']],
    ['as an attachment', ['Content-Disposition: attachment; filename="booking.eml"']],
  ] as const)
    it(`F14 a forwarded message is read: ${name}`, async () => {
      const read = await readTextFile(forwarded('fwd', message('booking', 'Inner booking number is BK-4711.'), disposition), 'eml')
      expect(read).to.deep.include({ title: 'fwd', notes: [] })
      expect(read.text).to.equal(
        '**From:** c@example.org  \n**Subject:** fwd\n\nSee fwd.\n\n---\n\n**From:** c@example.org  \n**Subject:** booking\n\nInner booking number is BK-4711.',
      )
      expect(read.html).to.contain('BK-4711')
      expect(read.attachments.map(({ content_type }) => content_type)).to.deep.equal(['message/rfc822'])
    })

  it('F14 messages in messages are read three deep, what lies deeper is named', async () => {
    const deep = ['e', 'd', 'c', 'b', 'a'].reduce((inner, subject) => forwarded(subject, inner), message('last', 'Too deep.'))
    const read = await readTextFile(deep, 'eml')
    expect(['See a.', 'See b.', 'See c.', 'See d.', 'See e.', 'Too deep'].map((text) => read.text.includes(text))).to.deep.equal([
      true,
      true,
      true,
      true,
      false,
      false,
    ])
    expect(read.notes).to.deep.equal(['1 attached message was not read: at most 100, 3 deep, are.'])
  })
})
