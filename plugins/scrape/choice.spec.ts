import { expect } from 'chai'
import extract from './work/extract.js'

function read(html: string): string {
  const found = extract({ html, url: 'https://a.example/dir/page', output: 'markdown', selector: null })
  if ('limit' in found) throw new Error(found.limit)
  return found.content
}

const words = 'The kettle was found on the shelf behind the stove, where it had stood since the autumn, and nobody had missed it. '
const links = (count: number): string =>
  Array.from({ length: count }, (_, at) => `<div><a href="/${at}">A section of the site ${at}</a></div>`).join('')

describe('scrape: what of a page is its content', () => {
  it('is the article below the heading, however long the navigation in plain elements is', () => {
    const found = read(
      `<title>Kettle found - Site</title><div>${links(300)}</div><div><h1>Kettle found</h1><p>${words.repeat(3)}</p><p>${words}</p></div>`,
    )
    expect(found).to.equal(`# Kettle found\n\n${words.repeat(3).trim()}\n\n${words.trim()}`)
  })

  it('is the list where the heading is that of a list, whatever introduces it', () => {
    const items = Array.from({ length: 40 }, (_, at) => `<li><a href="/k${at}">Kettle of the kind ${at}</a> ${at} litres</li>`).join('')
    const found = read(`<title>Kettles</title><div>${links(5)}</div><div><h1>Kettles</h1><p>${words.repeat(3)}</p><ul>${items}</ul></div>`)
    expect(found).to.contain(words.trim()).and.to.contain('Kettle of the kind 39')
  })

  it('is not a window that asks for consent, unless nothing else is there', () => {
    const ask = `<div class="cookie-banner"><p>We and our partners store cookies.</p></div>`
    expect(read(`${ask}<p>Tea.</p>`)).to.equal('Tea.')
    expect(read(ask)).to.equal('We and our partners store cookies.')
    expect(read('<div class="has-cookie-banner-open"><p>Tea.</p></div>')).to.equal('Tea.')
  })

  it('has the header of the article, not that of the page', () => {
    expect(read(`<header>Site</header><article><header><p>Tea is served.</p></header><p>${words}</p></article>`)).to.equal(
      `Tea is served.\n\n${words.trim()}`,
    )
  })
})

const SENTENCES = [
  'The ropewalk at the bay is three hundred metres long, and every metre of it was needed on Tuesday, when the crew laid a cable for the lifeboat.',
  'The woman who runs it with two apprentices says that the hemp comes from the same valley as it did a century ago, and that the tar must be warm.',
  'A cable takes nine hours, because the strands are turned against each other by hand, and because the wind has to be waited for when it gusts.',
  'The harbour office paid for a new roof in spring, after a survey found that eleven of the forty beams were soft, but not for the floor.',
  'Visitors may watch from the gallery on Saturdays, and children may turn the small wheel, which makes a cord just long enough for a kite.',
]
const TEXT = SENTENCES.map((sentence) => `<p>${sentence}</p>`).join('')
const OTHERS = `<div><h3>More crafts</h3><ul>${Array.from({ length: 5 }, (_, at) => `<li><a href="/t${at}">How the boatyard number ${at} lost its mast in the storm</a></li>`).join('')}</ul></div>`
const site = (body: string): string =>
  `<title>A cable of three hundred metres</title><header><nav><a href="/">Home</a> <a href="/c">Crafts</a></nav></header>${body}<footer><p>Bay Crafts, Shore Road 4</p></footer>`
const INTRO =
  '<div class="intro"><h1>A cable of three hundred metres</h1><p>The ropewalk makes what no machine can make.</p><p>By First Last, 3 May</p></div>'

