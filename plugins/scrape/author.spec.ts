import { expect } from 'chai'
import facts from './work/facts.js'

const URL_OF = 'https://quay.example/ropes'
const TEXT = '<p>The authority counted the ropes in spring, and most of them were shorter than in the year before.</p>'.repeat(3)

function authorOf(byline: string, head = ''): string | null {
  const html = `<html><head><title>Notes on ropes | The Daily Quay</title>${head}</head><body><header><a href="/">The Daily Quay</a></header>
    <main><article><h1>Notes on ropes</h1>${byline}${TEXT}</article></main><footer>© 2026 The Daily Quay</footer></body></html>`
  return read(html)
}

function read(html: string): string | null {
  const output = facts({ html, url: URL_OF, asked: URL_OF })
  if ('limit' in output) throw new Error(output.limit)
  return output.facts.author
}

const ld = (value: object): string =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...value })}</script>`
const article = (author: unknown, more: object = {}): string => ld({ '@type': 'NewsArticle', headline: 'Notes on ropes', author, ...more })
const person = (name: string): object => ({ '@type': 'Person', name })

describe('page.facts: the author of a page', () => {
  const marked: Readonly<Record<string, readonly [string, string | null]>> = {
    'a text': [article('First Last'), 'First Last'],
    'a text with "By"': [article('By First Last'), 'First Last'],
    'an object': [article(person('First Last')), 'First Last'],
    'an object with the parts of a name': [article({ '@type': 'Person', givenName: 'First', familyName: 'Last' }), 'First Last'],
    'a list of objects and texts': [article([person('First Last'), 'Second Last']), 'First Last, Second Last'],
    'an ordered list': [article({ '@list': [person('First Last'), person('Second Last')] }), 'First Last, Second Last'],
    'a list of names': [article({ '@type': 'Person', name: ['First Last', 'Second Last'] }), 'First Last, Second Last'],
    'ids of persons of a graph': [
      ld({
        '@graph': [
          { '@type': 'WebSite', '@id': '#site', name: 'The Daily Quay' },
          { '@type': 'Article', author: [{ '@id': '#1' }, { '@id': '#2' }] },
          { '@id': '#1', ...person('First Last') },
          { '@id': '#2', ...person('Second Last') },
        ],
      }),
      'First Last, Second Last',
    ],
    'an id that nothing has': [article({ '@id': '#nobody' }), null],
    'the creator': [ld({ '@type': 'Article', creator: ['First Last'] }), 'First Last'],
    'an organisation': [
      article({ '@type': 'Organization', name: 'Harbour Authority' }, { publisher: { name: 'The Daily Quay' } }),
      'Harbour Authority',
    ],
    'the publisher': [
      article({ '@type': 'Organization', name: 'Quay Media' }, { publisher: { '@type': 'Organization', name: 'Quay Media' } }),
      null,
    ],
    'a person whose site has the same name': [
      `<meta property="og:site_name" content="First Last">${article(person('First Last'))}`,
      'First Last',
    ],
    'an address': [article('https://example.com/people/first-last'), null],
    'a number': [article(7), null],
    'that of a comment or review alone': [
      `${ld({ '@type': 'Comment', author: 'First Last' })}${ld({ '@type': 'Product', review: { '@type': 'Review', author: 'First Last' } })}`,
      null,
    ],
  }
  for (const [name, [head, expected]] of Object.entries(marked))
    it(`21 in JSON-LD: ${name}`, () => {
      expect(authorOf('', head)).to.equal(expected)
    })

  const metas: Readonly<Record<string, readonly [string, string | null]>> = {
    'one name': ['<meta name="author" content="First Last">', 'First Last'],
    'several fields': ['<meta name="author" content="First Last"><meta name="author" content="Second Last">', 'First Last, Second Last'],
    'a mailbox': ['<meta name="author" content="first.last@example.com (First Last)">', 'First Last'],
    'a name and the site': ['<meta name="author" content="First Last | The Daily Quay">', 'First Last'],
    'before the items': [`<meta name="author" content="Third Last">${article('First Last')}`, 'Third Last'],
    'a profile, then the items': [
      `<meta property="article:author" content="https://social.example/first.last">${article('First Last')}`,
      'First Last',
    ],
    'the surname first': [
      '<meta name="citation_author" content="Last, First"><meta name="citation_author" content="Last, Second">',
      'First Last, Second Last',
    ],
    'a label of cards': ['<meta name="twitter:label1" content="Written by"><meta name="twitter:data1" content="First Last">', 'First Last'],
    'the reading time of cards': [
      '<meta name="twitter:label1" content="Reading time"><meta name="twitter:data1" content="5 minutes">',
      null,
    ],
    'the name of the site': ['<meta property="og:site_name" content="Quay News"><meta name="author" content="Quay News">', null],
    'a date': ['<meta name="author" content="14 March 2026">', null],
    'an account of the machine': ['<meta name="author" content="admin">', null],
  }
  for (const [name, [head, expected]] of Object.entries(metas))
    it(`21 in meta fields: ${name}`, () => {
      expect(authorOf('', head)).to.equal(expected)
    })

  const shown: Readonly<Record<string, readonly [string, string | null]>> = {
    'a plain line below the heading': ['<p>By Isla MacLeod · 14 March 2026</p>', 'Isla MacLeod'],
    'a line in parts': ['<div>By <span>First Last</span><br>Harbour correspondent</div><div>14 March 2026</div>', 'First Last'],
    'a class, a bar and a date': ['<div class="article-byline">By First Last | 14 March 2026 | 5 min read</div>', 'First Last'],
    'a class and the time of a change': [
      '<p class="post-byline">Written by Jean-Luc O’Neil – updated 3 May 2026, 8:03</p>',
      'Jean-Luc O’Neil',
    ],
    'several names': [
      '<p class="byline">By First Last, Second van der Last and Third Last, Agency News</p>',
      'First Last, Second van der Last, Third Last',
    ],
    'a place': ['<p class="byline">By First Last in Oslo</p>', 'First Last'],
    'a role in the link': [
      '<div class="byline"><a href="/people/1">First Last, Harbour correspondent</a><time>3 May</time></div>',
      'First Last',
    ],
    'a role in the link, in an element of its own': [
      '<p><a rel="author" href="/people/1">First Last <i class="icon"></i><span>Harbour correspondent</span></a></p>',
      'First Last',
    ],
    'a role behind the link': [
      '<div class="author"><a rel="author" href="/people/1">First Last</a><span class="role">Senior Editor</span></div>',
      'First Last',
    ],
    'links of two authors': [
      '<p>By <a rel="author" href="/1">First Last</a> and <a rel="author" href="/2">Second Last</a></p>',
      'First Last, Second Last',
    ],
    'a name in small letters': ['<p>By <a rel="author" href="/1">first last</a></p>', 'first last'],
    'a card': [
      '<span class="author vcard"><a class="url fn n" href="/a">First Last</a></span> <span class="posted-on">14 March 2026</span>',
      'First Last',
    ],
    'a property without an item': ['<span itemprop="author">First Last</span>', 'First Last'],
    German: ['<p class="byline">Von First Last, 14. März 2026</p>', 'First Last'],
    French: ['<p class="signature">Par First Last, le 14 mars 2026 à 8h03</p>', 'First Last'],
    Chinese: ['<p class="byline">作者：张三 2026年3月14日</p>', '张三'],
    Japanese: ['<p class="author">文／山田太郎</p>', '山田太郎'],
    'an organisation': ['<p class="byline">By The Associated Press</p>', 'The Associated Press'],
    'a month that is a name': ['<p class="byline">By April May</p>', 'April May'],
    'the site': ['<p class="byline">By The Daily Quay</p>', null],
    'no name': ['<p class="byline">Staff writer | 14 March 2026</p>', null],
    'a date alone': ['<p class="byline">Published March 14, 2026</p>', null],
    'a sentence that begins with the word': [
      '<p>By Harbour Rules the ropes are counted.</p><p>By the end of the year, most had shrunk.</p>',
      null,
    ],
    'a picture and its maker': ['<p class="byline">Photo: First Last</p>', null],
    'a text about the author': ['<div class="author-bio">First Last writes about ropes.</div>', null],
    nothing: ['', null],
  }
  for (const [name, [byline, expected]] of Object.entries(shown))
    it(`21 on the page: ${name}`, () => {
      expect(authorOf(byline)).to.equal(expected)
    })

  it('21 is not who comments, nor who wrote one of the pages that are listed', () => {
    const comment = '<section class="comments"><a rel="author" href="/1">First Last</a> wrote</section>'
    expect(authorOf(`${TEXT}${comment}`)).to.equal(null)
    const teaser = (title: string, name: string): string =>
      `<article><h2><a href="/${title}">${title}</a></h2><p class="byline">By ${name}</p>${TEXT}</article>`
    const list = (...names: readonly string[]): string =>
      `<h1>News</h1>${names.map((name, index) => teaser(`Title ${index}`, name)).join('')}`
    expect(read(list('First Last', 'Second Last'))).to.equal(null)
    expect(read(list('First Last', 'First Last')), 'all by one').to.equal('First Last')
  })

  it('21 is read in linear time from elements inside each other that all say they name one', () => {
    const deep = '<div class="author">'.repeat(1_900)
    const wide = '<b rel="author">By A B, </b>'.repeat(60_000)
    const before = process.cpuUsage()
    expect(read(`${deep}${'By '.repeat(50_000)}`)).to.equal(null)
    read(`<h1>x</h1>${wide}`)
    expect(process.cpuUsage(before).user / 1_000).to.be.below(3_000)
  })
})
