import { expect } from 'chai'
import { terms } from '../../search/contract.js'
import { citedIn, marked, withMarkers } from './markers.js'
import { passagesOf } from './passages.js'
import { publishedAt } from './published.js'
import { isNearDuplicate, sketch } from './sketch.js'

describe('research: passages of a page', () => {
  it('stand below their headings, outermost first, and a heading ends those of its level', () => {
    const passages = passagesOf('# Guide\n\nIntro text.\n\n## Install\n\nRun it.\n\n### Debian\n\nUse apt.\n\n## Remove\n\nPurge it.')
    expect(passages.map(({ headings, text }) => [...headings, text])).to.deep.equal([
      ['Guide', 'Intro text.'],
      ['Guide', 'Install', 'Run it.'],
      ['Guide', 'Install', 'Debian', 'Use apt.'],
      ['Guide', 'Remove', 'Purge it.'],
    ])
  })

  it('tables and code are passages of their own, from which no sentences are taken', () => {
    const passages = passagesOf('Sizes:\n\n| Model | Litres |\n|---|---|\n| A | 1.7 |\n\n```\napt install kettle\n```\n\nDone here.')
    expect(passages.map(({ text, isProse }) => [text, isProse])).to.deep.equal([
      ['Sizes:', true],
      ['Model | Litres\nA | 1.7', false],
      ['apt install kettle', false],
      ['Done here.', true],
    ])
  })

  it('links are their words, and marks of Markdown go', () => {
    const [passage] = passagesOf('See the **[manual](https://example.com/m)** for `apt`.')
    expect(passage?.text).to.equal('See the manual for apt.')
  })

  it('escapes, tags, entities and emphasis of Markdown go, also in tables that stand there as HTML', () => {
    const passages = passagesOf(
      'The *main* area sets `host\\_name` &amp; more, 2 * 3 is 6.\n\n<tr><td>Desktop</td><td><p>2 GB</p></td></tr>',
    )
    expect(passages.map(({ text, isProse }) => [text, isProse])).to.deep.equal([
      ['The main area sets host_name & more, 2 * 3 is 6.', true],
      ['Desktop | 2 GB', false],
    ])
  })

  it('a long paragraph is cut at sentences, and no text is lost', () => {
    const text = Array.from({ length: 60 }, (_, at) => `Sentence number ${at} says something about kettles.`).join(' ')
    const passages = passagesOf(text)
    expect(passages.length).to.be.greaterThan(1)
    expect(Math.max(...passages.map((passage) => passage.text.length))).to.be.at.most(1_600)
    expect(passages.map((passage) => passage.text).join(' ')).to.equal(text)
  })

  it('takes linear time over texts made to slow it down', () => {
    for (const piece of ['[](', '# ', '| ', '```\n', '. ', '[a](b', '**', 'x'.repeat(1_000)]) {
      const text = piece.repeat(Math.ceil(65_536 / piece.length))
      const began = process.cpuUsage()
      passagesOf(text)
      const { user, system } = process.cpuUsage(began)
      expect((user + system) / 1_000, JSON.stringify(piece.slice(0, 10))).to.be.below(500)
    }
  })
})

describe('research: texts that are nearly the same', () => {
  const words = Array.from({ length: 400 }, (_, at) => `word${(at * 7919) % 1000}`)

  it('a copy with another footer is one, a page with half of the text is not', () => {
    const whole = sketch(words)
    expect(isNearDuplicate(whole, sketch([...words, 'copyright', 'example', 'site']))).to.equal(true)
    expect(isNearDuplicate(whole, sketch(words.slice(0, 200)))).to.equal(false)
    expect(isNearDuplicate(whole, sketch(words.map((word) => `${word}x`)))).to.equal(false)
  })

  it('holds for the shortest texts', () => {
    expect(isNearDuplicate(sketch(terms('A short text')), sketch(terms('a short text.')))).to.equal(true)
    expect(isNearDuplicate(sketch(terms('A short text')), sketch(terms('Another one')))).to.equal(false)
  })
})

describe('research: when a source was published', () => {
  const now = Date.UTC(2026, 10, 27)
  const day = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString().slice(0, 10))

  it('by its address, its snippet or the beginning of its text', () => {
    expect(day(publishedAt('https://example.com/2026/03/09/kettles', now))).to.equal('2026-03-09')
    expect(day(publishedAt('https://example.com/k', now, 'Nov 3, 2025 · Kettles are back.'))).to.equal('2025-11-03')
    expect(day(publishedAt('https://example.com/k', now, null, 'By First Last, 4 May 2024. Kettles.'))).to.equal('2024-05-04')
    expect(day(publishedAt('https://example.com/k', now, '3 days ago - Kettles.'))).to.equal('2026-11-24')
    expect(day(publishedAt('https://example.com/k', now, '2023-02-01'))).to.equal('2023-02-01')
  })

  it('never in the future, and null when nothing tells', () => {
    expect(publishedAt('https://example.com/2031/01/01/x', now)).to.equal(null)
    expect(publishedAt('https://example.com/x', now, 'Kettles boil 1990 times.')).to.equal(null)
  })
})

describe('research: markers of sources', () => {
  const exists = (id: number): boolean => id >= 1 && id <= 3

  it('have one form, whatever a model wrote', () => {
    expect(withMarkers('A [1]. B [Source 2]. C [1, 3]. D 【2†x】. E [Sources 1 and 2]. F (Source 3).', exists)).to.equal(
      'A [Source 1]. B [Source 2]. C [Source 1][Source 3]. D [Source 2]. E [Source 1][Source 2]. F [Source 3].',
    )
  })

  it('of sources that do not exist are removed, and numbers in round brackets stay', () => {
    expect(withMarkers('A [7]. B [2, 9]. C (12).', exists)).to.equal('A . B [Source 2]. C (12).')
  })

  it('stand before the full stop', () => {
    expect(marked('It boils.', 2)).to.equal('It boils [Source 2].')
    expect(marked('It boils', 2)).to.equal('It boils [Source 2]')
    expect([...citedIn('A [Source 2]. B [Source 1][Source 2].')]).to.deep.equal([2, 1])
  })
})
