import { expect } from 'chai'
import { cited } from './answer/citing.js'
import { withoutLinks } from './answer/links.js'
import { passages } from './answer/passages.js'
import { prose } from './answer/prose.js'
import { vendorAnswer } from './answer/vendor-answer.js'
import { extracted } from './answer/extract.js'
import { line, lines, plain } from './text.js'
import { cpuOf } from '../../test/support/time.js'

const sources = [1, 2, 3].map((at) => ({ url: `https://s${at}.example/`, title: `S${at}`, snippet: null }))

describe('search: markers and links', () => {
  it('words that only look like addresses stay', () => {
    const text = 'Node.js 20.1 and ASP.NET cost 3.50 (e.g. in the U.S.), see README.md and run.sh; a < b.'
    expect(withoutLinks(text)).to.equal(text)
  })

  it('markers of every spelling are read, joined lists split, strangers dropped', () => {
    expect(cited('A [3]. B [1, 3]. C [^2]. D [Source 1]. E 【2†x】. F [8].', sources)?.answer).to.equal(
      'A [1]. B [2][1]. C [3]. D [2]. E [3]. F.',
    )
  })

  it('an answer without markers is marked with what the model says it used', () => {
    expect(cited('Vinegar cleans kettles.', sources, [3, 9, 3])).to.deep.equal({
      answer: 'Vinegar cleans kettles [1].',
      citations: [{ index: 1, title: 'S3', url: 'https://s3.example/', snippet: null }],
    })
  })

  it('lines of a list stay lines', () => {
    expect(cited('Steps:\n\n- fill [1]\n- boil [2]', sources)?.answer).to.equal('Steps:\n- fill [1]\n- boil [2]')
  })

  it('a link of a vendor to its own source becomes a marker, another link goes', () => {
    const hits = [{ url: 'https://a.example/x', title: 'A', snippet: null }]
    const question = { query: 'q', num_results: 10, country: 'us', freshness: 'any' as const }
    expect(vendorAnswer('Steel ([A](https://a.example/x/)) and [B](https://b.example/).', hits, question)?.answer).to.equal(
      'Steel (A [1]) and B.',
    )
    expect(vendorAnswer('Steel [7].', hits, question)?.answer).to.match(/^Steel \[1\]\.$/)
  })

  it('Markdown becomes running text', () => {
    expect(
      prose('# Head\n\n- a **bold** [word](https://x.example/(a))\n\n```\ncode\n```\n| t |\n|---|\n![pic](p.png)\n> said\n---\n1. one'),
    ).to.equal('Head\na bold word\nsaid\none')
  })

  it('of a long page the paragraphs that fit are shown, in their order and within the room', () => {
    const filler = Array.from({ length: 50 }, (_none, at) => `Paragraph ${at} is about nothing in particular today.`).join('\n')
    const shown = passages('vinegar kettle', `Vinegar first.\n${filler}\nThe kettle last.`, 200)
    expect(shown.length).to.be.at.most(220)
    expect(shown.startsWith('Vinegar first.')).to.equal(true)
    expect(shown.endsWith('The kettle last.')).to.equal(true)
  })
})

describe('search: hostile text costs linear time', () => {
  const n = 100_000
  const hostile: Record<string, string> = {
    'open tags': '<a'.repeat(n),
    'open brackets': '['.repeat(n),
    'open links': '[a]('.repeat(n / 4),
    'links within links': '[a](b('.repeat(n / 6),
    'exclamation marks': '![](('.repeat(n / 5),
    entities: '&amp'.repeat(n / 4),
    'hash entities': '&#'.repeat(n / 2),
    blanks: ' '.repeat(n),
    'blanks and dots': ' .'.repeat(n / 2),
    dots: '.'.repeat(n),
    'dotted words': 'a.'.repeat(n / 2),
    'dashed hosts': 'a-'.repeat(n / 2),
    digits: '[1'.repeat(n / 2),
    'marker lists': `[${'1,'.repeat(n / 2)}`,
    'source markers': '【1†'.repeat(n / 3),
    'one word': 'a'.repeat(n),
    fences: '```\n'.repeat(n / 4),
    stars: '*'.repeat(n),
    bullets: '- '.repeat(n / 2),
    surrogates: '\ud800'.repeat(n),
    'slashes and colons': 'x:'.repeat(n / 2),
    'close then open': ']('.repeat(n / 2),
  }
  const work: Record<string, (text: string) => unknown> = {
    line: (text) => line(text, 1000),
    lines: (text) => lines(text, 40_000),
    plain,
    withoutLinks: (text) => withoutLinks(text),
    prose,
    cited: (text) => cited(text, sources),
    extracted: (text) => extracted('a 1', [{ url: 'https://s.example/', title: 'S', snippet: null, text: text.slice(0, 40_000) }]),
  }
  for (const [name, run] of Object.entries(work)) {
    it(`T-74 ${name} takes no text for long`, async () => {
      for (const [kind, text] of Object.entries(hostile)) {
        expect(await cpuOf(() => run(text)), kind).to.be.below(1000)
      }
    }).timeout(30_000)
  }
})
