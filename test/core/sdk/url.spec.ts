import { expect } from 'chai'
import { parseUrl } from '../../../core/sdk/index.js'

describe('parseUrl', () => {
  it('reads an address with letters such as ä on every call', () => {
    let refused = 0
    for (let round = 0; round < 50_000; round++) if (parseUrl('https://käse.example/ö?q=ü') === null) refused++
    expect(refused).to.equal(0)
  })
  it('is null for what is no address, and resolves against a base', () => {
    expect(parseUrl('/a')).to.equal(null)
    expect(parseUrl('http://')).to.equal(null)
    expect(parseUrl('/a', 'https://b.example/c')?.href).to.equal('https://b.example/a')
  })
})
