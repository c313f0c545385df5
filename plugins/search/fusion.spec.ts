import { expect } from 'chai'
import fc from 'fast-check'
import type { Organic } from './contract.js'
import { fused } from './fusion.js'
import { pageKey } from './result.js'

function list(...urls: string[]): Organic[] {
  return urls.map((url, at) => ({ url, title: url, snippet: null, position: at + 1 }))
}
const page = (name: string): string => `https://${name}.example/`
const order = (lists: readonly Organic[][], wanted = 10): string[] =>
  fused(lists, wanted).map(({ url }) => new URL(url).hostname.replace('.example', ''))

describe('search: lists merged by reciprocal rank', () => {
  it('a page that two lists have comes before one that a single list ranks higher', () => {
    expect(order([list(page('a'), page('b'), page('c')), list(page('d'), page('c'), page('e'))])).to.deep.equal(['c', 'a', 'd', 'b', 'e'])
  })

  it('equal ranks keep the order of the lists, and one list keeps its own', () => {
    expect(order([list(page('a'), page('b')), list(page('c'), page('d'))])).to.deep.equal(['a', 'c', 'b', 'd'])
    expect(order([list(page('a'), page('b'), page('c'))])).to.deep.equal(['a', 'b', 'c'])
    expect(order([[], list(page('a')), []])).to.deep.equal(['a'])
  })

  it('addresses of one page are one, by https, with the snippet that any list has', () => {
    const one = list('http://www.a.example/x/?utm_source=n')
    const other = list('https://a.example/x#top').map((each) => ({ ...each, snippet: 'said' }))
    expect(fused([one, other], 10)).to.deep.equal([
      { url: 'https://a.example/x#top', title: 'http://www.a.example/x/?utm_source=n', snippet: 'said', position: 1 },
    ])
  })

  it('any lists: every page once, none lost, numbered from 1, cut to what is wanted, never worse in all lists than the one before it', () => {
    const lists = fc.array(fc.uniqueArray(fc.constantFrom(...'abcdefghij'), { maxLength: 10 }), { maxLength: 4 })
    fc.assert(
      fc.property(lists, fc.integer({ min: 1, max: 12 }), (names, wanted) => {
        const given = names.map((each) => list(...each.map(page)))
        const merged = fused(given, wanted)
        const all = new Set(names.flat())
        expect(merged.map(({ position }) => position)).to.deep.equal(merged.map((_one, at) => at + 1))
        expect(merged).to.have.length(Math.min(wanted, all.size))
        expect(new Set(merged.map(({ url }) => pageKey(url)))).to.have.property('size', merged.length)
        const rank = (url: string, of: Organic[]): number => of.findIndex((one) => one.url === url) + 1 || Infinity
        for (const [at, { url }] of merged.entries()) {
          const next = merged[at + 1]?.url
          if (next !== undefined) expect(given.some((of) => rank(url, of) <= rank(next, of) && rank(url, of) < Infinity)).to.equal(true)
        }
      }),
    )
  })
})
