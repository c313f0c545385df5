import { expect } from 'chai'
import fc from 'fast-check'
import { Cancel } from '../../core/runtime/cancel.js'
import { systemClock } from '../../core/runtime/clock.js'
import { createWorkers } from '../../core/exec/workers.js'
import { Fault, SchemaCompiler } from '../../core/sdk/index.js'
import { pageFacts, type PageFacts } from './facts-contract.js'
import extract from './work/extract.js'
import facts, { type FactsOutput } from './work/facts.js'
import { isoDate } from './work/facts/dates.js'
import { profileOf } from './work/facts/social.js'
import { gridOf } from './work/grid.js'

const URL_OF = 'https://a.example/dir/page'

function read(html: string): PageFacts {
  const output = facts({ html, url: URL_OF, asked: URL_OF })
  if ('limit' in output) throw new Error(output.limit)
  return output.facts
}
const script = (value: unknown): string => `<script type="application/ld+json">${JSON.stringify(value)}</script>`

describe('page.facts: what a page says in its head', () => {
  it('meta fields, those with several values in their order', () => {
    const found = read(`<html lang="de-AT"><head><title> The
      title </title><base href="/other/">
      <meta name="description" content="What it is about"><meta name="author" content="Ada Example"><meta name=keywords content="a, b,,a">
      <meta name="ROBOTS" content="NoIndex, follow"><meta name="generator" content="Pages 3"><meta name="theme-color" content="#112233">
      <meta property="og:title" content="For others"><meta property="og:image" content="1.png"><meta property="og:image" content="2.png">
      <meta property="og:image:width" content="640"><meta name="twitter:card" content="summary"><meta name="DC.Creator" content="Ben Example">
      <meta name="dcterms.issued" content="2024-02-29"><link rel="canonical" href="canon"><link rel=manifest href="/app.json">
      <link rel="alternate" hreflang="fr" href="fr"><link rel="alternate" hreflang="x-default" href="/">
      <link rel="alternate" type="application/rss+xml" title="News" href="rss"></head><svg><title>no</title></svg>`)
    expect(found).to.deep.include({
      url: URL_OF,
      title: 'The title',
      description: 'What it is about',
      author: 'Ada Example',
      keywords: ['a', 'b'],
      robots: ['noindex', 'follow'],
      generator: 'Pages 3',
      language: 'de-AT',
      theme_color: '#112233',
      canonical: 'https://a.example/other/canon',
      manifest: 'https://a.example/app.json',
      translations: [
        { language: 'fr', url: 'https://a.example/other/fr' },
        { language: 'x-default', url: 'https://a.example/' },
      ],
      feeds: [{ url: 'https://a.example/other/rss', type: 'application/rss+xml', title: 'News' }],
      open_graph: { title: ['For others'], image: ['1.png', '2.png'], 'image:width': ['640'] },
      twitter: { card: ['summary'] },
      dublin_core: { creator: ['Ben Example'], issued: ['2024-02-29'] },
      published: '2024-02-29',
    })
  })

  it('icons with their largest size', () => {
    const { icons } =
      read(`<link rel="shortcut icon" href="/f.ico" sizes="16x16 48x48"><link rel=icon type="image/svg+xml" href="i.svg" sizes=any>
      <link rel="apple-touch-icon" sizes="180x180" href="a.png"><link rel="mask-icon" href="m.svg"><meta name="msapplication-TileImage" content="t.png">
      <link rel="stylesheet" href="x.css"><link rel=icon href="data:image/png;base64,AAAA">`)
    expect(icons.map(({ kind, size, any_size, url }) => [kind, size, any_size, url.slice('https://a.example/'.length)])).to.deep.equal([
      ['icon', 48, false, 'f.ico'],
      ['icon', null, true, 'dir/i.svg'],
      ['apple-touch-icon', 180, false, 'dir/a.png'],
      ['mask-icon', null, false, 'dir/m.svg'],
      ['tile', null, false, 'dir/t.png'],
    ])
  })

  it('its title and description are those of the extraction, whatever page it is', () => {
    const part = fc.constantFrom(
      '<title>One</title>', '<meta name=description content="Two">', '<meta property="og:title" content="Three">', '<h1>Four</h1>',
      '<meta property="og:description" content="Five">', '<p>text</p>', script({ headline: 'Six', description: 'Seven' }),
      '<svg><title>Eight</title></svg>', '<noscript><title>Nine</title></noscript>', '<base href="/x/">', '<meta name=twitter:title content=Ten>',
    ) // prettier-ignore
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const html = parts.join('')
        const extracted = extract({ html, url: URL_OF, output: 'markdown', selector: null })
        if ('limit' in extracted) throw new Error(extracted.limit)
        const { title, description } = read(html)
        expect({ title, description }).to.deep.equal({ title: extracted.title, description: extracted.description })
      }),
      { numRuns: 200 },
    )
  })
})

