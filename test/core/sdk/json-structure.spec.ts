import { expect } from 'chai'
import fc from 'fast-check'
import { overLimit } from '../../../core/sdk/json-structure.js'

const NONE = { parts: Infinity, depth: Infinity }

/** Containers and commas of a value as JSON writes it. */
function partsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner: unknown[] = Array.isArray(value) ? value : Object.values(value)
  return 1 + Math.max(0, inner.length - 1) + inner.reduce<number>((sum, each) => sum + partsOf(each), 0)
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

describe('the structure of a JSON text', () => {
  it('is counted in its bytes as in its value, whatever its strings hold', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', '\\', ',', '[', ']', '{', '}', 'a', 'é') }))
    const json = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 5 }, text, fc.integer(), fc.constant(null), fc.array(tie('any')), fc.dictionary(text, tie('any'))),
    })).any
    fc.assert(
      fc.property(json, (value) => {
        const bytes = Buffer.from(JSON.stringify(value))
        const [parts, depth] = [partsOf(value), depthOf(value)]
        expect(overLimit(bytes, { parts, depth })).to.equal(null)
        if (parts > 0) expect(overLimit(bytes, { ...NONE, parts: parts - 1 })).to.equal('parts')
        if (depth > 0) expect(overLimit(bytes, { ...NONE, depth: depth - 1 })).to.equal('depth')
      }),
    )
  })

  it('is found for bytes that are no JSON too', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) =>
        [null, 'parts', 'depth'].includes(overLimit(Buffer.from(bytes), { parts: 5, depth: 5 })),
      ),
    )
  })

  for (const [name, text] of [
    ['empty lists', '[],'],
    ['empty objects', '{},'],
    ['keys', '"a":1,'],
    ['empty strings', '""'],
    ['brackets', '['],
    ['one string of quotes', '\\"'],
    ['one string of backslashes', '\\\\'],
    ['spaces', ' '],
    ['base64', 'QUJD'],
  ] as const)
    it(`T-03 24 MiB of ${name} are counted in linear time`, () => {
      const size = 24 * 1024 * 1024
      const inString = name.startsWith('one string') || name === 'base64'
      const bytes = Buffer.from(`${inString ? '["' : '['}${text.repeat(size / text.length)}`)
      const before = process.cpuUsage()
      overLimit(bytes, { parts: 100_000, depth: 64 })
      const { user } = process.cpuUsage(before)
      // Ten times what it takes without the counters of a coverage run.
      expect(user / 1000, 'ms of the processor').to.be.below(1_000)
    })
})
