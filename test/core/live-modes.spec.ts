import { expect } from 'chai'
import { narrowed, shownSchema } from '../../core/http/discovery/described.js'
import { signature } from '../../core/http/discovery/tools.js'
import { nullable, oneOf, or, Type } from '../../core/sdk/index.js'

const input = Type.Object({
  mode: or({ ...oneOf('fast', 'standard'), description: 'How.' }, 'standard'),
  url: Type.String({ pattern: '^h', 'x-says': 'must begin with h' }),
  pages: or(nullable(Type.Integer()), null),
})

describe('tools as agents see them', () => {
  it('a mode that cannot answer is not offered; without its default one must be chosen', () => {
    const only = narrowed(input, { field: 'mode', live: ['fast'] }) as { properties: { mode: object }; required: string[] }
    expect(only.properties.mode)
      .to.deep.include({ enum: ['fast'], description: 'How.' })
      .and.not.to.have.property('default')
    expect(only.required).to.deep.equal(['url', 'mode'])
    expect(narrowed(input, { field: 'mode', live: ['standard'] })).to.deep.nested.include({
      'properties.mode.default': 'standard',
      required: ['url'],
    })
  })

  it('words that are only for messages are left out', () => {
    expect(JSON.stringify(shownSchema(input))).not.to.contain('x-says')
    expect(shownSchema(input)).to.deep.nested.include({ 'properties.url.pattern': '^h' })
  })

  it('the one tool for all shows the parameters of each, those that must be given first', () => {
    expect(signature('scrape', input)).to.equal('scrape(url, mode?: fast|standard, pages?: integer)')
    expect(signature('none', {})).to.equal('none()')
  })
})
