import { expect } from 'chai'
import { recentlyUsed } from '../../../core/runtime/recent.js'

describe('recently used', () => {
  it('keeps as many entries as it may and forgets the one used longest ago', () => {
    const map = recentlyUsed<number>(2)
    map.set('a', 1)
    map.set('b', 2)
    map.get('a')
    map.set('c', 3)
    expect([map.get('a'), map.get('b'), map.get('c')]).to.deep.equal([1, undefined, 3])
  })

  it('says which entry it put out, and lets entries grow old by the clock it is given', () => {
    let now = 1
    const out: string[] = []
    const map = recentlyUsed<number>(1, { ttl: 1000, perf: { now: () => now }, dispose: (_value, key, why) => out.push(`${key} ${why}`) })
    map.set('a', 1)
    map.set('b', 2)
    now = 1002
    expect(map.get('b')).to.equal(undefined)
    expect(out[0]).to.equal('a evict')
  })

  it('takes no room for entries that are not there', () => {
    const before = process.memoryUsage()
    const maps = Array.from({ length: 20 }, () => recentlyUsed<number>(100_000, { ttl: 1000 }))
    const after = process.memoryUsage()
    const grown = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers
    expect(maps).to.have.length(20)
    expect(grown / 1048576, 'MiB').to.be.lessThan(8)
  })
})
