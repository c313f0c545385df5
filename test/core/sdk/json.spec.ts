import { expect } from 'chai'
import { foreignJson } from '../../../core/sdk/index.js'
import { leastCpuOf } from '../../support/time.js'

describe('core/sdk foreignJson', () => {
  it('reads text and bytes alike', () => {
    expect(foreignJson('{"a":[1,"ä"]}')).to.deep.equal({ a: [1, 'ä'] })
    expect(foreignJson(Buffer.from('{"a":[1,"ä"]}'))).to.deep.equal({ a: [1, 'ä'] })
  })

  it('refuses what is no JSON, too deep or of too many values with a SyntaxError', () => {
    expect(() => foreignJson('{')).to.throw(SyntaxError)
    expect(() => foreignJson('['.repeat(501) + ']'.repeat(501))).to.throw(SyntaxError, 'too deep')
    expect(() => foreignJson(`[${'[],'.repeat(300_000)}[]]`)).to.throw(SyntaxError, 'too many values')
  })

  it('refuses eight million brackets without building them', () => {
    const text = Buffer.from(`[${'[],'.repeat(8_000_000)}[]]`)
    const took = leastCpuOf(100, () => expect(() => foreignJson(text)).to.throw(SyntaxError))
    expect(took).to.be.below(100)
  })
})