describe('page.facts: items', () => {
  it('JSON-LD of all blocks, with lists and graphs taken apart', () => {
    const { json_ld: found } = read(
      script([{ '@type': 'Product', name: 'A' }, { '@type': 'Offer' }]) +
        script({ '@context': 'https://schema.org', '@graph': [{ '@type': 'WebSite', '@id': '#w' }, { '@graph': [{ '@type': 'Deep' }] }] }) +
        script({ '@id': '#d', name: 'Named', '@graph': [{ name: 'inner' }] }) +
        '<script type="application/ld+json">{ not json</script><script type="application/ld+json">"text"</script>' +
        '<script type="application/ld+json"><!-- {"@type": "Comment", "text": "two\nlines"} --></script>',
    )
    expect(found).to.deep.equal([
      { '@type': 'Product', name: 'A' },
      { '@type': 'Offer' },
      { '@type': 'WebSite', '@id': '#w' },
      { '@type': 'Deep' },
      { '@id': '#d', name: 'Named' },
      { name: 'inner' },
      { '@type': 'Comment', text: 'two lines' },
    ])
  })

  it('microdata with values from attributes, nested items, and properties that stand elsewhere', () => {
    const { microdata: found } = read(`<div itemscope itemtype="https://schema.org/Product" itemid="urn:x" itemref="more missing">
      <h2 itemprop="name">A <b>kettle</b></h2><img itemprop="image" src="k.png"><meta itemprop="sku" content="7">
      <div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><data itemprop="price" value="19.90">19,90 €</data>
      <time itemprop="validFrom" datetime="2024-01-01">January</time><a itemprop="url" href="/buy">buy</a></div>
      <span itemprop="color">red</span><span itemprop="color">blue</span></div>
      <p id="more">and <i itemprop="brand">Acme</i></p><p itemprop="nobody">lost</p>`)
    expect(found).to.deep.equal([
      {
        '@type': 'Product',
        '@id': 'urn:x',
        name: 'A kettle',
        image: 'https://a.example/dir/k.png',
        sku: '7',
        offers: { '@type': 'Offer', price: '19.90', validFrom: '2024-01-01', url: 'https://a.example/buy' },
        color: ['red', 'blue'],
        brand: 'Acme',
      },
    ])
  })

  it('RDFa Lite with a vocabulary or prefixes', () => {
    const { rdfa: found } =
      read(`<meta property="og:title" content="no item"><div vocab="https://schema.org/" typeof="Person" resource="#me">
      <span property="name">Ada Example</span><div property="worksFor" typeof="Organization"><span property="name">Example</span></div></div>
      <p typeof="schema:Event"><b property="schema:name">Fair</b><b property="foaf:nick">f</b></p>`)
    expect(found).to.deep.equal([
      { '@type': 'Person', '@id': '#me', name: 'Ada Example', worksFor: { '@type': 'Organization', name: 'Example' } },
      { '@type': 'Event', name: 'Fair', 'foaf:nick': 'f' },
    ])
  })
})

