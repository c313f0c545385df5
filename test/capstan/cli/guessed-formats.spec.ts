import { expect } from 'chai'
import { guessedFormats } from '../../../scripts/capstan/cli/guessed-formats.js'

const OF = { source_format: 'file_url' }

describe('formats of files that are left out of a command', () => {
  it('are the ending of the file, or of the address', () => {
    const none = { given: {}, names: {}, types: {} }
    expect(guessedFormats(OF, { ...none, names: { file_url: '/home/me/Letter.DOCX' } })).to.deep.equal({ source_format: 'docx' })
    const address = { file_url: 'https://example.com/a.b/sheet.ods?x=1.pdf' }
    expect(guessedFormats(OF, { ...none, given: address })).to.deep.equal({ source_format: 'ods' })
  })

  it('are what the bytes are where the name says nothing', () => {
    const files = { given: {}, names: { file_url: '/home/me/letter' } }
    expect(guessedFormats(OF, { ...files, types: { file_url: 'application/pdf' } })).to.deep.equal({ source_format: 'pdf' })
    expect(guessedFormats(OF, { ...files, types: { file_url: 'audio/x-wav' } })).to.deep.equal({ source_format: 'wav' })
    expect(guessedFormats(OF, { ...files, types: {} })).to.deep.equal({})
  })

  it('stay as they were given', () => {
    const files = { given: { source_format: 'odt' }, names: { file_url: 'a.docx' }, types: {} }
    expect(guessedFormats(OF, files)).to.deep.equal({})
  })
})
