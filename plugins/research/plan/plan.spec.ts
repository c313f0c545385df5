import { expect } from 'chai'
import { facetsOf, namesIn, relatedWords, searchesOf, searchOf } from './facets.js'

const questions = (query: string): string[] => facetsOf(query).map(({ question }) => question)

describe('research: the parts of a question, without a model', () => {
  it('a plain question is its own only part', () => {
    expect(questions('How do heat pumps perform in winter?')).to.deep.equal(['How do heat pumps perform in winter?'])
  })

  it('several questions are parts beside the whole', () => {
    expect(questions('What does a heat pump cost? How long does a heat pump last?')).to.deep.equal([
      'What does a heat pump cost? How long does a heat pump last?',
      'What does a heat pump cost',
      'How long does a heat pump last',
    ])
  })

  it('a comparison has two sides', () => {
    expect(questions('PostgreSQL replication vs MySQL replication')).to.deep.equal([
      'PostgreSQL replication vs MySQL replication',
      'PostgreSQL replication',
      'MySQL replication',
    ])
  })

  it('a question is searched for in its words, by its telling words, and by its names', () => {
    expect(searchesOf('What did the Acme Works say about the kettle recall?')).to.deep.equal(
      ['What did the Acme Works say about the kettle recall?', 'acme works say kettle recall', 'Acme Works say kettle recall'].filter(
        (search, at, all) => all.findIndex((other) => sameWords(other, search)) === at,
      ),
    )
  })

  it('a question of 2,000 characters is searched for by its telling words, in at most 300', () => {
    const long = `Why ${'does the kettle from the small works near Lyon boil '.repeat(40)}`.slice(0, 2_000)
    const search = searchOf(long)
    expect(search.length).to.be.within(1, 300)
    expect(search).to.include('kettle')
  })

  it('hostile texts make few and short searches', () => {
    for (const text of [
      '?'.repeat(2_000),
      ' vs '.repeat(400),
      '"'.repeat(2_000),
      'A '.repeat(1_000),
      '\u202e\u0000\u200b'.repeat(500) + 'x',
      '🫖'.repeat(500),
    ]) {
      const found = [...facetsOf(text).map(({ search }) => search), ...searchesOf(text)]
      expect(found.length, JSON.stringify(text.slice(0, 8))).to.be.below(12)
      expect(Math.max(0, ...found.map((search) => search.length))).to.be.at.most(300)
    }
  })

  it('names are quoted texts and words with capitals', () => {
    expect(namesIn('Who founded Acme Works and "the red kettle"?')).to.deep.equal(['the red kettle', 'Acme Works'])
  })

  it('related terms stand in several sources and not in the question', () => {
    const texts = ['scroll compressor saves power', 'a scroll compressor is quiet', 'nothing of the kind']
    expect(relatedWords('heat pump', texts, 2)).to.deep.equal(['scroll compressor'])
  })
})

function sameWords(one: string, other: string): boolean {
  const words = (text: string): string =>
    [...new Set(text.toLowerCase().match(/[a-z]+/g))]
      .map((word) => word.replace(/s$/, ''))
      .sort()
      .join(' ')
  return words(one) === words(other)
}
