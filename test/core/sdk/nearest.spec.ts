import { expect } from 'chai'
import { hint, nearest } from '../../../core/sdk/nearest.js'

describe('the name that a mistyped one meant', () => {
  it('is one that few edits away, and never more than half of its letters', () => {
    expect(nearest('qurey', ['query', 'mode'])).to.equal('query')
    expect(nearest('jpg', ['png', 'jpeg'])).to.equal('jpeg')
    expect(nearest('gif', ['png', 'pdf'])).to.equal(null)
    expect(nearest('a', ['b'])).to.equal(null)
    expect(nearest('Fast', ['fast', 'standard'])).to.equal('fast')
  })

  it('is else the only one that it is a part of, or that is a part of it', () => {
    expect(nearest('url', ['file_url', 'target_format'])).to.equal('file_url')
    expect(nearest('filename', ['name', 'content'])).to.equal('name')
    expect(nearest('format', ['source_format', 'target_format'])).to.equal(null)
    expect(nearest('ab', ['cab_fare'])).to.equal(null)
  })

  it('is said, or what is known', () => {
    expect(hint('qurey', ['query', 'mode'])).to.equal('; did you mean query?')
    expect(hint('zzzzzz', ['query', 'mode'])).to.equal('; known: query, mode')
    expect(hint('zzzzzz', [])).to.equal('')
  })
})
