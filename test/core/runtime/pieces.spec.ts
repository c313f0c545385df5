import { expect } from 'chai'
import fc from 'fast-check'
import { attach, detach, movedWith, putBack, takePieces } from '../../../core/runtime/detach.js'

describe('core/runtime/detach', () => {
  it('any value is the same afterwards, the order of its fields too, however small the pieces', () =>
    fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 1, max: 20 }), async (value, most) => {
        const root = { value: structuredClone(value) }
        await putBack(root, takePieces(root, most))
        expect(JSON.stringify(root)).to.equal(JSON.stringify({ value }))
        expect(root).to.deep.equal({ value })
      }),
      { numRuns: 300 },
    ))

  it('no piece and no rest has more values and names than requested', () =>
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 10, max: 50 }), (value, most) => {
        const root = [structuredClone(value)]
        takePieces(root, most)
        expect(sizeOf(root)).to.be.at.most(most)
      }),
    ))

  it('a field named __proto__ stays a field', async () => {
    const root: unknown = JSON.parse('{"a":{"__proto__":{"x":1},"b":2,"c":3}}')
    await putBack(root, takePieces(root, 2))
    expect(JSON.stringify(root)).to.equal('{"a":{"__proto__":{"x":1},"b":2,"c":3}}')
  })

  it('a hundred thousand values beside a long text come over many turns of the event loop', async () => {
    const value = { text: 'long '.repeat(10_000), rows: Array.from({ length: 33_000 }, (_, index) => ({ content: index })) }
    const detached = detach(structuredClone(value))
    const sent = structuredClone(detached, { transfer: movedWith(detached) })
    let turns = 0
    let open = true
    const count = (): void => {
      turns++
      if (open) setImmediate(count)
    }
    setImmediate(count)
    const back = await attach(sent)
    open = false
    expect(back).to.deep.equal(value)
    expect(turns).to.be.within(10, 30)
  })
})

/** Values, and names of fields. */
function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = Array.isArray(value) ? 1 : 2
  return Object.values(value).reduce((sum: number, inner: unknown) => sum + own + sizeOf(inner), 0)
}
