import { expect } from 'chai'
import { terms } from '../../search/contract.js'
import type { Source } from '../run-state.js'
import { passagesOf } from '../text/passages.js'
import { DomainRules, domainOf } from './domains.js'
import { coverage, ranked, scoredPassages } from './rank.js'

const NOW = Date.UTC(2026, 10, 27)

function sourceOf(name: string, text: string, more: Partial<Source> = {}): Source {
  const url = `https://${name}.example/page`
  return {
    url,
    title: name,
    domain: `${name}.example`,
    snippet: null,
    type: 'web',
    published: null,
    found: 1 / 61,
    text,
    passages: passagesOf(text),
    ...more,
  }
}

const orderOf = (question: string, sources: readonly Source[], wantsNew = false): string[] =>
  ranked(question, sources, scoredPassages(question, sources), { now: NOW, wantsNew }).map(({ title }) => title)

describe('research: the order of sources', () => {
  const near = sourceOf('near', 'A heat pump moves heat from outside air into a house, also in winter.')
  const far = sourceOf('far', 'Kettles boil water. A pump is a machine.')

  it('the one whose passages hold the question comes first', () => {
    expect(orderOf('How does a heat pump work in winter?', [far, near])).to.deep.equal(['near', 'far'])
  })

  it('a page that was read comes before an equal snippet', () => {
    const snippet = sourceOf('snippet', near.text ?? '', { text: null })
    expect(orderOf('heat pump winter', [snippet, near])).to.deep.equal(['near', 'snippet'])
  })

  it('of equal pages the newer comes first', () => {
    const text = near.text ?? ''
    const old = sourceOf('old', text, { published: Date.UTC(2010, 1, 1) })
    const fresh = sourceOf('fresh', text, { published: Date.UTC(2026, 10, 1) })
    expect(orderOf('heat pump winter', [old, fresh], true)).to.deep.equal(['fresh', 'old'])
  })

  it('of nearly equal pages those of further domains come before more of one domain', () => {
    const text = near.text ?? ''
    const one = ['a', 'b', 'c'].map((name) => sourceOf(name, text, { domain: 'one.example', found: 1 / 61 }))
    const other = sourceOf('other', text, { found: 1 / 62 })
    expect(orderOf('heat pump winter', [...one, other]).indexOf('other')).to.equal(1)
  })

  it('passages without a word of the question have no score', () => {
    expect(scoredPassages('zebra', [near, far])).to.deep.equal([])
    expect(scoredPassages('heat', [near, far]).map(({ source }) => source.title)).to.deep.equal(['near'])
  })

  it('words that others write in one count as both', () => {
    const joined = sourceOf('joined', 'The hostname is set at the start.')
    expect(scoredPassages('host name', [joined]).length).to.equal(1)
    expect(coverage('host name', new Set(terms('hostname')), [joined])).to.equal(1)
  })

  it('covers a question by the share of its topic words, rare ones weighing more', () => {
    const all = coverage('heat pump winter', new Set(['heat', 'pump', 'winter']), [near, far])
    const common = coverage('heat pump winter', new Set(['pump']), [near, far])
    const rare = coverage('heat pump winter', new Set(['winter']), [near, far])
    expect(all).to.equal(1)
    expect(rare).to.be.greaterThan(common)
  })
})

describe('research: which domains are let in', () => {
  it('by registrable domain, whatever stands below it', () => {
    const rules = new DomainRules({ only: ['docs.example.co.uk'], not: null })
    expect(rules.allow(domainOf('https://www.example.co.uk/a'))).to.equal(true)
    expect(rules.allow(domainOf('https://other.co.uk/a'))).to.equal(false)
  })

  it('what is denied is denied also where it is let in, and neighbours on one host of pages are not', () => {
    const rules = new DomainRules({ only: null, not: ['first.github.io'] })
    expect(rules.allow(domainOf('https://first.github.io/x'))).to.equal(false)
    expect(rules.allow(domainOf('https://second.github.io/x'))).to.equal(true)
    expect(new DomainRules({ only: ['a.example'], not: ['a.example'] }).allow('a.example')).to.equal(false)
  })

  it('a host without a registrable domain is its own', () => {
    expect(domainOf('http://127.0.0.1:8080/x')).to.equal('127.0.0.1')
  })
})