describe('scrape: F22 words in the class of what surrounds an article', () => {
  const around = (open: string, close = 'div'): string =>
    site(`<main><article>${INTRO}<${open}><div>${TEXT}</div>${OTHERS}</${close}></article></main>`)
  const whole = (open: string, close = 'div'): string =>
    site(`<${open}><div><h1>A cable of three hundred metres</h1>${TEXT}</div>${OTHERS}</${close}>`)
  const expectArticle = (html: string): void => {
    const found = read(html)
    for (const sentence of SENTENCES) expect(found).to.contain(sentence)
    expect(found).to.match(/^# A cable of three hundred metres\n/)
    expect(found).not.to.match(/Home|Shore Road/)
  }

  for (const open of [
    'div class="layout-sidebar-right"',
    'div class="wrap wrap_sidebar"',
    'div class="no-sidebar"',
    'div class="with-sidebar"',
    'div class="sidebar-left"',
    'div class="has-banner"',
    'div class="banner-top"',
    'div class="has-ads"',
    'div class="comments-open"',
    'div class="comments-closed"',
    'div class="promo-free"',
    'div class="c-promo__body"',
    'div class="page--sidebar"',
    'div class="share-enabled"',
    'div class="post-related"',
    'div class="newsletter-page"',
    'div class="cookie-ok"',
    'div id="related-off"',
    'div role="complementary"',
    'div role="dialog"',
    'form action="/page" method="post"',
    'aside',
    'header',
    'section class="theme-social-on"',
  ])
    // prettier-ignore
    it(`never lose it: <${open}> around its text, and around all of it`, () => {
      const [name = ''] = open.split(' ')
      expectArticle(around(open, name))
      expect(read(around(open, name))).to.contain('By First Last, 3 May').and.contain('what no machine can make')
      expectArticle(whole(open, name))
    })

  it('F22 a side column within such a box stays out and is counted in a note', () => {
    const page = around('div class="layout-sidebar-right"')
    const found = extract({ html: page, url: 'https://a.example/', output: 'html', selector: null })
    if ('limit' in found) throw new Error(found.limit)
    expect(found.content).to.contain(`<p>${SENTENCES[0]}</p>`).and.not.to.contain('boatyard')
    expect(found.notes).to.deep.equal(['A list of links beside the text was left out.'])
  })

  it('still tell what is beside it: comments longer than the article, a side column', () => {
    const comments = `<div class="comments">${'<p>I have seen this ropewalk, and it smells of tar and of the sea.</p>'.repeat(40)}</div>`
    const column = '<div class="sidebar"><p>Our office is open on weekdays from nine to four.</p></div>'
    const found = read(site(`<div><h1>A cable of three hundred metres</h1>${TEXT}</div>${column}${comments}`))
    for (const sentence of SENTENCES) expect(found).to.contain(sentence)
    expect(found).not.to.match(/smells of tar|weekdays/)
  })

  it('F22 a preview of four sentences is the content, and lists of headlines beside it are counted in a note', () => {
    const preview =
      '<p>A single crossing will cost four crowns from June. The island council says that fuel is the reason, and that nobody had a better idea.</p><p>Season cards stay as they are, and dogs, which paid half until now, cross without a fare. The rest of the year...</p>'
    const lists = ['Most watched', 'Most read'].map((title) => OTHERS.replace('More crafts', title)).join('')
    const page = `<title>Ferry fares rise in June</title><article><div><h1>Ferry fares rise in June</h1></div><div>${preview}</div>${lists}</article>${OTHERS}`
    const found = extract({ html: page, url: 'https://a.example/', output: 'markdown', selector: null })
    if ('limit' in found) throw new Error(found.limit)
    expect(found.content).to.contain('A single crossing').and.to.contain('The rest of the year...')
    expect(found.content).not.to.contain('boatyard')
    expect(found.notes).to.deep.equal(['3 lists of links beside the text were left out.'])
  })

  it('F22 a short entry of a changelog and a short notice are read without the headlines beside them', () => {
    const notice =
      '<p>The harbour is closed on Friday. Boats may moor at the north pier, where the office has put out lights for the night.</p>'
    const entry =
      '<ul><li>Added: tide tables for the outer islands.</li><li>Fixed: the clock no longer runs behind by an hour after a start in March.</li><li>Changed: the minimum system.</li></ul>'
    for (const text of [notice, entry]) {
      const found = read(
        `<title>Closed on Friday</title><article><h1>Closed on Friday</h1>${text}${OTHERS}${OTHERS.replace('More', 'Other')}</article>`,
      )
      expect(found)
        .to.match(/outer islands|north pier/)
        .and.not.to.contain('boatyard')
    }
  })
})

describe('scrape: F9 what an article loses while it is cleaned', () => {
  const article = (inside: string): string =>
    `<title>Notes</title><article><h1>Notes</h1>${TEXT.slice(0, 320)}</p>${inside}${TEXT}</article>`
  const rows = (count: number): string =>
    Array.from(
      { length: count },
      (_, at) => `<tr><td>System ${at}</td><td><a href="/d/${at}">tide-2.${at}.tar.gz</a></td><td>${at} MB</td></tr>`,
    ).join('')

  it('F9 steps are all there, in boxes with links', () => {
    const steps = [
      'Switch it off at the <a href="/p">control panel</a>.',
      'Open the lid.',
      'Put the battery in.',
      'See <a href="/t">self test</a> and run it.',
      'Close it.',
    ]
    const found = read(
      article(
        `<div>${steps
          .slice(0, 3)
          .map((step, at) => `<div>${at + 1}. ${step}</div>`)
          .join('')}</div><div>${steps
          .slice(3)
          .map((step, at) => `<div>${at + 4}. ${step}</div>`)
          .join('')}</div>`,
      ),
    )
    expect(found.match(/^\d\\\./gm)).to.deep.equal(['1\\.', '2\\.', '3\\.', '4\\.', '5\\.'])
  })

  it('F9 a heading keeps the table of links below it, and a table of links its place', () => {
    expect(read(article(`<h2>Version 2</h2><table>${rows(3)}</table>`))).to.match(
      /## Version 2\n\n(?:\|.*\n){2}\| System 0 .*\n\| System 1 .*\n\| System 2/,
    )
    expect(read(article(`<table>${rows(4)}</table>`))).to.contain('| System 3 | [tide-2.3.tar.gz]')
  })

  it('F9 a list of links that the text announces is kept', () => {
    const piers = Array.from({ length: 30 }, (_, at) => `<a href="/p${at}">Pier ${at}</a>`).join(' ')
    expect(read(article(`<p>Boats may moor at these piers, in the order of their depth:</p><div class="list">${piers}</div>`))).to.contain(
      '[Pier 29]',
    )
  })

  it('F9 notices, remarks, cards, contacts and specifications are kept', () => {
    const inside = {
      remark: '<aside class="note"><p>Note: ropes shrink when wet.</p></aside>',
      alert: '<div role="alert" class="alert alert-danger">Do not moor at pier 3.</div>',
      cards:
        '<div><a href="/w1"><h3>The cliff walk</h3><p>Two hours along the edge, with a view of the lighthouse.</p></a><a href="/w2"><h3>The mill walk</h3><p>One hour beside the stream.</p></a></div>',
      contacts:
        '<ul><li><a href="mailto:desk@example.com">desk@example.com</a></li><li><a href="tel:+4712345678">12 34 56 78</a></li></ul>',
      specification: '<div class="data"><div>Length</div><div>300 m</div><div>Load</div><div>40 kN</div></div>',
    }
    const found = read(article(Object.values(inside).join('')))
    for (const text of [
      'ropes shrink when wet',
      'Do not moor at pier 3.',
      'view of the lighthouse',
      'The mill walk',
      'desk@example.com',
      '12 34 56 78',
      '300 m',
      '40 kN',
    ])
      expect(found).to.contain(text)
  })

  it('F9 a table of data behind the last paragraph is kept, and the words of a quotation their author', () => {
    const end = `<h2>Tides</h2><table><tr><th>Day</th><th>High</th></tr><tr><td>Monday</td><td>6:40</td></tr></table>`
    const quotation = '<blockquote><p>Old skippers tie twice.</p><footer>First Last</footer></blockquote>'
    const found = read(`<title>Notes</title><article><h1>Notes</h1>${TEXT}${quotation}<p>${SENTENCES[0]}</p>${end}</article>`)
    expect(found).to.contain('| Monday | 6:40 |').and.to.contain('> First Last')
  })

  it('F9 what is no part of it stays out: lists of other pages with their heading, links to share', () => {
    const shares = '<ul class="share-links"><li><a href="/f">Forward</a></li><li><a href="/g">Print</a></li></ul>'
    const similar = `<h3>Similar systems</h3><table>${rows(3)}</table>`
    const found = read(article(`${shares}${similar}`))
    expect(found).not.to.match(/Forward|Similar|System 0/)
  })
})

describe('scrape: the byline of an article', () => {
  const pages = {
    'a paragraph below the heading': `<article><h1>Notes</h1><p class="byline">By First Last · 14 March 2026</p>${TEXT}</article>`,
    'a link of its author and a time': `<article><header><h1>Notes</h1><a rel="author" href="/a">First Last</a> <time datetime="2026-03-14">14 March 2026</time></header>${TEXT}</article>`,
    'a line that is a link': `<article><h1>Notes</h1><div class="byline"><a href="/people/1">First Last, Harbour correspondent</a> <time>14 March 2026</time></div>${TEXT}</article>`,
    'a card of the author': `<article><h1>Notes</h1><span class="author vcard"><a class="url fn" href="/a">First Last</a></span> <span class="posted-on">14 March 2026</span>${TEXT}</article>`,
    'an address': `<article><h1>Notes</h1><address><a href="/a">First Last</a></address> <time>14 March 2026</time>${TEXT}</article>`,
    'a box beside the text': `<main><div><h1>Notes</h1><div class="author-line"><span itemprop="author">First Last</span><span>14 March 2026</span></div></div><div>${TEXT}</div></main>`,
  }
  for (const [name, html] of Object.entries(pages))
    it(`21 stays in the text, with the date: ${name}`, () => {
      expect(read(`<title>Notes</title>${html}`)).to.match(/# Notes\n\n[^]{0,40}First Last[^]{0,70}14 March 2026/)
    })
})