describe('page.facts: dates, contacts, profiles, headings', () => {
  it('brings dates into ISO 8601, and takes none that is no day', () => {
    const dates: readonly (readonly [string, string | null])[] = [
      ['2024-02-29', '2024-02-29'],
      ['2023-02-29', null],
      ['2024-05-01T10:00:00+02:00', '2024-05-01T08:00:00Z'],
      ['2024-05-01T10:00:00+0200', '2024-05-01T08:00:00Z'],
      ['2024-05-01 10:00', '2024-05-01T10:00:00'],
      ['2024-05-01T10:00:30.123Z', '2024-05-01T10:00:30Z'],
      ['Wed, 01 May 2024 10:00:00 GMT', '2024-05-01T10:00:00Z'],
      ['2024-05-01T25:00', null],
      ['1. Mai 2024', null],
      ['05/06/2024', null],
      ['', null],
    ]
    for (const [given, expected] of dates) expect(isoDate(given), given).to.equal(expected)
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('9000-01-01'), noInvalidDate: true }), (date) => {
        const seconds = `${date.toISOString().slice(0, 19)}Z`
        expect(isoDate(date.toISOString())).to.equal(seconds)
        expect(isoDate(seconds)).to.equal(seconds)
      }),
    )
  })

  it('finds when a page was published and changed', () => {
    const article = script({ '@type': 'Article', datePublished: '2024-01-02', dateModified: '2024-03-04T05:06:07Z' })
    expect(read(article)).to.include({ published: '2024-01-02', modified: '2024-03-04T05:06:07Z' })
    expect(read(`<meta property="article:published_time" content="2020-01-01">${article}`).published).to.equal('2020-01-01')
    expect(read('<time datetime="2021-01-01">then</time>').published).to.equal('2021-01-01')
    expect(read('<time datetime="2021-01-01">a</time><time datetime="2022-01-01">b</time>').published).to.equal(null)
    expect(read('<time datetime="2021-01-01">a</time><time class="entry-date" datetime="2022-01-01">b</time>').published).to.equal(
      '2022-01-01',
    )
  })

  it('mail addresses, telephone numbers and profiles, not links for sharing', () => {
    const found =
      read(`<a href="mailto:First.Last@example.com?subject=x">m</a><a href="mailto:a@example.com,%62@example.com">m</a><a href="mailto:">m</a>
      <a href="tel:+43 (1) 234-5;ext=6">t</a><a href="tel:none">t</a><a href="https://www.linkedin.com/company/example/?x=1">l</a>
      <a href="https://de.linkedin.com/company/other">l</a><a href="https://twitter.com/intent/tweet?url=x">s</a><a href="https://x.com/example">x</a>
      <a href="https://www.facebook.com/sharer/sharer.php?u=x">f</a><a href="https://facebook.com/">f</a><a href="https://example.com/x.com/y">e</a>
      <a href="https://www.linkedin.com/shareArticle?url=x">s</a><a href="https://x.com/EXAMPLE/">again</a>`)
    expect(found.emails).to.deep.equal(['first.last@example.com', 'a@example.com', 'b@example.com'])
    expect(found.phones).to.deep.equal(['+4312345'])
    expect(found.social.map(({ network, url }) => `${network} ${url}`)).to.deep.equal([
      'linkedin https://www.linkedin.com/company/example',
      'linkedin https://de.linkedin.com/company/other',
      'x https://x.com/EXAMPLE',
    ])
    expect(profileOf('https://x.com.evil.example/y')).to.equal(null)
  })

  it('headings with their level', () => {
    expect(read('<h1>One <b>bold</b></h1><h3> </h3><h2>Two<script>no</script></h2>').headings).to.deep.equal([
      { level: 1, text: 'One bold' },
      { level: 2, text: 'Two' },
    ])
  })
})

