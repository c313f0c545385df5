import { expect } from 'chai'
import { addressViolations, percentDecoded, withoutFragment } from './address.js'

describe('addressViolations', () => {
  const messages = (text: string, file = false): string[] => addressViolations(text, { loc: ['url'], file }).map(({ msg }) => msg)

  it('accepts web addresses alone', () => {
    expect(messages('https://example.com/a?b#c')).to.deep.equal([])
    expect(messages('example.com')[0]).to.contain('is not a complete address')
    expect(messages('ftp://example.com/')[0]).to.contain('must begin with http:// or https://')
    expect(messages('https://user:secret@example.com/')).to.deep.equal(['must not contain a user name or password'])
  })

  it('names the way to send a file where the address names one', () => {
    for (const text of ['report.pdf', 'file:///report.pdf']) expect(messages(text, true)[0], text).to.contain('POST /v1/files')
  })
})

describe('withoutFragment', () => {
  it('leaves out everything from the first # on', () => {
    expect(['https://a.example/b#c#d', 'https://a.example/b'].map(withoutFragment)).to.deep.equal([
      'https://a.example/b',
      'https://a.example/b',
    ])
  })
})

describe('percentDecoded', () => {
  it('takes the encoding away, and leaves a text whose encoding is damaged', () => {
    expect(['caf%C3%A9', 'a%2Fb', '100%', '%E9', 'plain'].map(percentDecoded)).to.deep.equal(['café', 'a/b', '100%', '%E9', 'plain'])
  })
})
