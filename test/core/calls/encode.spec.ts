import { expect } from 'chai'
import { encode } from '../../../core/calls/encode.js'

describe('the encoding of an answer', () => {
  for (const unit of ['a', 'é', '漢', '😀', 'a😀'])
    it(`is UTF-8, also of a long text of ${unit}, whose pairs stay together`, async () => {
      for (const text of [unit, `x${unit.repeat(1_500_000)}`]) expect((await encode(text)).equals(Buffer.from(text))).to.equal(true)
    })

  it('of a long text leaves turns of the event loop to others', async () => {
    let turns = 0
    const watch = (): void => {
      turns += 1
      next = setImmediate(watch)
    }
    let next = setImmediate(watch)
    await encode('a'.repeat(5 << 20))
    clearImmediate(next)
    expect(turns).to.be.at.least(4)
  })
})