describe('page.facts: tables', () => {
  const table = (html: string) => read(html).tables
  it('with header, caption and merged cells in each of their places', () => {
    expect(
      table(`<table><caption>Sales</caption><thead><tr><th rowspan=2>Year<th colspan=2>Half</tr><tr><th>1st<th>2nd</thead>
        <tr><td>2023<td>1<td>2<tr><td rowspan=2>2024<td colspan=2>3<tr><td>4</td><td>5</table>`),
    ).to.deep.equal([
      {
        caption: 'Sales',
        header: ['Year', 'Half 1st', 'Half 2nd'],
        rows: [['2023', '1', '2'], ['2024', '3', '3'], ['2024', '4', '5']],
        cut: false,
      },
    ]) // prettier-ignore
  })

  it('not those that only place things', () => {
    expect(table('<table><tr><td>one</table><table role=presentation><tr><td>1<td>2<tr><td>3<td>4</table>')).to.deep.equal([])
    const nested = table('<table><tr><td><table><tr><td>1<td>2<tr><td>3<td>4</table><td>x<tr><td>y<td>z</table>')
    expect(nested.map(({ rows, header }) => [header, rows])).to.deep.equal([[null, [['1', '2'], ['3', '4']]]]) // prettier-ignore
  })

  it('have each cell once in every place that it covers, and no other place twice', () => {
    const cell = fc.record({ value: fc.string(), across: fc.integer({ min: 1, max: 4 }), down: fc.integer({ min: 1, max: 4 }) })
    fc.assert(
      fc.property(fc.array(fc.array(cell, { maxLength: 5 }), { maxLength: 6 }), (rows) => {
        const named = rows.map((row, y) => row.map((each, x) => ({ ...each, value: `${String(y)},${String(x)}` })))
        const grid = gridOf(named, { columns: 200, places: 10_000, covered: 'repeat' })
        named.forEach((row, y) => {
          for (const { value, across, down } of row) {
            const places = grid.flat().filter((place) => place === value).length
            expect(places).to.be.at.least(1)
            expect(places).to.be.at.most(across * Math.min(down, rows.length - y))
          }
        })
      }),
    )
  })
})

