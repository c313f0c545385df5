import { expect } from 'chai'
import { ranked, resultsOf } from './result.js'
import { line, link, plain } from './text.js'

const BAD_LINKS = [
  'javascript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>1</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'ftp://f.example/',
  'blob:https://b.example/1',
  'https://user:word@bank.example/',
  'https://bank.example@evil.example/',
  '//evil.example/',
  '/relative',
  'not a link',
  '',
  `https://long.example/${'a'.repeat(3000)}`,
  'http://',
]

describe('search: results from strangers', () => {
  for (const url of BAD_LINKS) {
    it(`T-29 drops the link ${JSON.stringify(url.slice(0, 40))}`, () => {
      expect(link(url)).to.equal(null)
      expect(ranked([{ url, title: 'x' }], 10)).to.deep.equal([])
    })
  }

  it('T-29 removes control, direction and invisible characters from titles and snippets', () => {
    const hostile = 'a\u0000b\u001b[31mc\u202ed\u2066e\u200bf\ufeffg\u{e0041}h\ud800i\u00adj\u2028k'
    const [result] = ranked([{ url: 'https://a.example/', title: hostile, snippet: hostile }], 10)
    for (const text of [result?.title, result?.snippet]) {
      expect(text).to.match(/^[\u0020-\u007e]+$/)
      expect(text).to.equal('a b [31mcdefghij k')
    }
  })

  it('keeps the joiners that Persian and emoji need', () => {
    expect(line('می\u200cخواهم 👩\u200d🚀', 100)).to.equal('می\u200cخواهم 👩\u200d🚀')
  })

  it('T-29 cuts long titles and snippets at a word', () => {
    const [result] = ranked([{ url: 'https://a.example/', title: 'word '.repeat(500), snippet: '😀'.repeat(5000) }], 10)
    expect(result?.title.length).to.be.at.most(300)
    expect(result?.title).to.match(/word…$/)
    expect(result?.snippet?.length).to.be.at.most(1000)
    expect(result?.snippet).to.match(/^(?:😀)+…$/u)
  })

  it('T-56 shows host names that look like others in punycode', () => {
    expect(link('https://аpple.example/')).to.equal('https://xn--pple-43d.example/')
  })

  it('counts positions from 1, without doubles, up to the wanted number', () => {
    const urls = ['https://a.example/', 'https://a.example', 'https://a.example/#part', 'https://b.example/x', 'https://c.example/']
    expect(
      ranked(
        urls.map((url) => ({ url, title: 't' })),
        2,
      ).map(({ url, position }) => [url, position]),
    ).to.deep.equal([
      ['https://a.example/', 1],
      ['https://b.example/x', 2],
    ])
  })

  it('N14 one page is one result, whatever its scheme, host prefix, tracking, order of parameters or index file', () => {
    const page = 'probe.example/guide'
    const same = ['http://', 'https://', 'https://www.'].map((start) => `${start}${page}/`)
    const tracked = ['?utm_source=x&utm_medium=y', '?fbclid=123', '?GCLID=1&_ga=2', 'index.html', '#install'].map(
      (end) => `https://${page}/${end}`,
    )
    expect(
      ranked(
        [...same, ...tracked].map((url) => ({ url })),
        10,
      ).map(({ url }) => url),
    ).to.deep.equal([`https://${page}/`])
    const orders = [
      'https://probe.example/view?id=2&lang=en',
      'https://probe.example/view?lang=en&id=2',
      'https://probe.example/view?lang=en&id=3',
    ]
    expect(
      ranked(
        orders.map((url) => ({ url })),
        10,
      ),
    ).to.have.length(2)
    expect(ranked([{ url: 'http://old.example/only' }], 10)[0]?.url, 'http alone stays').to.equal('http://old.example/only')
  })

  it('unknown is null, and a page without a title is called by its host', () => {
    expect(
      resultsOf([{ url: 'https://a.example/x', title: ' ', snippet: '' }], 10, {
        knowledge: { title: '' },
        featured: { text: null, title: 'x' },
      }),
    ).to.deep.equal({
      organic_results: [{ url: 'https://a.example/x', title: 'a.example', snippet: null, position: 1 }],
      knowledge_graph: null,
      featured_snippet: null,
    })
  })

  it('facts named like members of objects are plain facts', () => {
    const { knowledge_graph: known } = resultsOf([], 10, {
      knowledge: {
        title: 'T',
        attributes: [
          ['__proto__', 'p'],
          ['constructor', 'c'],
          ['n', 3],
          ['no', { x: 1 }],
        ],
      },
    })
    expect(Object.entries(known?.attributes ?? {})).to.deep.equal([
      ['__proto__', 'p'],
      ['constructor', 'c'],
      ['n', '3'],
    ])
    expect(Object.getPrototypeOf(known?.attributes)).to.equal(Object.prototype)
  })

  it('a fragment of HTML becomes its text, and a lone < stays', () => {
    expect(plain('A <span class="m">red</span> kettle &amp; 3 < 4 &#39;x&#x27; &unknown; &#1114112;')).to.equal(
      "A red kettle & 3 < 4 'x' &unknown; &#1114112;",
    )
  })
})

describe('search: one page, one result', () => {
  const urls = (...given: string[]): string[] =>
    ranked(
      given.map((url) => ({ url, title: 'x' })),
      10,
    ).map(({ url }) => url)

  it('N14 schemes and parameters that count visits make no second result', () => {
    const page = 'https://probe.example/guide/'
    expect(
      urls(page, 'http://probe.example/guide/', `${page}?utm_source=x&utm_medium=y`, `${page}?fbclid=123`, `${page}#install`),
    ).to.deep.equal([page])
    expect(urls(`${page}?id=2&gclid=1`, `${page}?id=2`, `${page}?msclkid=4&id=2`)).to.have.length(1)
  })

  it('N14 one path in two forms of percent-encoding is one page, a different one is not', () => {
    expect(
      urls('https://probe.example/caf%c3%a9/%7Eann', 'https://probe.example/caf%C3%A9/~ann', 'https://probe.example/café/~ann'),
    ).to.have.length(1)
    expect(urls('https://probe.example/a%2Fb', 'https://probe.example/a/b', 'https://probe.example/a%2fb')).to.have.length(2)
  })

  it('N14 ports that are the usual ones, parts of a text pointed at, and empty queries make no second result', () => {
    const page = 'https://probe.example/guide'
    expect(urls(page, 'https://probe.example:443/guide', `${page}#:~:text=kettle`, `${page}?`, `${page}/#`)).to.deep.equal([page])
    expect(urls(page, 'https://probe.example:8443/guide')).to.have.length(2)
  })

  it('N14 parameters that tell pages apart stay', () => {
    expect(urls('https://probe.example/view?id=1', 'https://probe.example/view?id=2', 'https://probe.example/view?utm=1')).to.have.length(3)
  })

  it('N14 a page by http alone keeps its address, one by both has the safe one', () => {
    expect(urls('http://old.example/a')).to.deep.equal(['http://old.example/a'])
    expect(urls('http://both.example/a', 'https://other.example/', 'https://both.example/a')).to.deep.equal([
      'https://both.example/a',
      'https://other.example/',
    ])
  })

  it('N14 routes behind # are pages, other fragments are places in one', () => {
    const app = 'https://probe.example/app'
    expect(urls(`${app}#/route/one`, `${app}#/route/two`, `${app}#!/three`, `${app}#!four`)).to.have.length(4)
    expect(urls(`${app}#one`, `${app}#two`, `${app}#`)).to.have.length(1)
  })
})
