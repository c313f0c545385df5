import { expect } from 'chai'
import technologies from '../../work/technologies.js'
import { RULES } from './rules/index.js'
import { ARTICLES } from './test-pages/articles.js'
import { BUILDING } from './test-pages/building.js'
import { EMBEDDING } from './test-pages/embedding.js'
import { SERVING } from './test-pages/serving.js'

const PAGES = [...BUILDING, ...SERVING, ...EMBEDDING]

describe('sites: a test page for each group of technologies', () => {
  it('there is one for each', () => {
    const covered = new Set(PAGES.map(({ category }) => category))
    expect(RULES.map(({ category }) => category).filter((category) => !covered.has(category))).to.deep.equal([])
  })

  for (const { category, url = 'https://a.test/', headers = {}, head = '', body = '', shows } of PAGES)
    it(`${category}: ${Object.keys(shows).join(', ')}`, () => {
      const html = new TextEncoder().encode(`<!doctype html><html><head><title>Acme</title>${head}</head><body>${body}</body></html>`)
      const found = technologies({ url, headers, html, aliases: [] }).filter((each) => each.category === category)
      expect(Object.fromEntries(found.map(({ name, version }) => [name, version]))).to.deep.equal(shows)
      for (const { evidence } of found) expect(evidence.length).to.be.within(1, 5)
    })
})

describe('N6 sites: articles about products', () => {
  it('there are twenty, each about two products or more', () => expect(ARTICLES).to.have.length(20))

  for (const { about, url, head = '', body } of ARTICLES)
    it(`N6 an article about ${about} tells of no product`, () => {
      const html = new TextEncoder().encode(
        `<!doctype html><html lang="en"><head><title>${about}</title>${head}</head><body><article>${body}</article></body></html>`,
      )
      expect(technologies({ url, headers: { server: 'web' }, html, aliases: [] })).to.deep.equal([])
    })
})