describe('page.facts: hostile pages (T-32)', function () {
  this.timeout(60_000)
  const workers = createWorkers({ clock: systemClock, size: 1 })
  after(() => workers.close())
  const output = new SchemaCompiler().compile(pageFacts.output)
  const MODULE = new URL('./work/facts.js', import.meta.url)
  const nested = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels)
  const block = (text: string): string => `<script type="application/ld+json">${text}</script>`
  const many = (count: number, part: (at: number) => string): string => Array.from({ length: count }, (_, at) => part(at)).join('')

  const pages: Readonly<Record<string, () => string>> = {
    '100,000 script blocks': () => '<script type=ld+json>{"a":1}</script>'.repeat(100_000),
    'JSON-LD of 5 MB': () => block(JSON.stringify(Array.from({ length: 190_000 }, (_, at) => ({ n: `${String(at)} text` })))),
    'JSON-LD of one text of 5 MB': () => block(JSON.stringify({ name: 'x'.repeat(4_900_000) })),
    'JSON-LD of 1,000 levels': () => block(nested(1_000)),
    'JSON-LD of 400 levels': () => block(nested(400)),
    'JSON-LD of 400 levels of graphs': () => block('{"@graph":['.repeat(200) + '{"n":1}' + ']}'.repeat(200)),
    'JSON-LD with __proto__': () =>
      block('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"a":{"__proto__":[1]}}'),
    'meta fields named __proto__': () =>
      '<meta property="og:__proto__" content="x"><meta name="__proto__" content="y"><div itemscope><p itemprop="__proto__">x</div>',
    'items that refer to each other': () =>
      '<div id=a itemscope itemref=b><p itemprop=x>1</div><div id=b itemprop=y itemscope itemref="a b c">2</div><div id=c itemprop=z itemscope itemref="a b c"></div>',
    'items that refer to all others': () =>
      many(
        2_000,
        (at) =>
          `<div id="i${String(at)}" itemprop=p itemscope itemref="${many(20, (to) => `i${String((at * 7 + to * 13) % 2_000)} `)}"></div>`,
      ),
    'items inside each other': () => '<div itemscope itemprop=a id=x>'.repeat(1_900),
    'properties inside each other': () => `<div itemscope>${'<p><b itemprop=a>text '.repeat(900)}`.repeat(20),
    'ids inside each other': () => many(1_900, (at) => `<b id="n${String(at)}">`) + '<i itemprop=a>x</i>'.repeat(45_000),
    'a table of 10^6 cells by spans': () => `<table>${`<tr>${'<td colspan=1000000 rowspan=1000000>x'.repeat(100)}`.repeat(300)}</table>`,
    'a table of many cells': () => `<table>${`<tr>${'<td>x'.repeat(90)}`.repeat(1_000)}</table>`,
    'many tables': () => '<table><tr><td>1<td>2<tr><td>3<td>4</table>'.repeat(10_000),
    'tables inside each other': () => '<table><tr><td>'.repeat(600),
    'a long heading of many pieces': () => `<h1>${'<b> </b>'.repeat(60_000)}</h1>`,
    'headings inside each other': () => '<h1><h2><h3>'.repeat(600),
    'many links': () => many(60_000, (at) => `<a href="mailto:a${String(at)}@example.com">`),
    'a meta field of 5 MB': () => `<meta name=keywords content="${'a,'.repeat(2_400_000)}">`,
    'an attribute of many words': () => `<div itemscope itemtype="${'a '.repeat(2_000_000)}">`,
    'a mail address of 4 MB': () => `<a href="mailto:${'a@a.'.repeat(1_000_000)}">`,
    'text in many pieces': () => `<div itemscope><p itemprop=a>${'&amp; '.repeat(90_000)}`,
    'too many elements': () => '<b>'.repeat(200_001).replaceAll('<b><b>', '<b></b>'),
    'too deep': () => '<b>'.repeat(2_100),
  }

  for (const [name, page] of Object.entries(pages))
    it(`T-32 ${name}: bounded facts or refused by name, and the next page is served`, async () => {
      const html = page()
      expect(html.length).to.be.at.most(5_000_000)
      const run = (input: string): Promise<unknown> =>
        workers.run(
          MODULE,
          { html: input, url: URL_OF },
          { timeoutMs: 10_000, heapMb: 256 },
          new Cancel(systemClock, systemClock.monotonic() + 30_000),
        )
      try {
        const found = (await run(html)) as FactsOutput
        if (!('limit' in found)) {
          expect(output.check(found.facts), output.explain()).to.equal(true)
          expect(JSON.stringify(found.facts).length).to.be.at.most(16_000_000)
        }
      } catch (error) {
        if (!Fault.is(error)) throw error
        expect(error.kind).to.equal('blocked')
      }
      expect(Object.hasOwn(Object.prototype, 'polluted')).to.equal(false)
      expect(await run('<title>next</title>')).to.have.nested.property('facts.title', 'next')
    })

  it('T-32 takes nothing over from __proto__, and breaks references that go round', () => {
    const { json_ld, open_graph, microdata } = read(
      (pages['JSON-LD with __proto__']?.() ?? '') + (pages['meta fields named __proto__']?.() ?? ''),
    )
    expect(Object.keys(json_ld[0] ?? {})).to.deep.equal(['constructor', 'a'])
    expect(Reflect.get(json_ld[0] ?? {}, 'polluted')).to.equal(undefined)
    expect(open_graph).to.deep.equal({})
    expect(microdata).to.deep.equal([{}])
    const round = read(pages['items that refer to each other']?.() ?? '').microdata
    expect(JSON.stringify(round)).to.contain('"x":"1"')
  })
})
