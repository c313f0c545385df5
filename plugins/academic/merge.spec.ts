import { expect } from 'chai'
import { leastCpuOf } from '../../test/support/time.js'
import type { Work } from './contract.js'
import { mergedWorks } from './merge.js'
import { textOfMarkup, workOf, type RawWork } from './work-of.js'

const blank: Work = {
  title: 'On the boiling of water',
  url: 'https://press.example/1',
  snippet: null,
  authors: [],
  published: null,
  doi: null,
  venue: null,
  citations: null,
  pdf_url: null,
}
const raw: RawWork = {
  title: 'A title',
  urls: ['https://a.example/'],
  abstract: null,
  authors: [],
  published: null,
  doi: null,
  venue: null,
  citations: null,
  pdfs: [],
}

describe('academic: lists of several vendors as one', () => {
  it('a work that two vendors have is one, with what any of them knows, and comes before works of one vendor', () => {
    const merged = mergedWorks([
      [
        { ...blank, title: 'Something that one vendor has', url: 'https://press.example/2' },
        { ...blank, doi: '10.5555/a', citations: 4, published: '2024' },
      ],
      [{ ...blank, doi: '10.5555/a', citations: 7, published: '2024-03', snippet: 'Water boils.', authors: ['First Last'] }],
    ])
    expect(merged.map(({ title }) => title)).to.deep.equal(['On the boiling of water', 'Something that one vendor has'])
    expect(merged[0]).to.deep.equal({
      ...blank,
      doi: '10.5555/a',
      citations: 7,
      published: '2024-03',
      snippet: 'Water boils.',
      authors: ['First Last'],
    })
  })

  it('without a DOI the title decides, whatever its case, accents and signs', () => {
    const merged = mergedWorks([
      [{ ...blank, title: 'Über das Kochen: Eine Studie' }],
      [{ ...blank, title: 'Uber das kochen — eine Studie', doi: '10.5555/b' }],
    ])
    expect(merged).to.have.length(1)
    expect(merged[0]?.doi).to.equal('10.5555/b')
  })

  it('two DOIs of one title, and short titles, stay two works', () => {
    expect(mergedWorks([[{ ...blank, doi: '10.5555/a' }], [{ ...blank, doi: '10.5555/b' }]])).to.have.length(2)
    expect(mergedWorks([[{ ...blank, title: 'Editorial' }], [{ ...blank, title: 'Editorial' }]])).to.have.length(2)
  })
})

describe('academic: a work as a vendor gave it', () => {
  it('addresses that nobody can follow are left out, and a work without any is none', () => {
    const work = workOf({
      ...raw,
      urls: ['javascript:alert(1)', 'http://first:last@a.example/', 'https://b.example/x'],
      pdfs: ['data:text/html,x'],
    })
    expect(work?.url).to.equal('https://b.example/x')
    expect(work?.pdf_url).to.equal(null)
    expect(workOf({ ...raw, urls: ['ftp://a.example/', null] })).to.equal(null)
  })

  it('text is one line without control and direction characters, and is cut at a word', () => {
    const work = workOf({ ...raw, title: 'A\u202e kettle\n\u0007of  steel', abstract: 'word '.repeat(1_000) })
    expect(work?.title).to.equal('A kettle of steel')
    expect(work?.snippet)
      .to.match(/ word…$/)
      .and.have.length.at.most(1_500)
  })

  it('what is no DOI, date or count is unknown', () => {
    const work = workOf({ ...raw, doi: 'see the page', published: 'in spring', citations: -1 })
    expect([work?.doi, work?.published, work?.citations]).to.deep.equal([null, null, null])
    expect(workOf({ ...raw, doi: 'DOI:10.1000/AbC' })?.doi).to.equal('10.1000/abc')
  })

  it('markup of 1 MiB that never closes a tag takes 100 ms of the processor at most', () => {
    const texts = ['<a '.repeat(350_000), '<jats:p>'.repeat(130_000)]
    expect(leastCpuOf(100, () => texts.map(textOfMarkup))).to.be.below(100)
  })
})
