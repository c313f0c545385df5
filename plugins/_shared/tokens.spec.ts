import { expect } from 'chai'
import fc from 'fast-check'
import { cutToTokens, inChunks, tokensOf } from './tokens.js'

const GAP = '\n\n[…]\n\n'
const words = fc.array(
  fc.constantFrom('Ada', 'went', 'home.', 'Why?', 'Dr.', '次の文。', '漢字', '😀', 'é', '\n', '\t', '3.5', 'a'.repeat(40)),
  { maxLength: 400 },
)
const texts = fc.oneof(
  words.map((all) => all.join(' ')),
  words.map((all) => all.join('')),
  fc.string({ unit: 'grapheme', maxLength: 500 }),
)
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

describe('texts cut by tokens', () => {
  it('counts 3.5 characters for a token', () => {
    expect([tokensOf(''), tokensOf('a'), tokensOf('a'.repeat(35)), tokensOf('a'.repeat(36))]).to.deep.equal([0, 1, 10, 11])
  })

  it('leaves a text alone that fits', () => {
    expect(cutToTokens('a'.repeat(35), 10)).to.deep.equal({ text: 'a'.repeat(35), truncated: false })
    expect(cutToTokens('', 0)).to.deep.equal({ text: '', truncated: false })
  })

  const cases: readonly [string, string, number, string][] = [
    ['behind a sentence', 'Ada went home. She slept well. Then she woke.', 10, 'Ada went home. She slept well.'],
    ['behind a sentence in Chinese', '他回家了。她睡得很好。然后她醒了。', 4, '他回家了。她睡得很好。'],
    ['behind a line', 'one two three\nfour five six\nseven eight nine', 9, 'one two three\nfour five six'],
    ['behind a word where no sentence ends', 'one two three four five six seven', 4, 'one two three'],
    ['anywhere where there is nothing', 'a'.repeat(100), 4, 'a'.repeat(14)],
    ['never inside a character', '😀'.repeat(20), 2, '😀😀😀'],
    ['to nothing', 'Ada went home.', 0, ''],
  ]
  for (const [name, text, tokens, rest] of cases)
    it(`cuts ${name}`, () => expect(cutToTokens(text, tokens)).to.deep.equal({ text: rest, truncated: true }))

  it('keeps both ends, two thirds and one', () => {
    expect(cutToTokens('a'.repeat(1_000), 100, { keep: 'ends' }).text).to.match(/^a{228}\n\n\[…\]\n\na{115}$/)
    const text = Array.from({ length: 100 }, (_, at) => `Sentence ${String(at)}.`).join(' ')
    const { text: cut, truncated } = cutToTokens(text, 100, { keep: 'ends' })
    expect(truncated).to.equal(true)
    const [first = '', last = ''] = cut.split(GAP)
    expect(first).to.match(/^Sentence 0\..*Sentence \d+\.$/)
    expect(last).to.match(/^Sentence \d+\..*Sentence 99\.$/)
    expect(first.length / last.length).to.be.within(1.5, 3)
  })

  it('any text: never longer than asked, of parts of the text, without halves of characters', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 300 }), fc.constantFrom('start' as const, 'ends' as const), (text, tokens, keep) => {
        const { text: cut, truncated } = cutToTokens(text, tokens, { keep })
        if (!truncated) return cut === text
        const [first = '', last = ''] = keep === 'ends' && cut.includes(GAP) ? cut.split(GAP) : [cut]
        return (
          text.length > tokens * 3.5 &&
          cut.length <= tokens * 3.5 &&
          text.startsWith(first) &&
          text.endsWith(last) &&
          (loneSurrogate.test(text) || !loneSurrogate.test(cut))
        )
      }),
    )
  })

  it('any text: chunks are no longer than asked, and make up the text', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 100 }), (text, tokens) => {
        const chunks = [...inChunks(text, tokens)]
        return chunks.join('') === text && chunks.every((chunk) => chunk !== '' && chunk.length <= tokens * 3.5)
      }),
    )
  })

  it('any text of different words: a chunk begins no further before the end of the last than asked, and not behind it', () => {
    const parted = fc.array(fc.constantFrom(' ', '. ', '\n', '。', '! '), { minLength: 1, maxLength: 300 })
    fc.assert(
      fc.property(parted, fc.integer({ min: 12, max: 60 }), fc.integer({ min: 0, max: 80 }), (parts, tokens, overlap) => {
        const text = parts.map((part, at) => `w${String(1_000 + at)}x${part}`).join('')
        let end = 0
        for (const chunk of inChunks(text, tokens, overlap)) {
          const start = text.indexOf(chunk)
          expect(chunk.length).to.be.at.most(tokens * 3.5)
          expect(start).to.be.within(Math.max(0, end - overlap * 3.5), end)
          expect(start + chunk.length).to.be.above(end)
          end = start + chunk.length
        }
        expect(end).to.equal(text.length)
      }),
      // A first chunk that is shorter than the overlap.
      { examples: [[['。', ' ', ' ', ' ', ' ', '! '], 12, 3]] },
    )
  })

  it('chunks begin and end with sentences, and repeat the end of the one before', () => {
    const text = Array.from({ length: 60 }, (_, at) => `Sentence ${String(at)}.`).join(' ')
    const chunks = [...inChunks(text, 50, 10)]
    expect(chunks.length).to.be.within(6, 12)
    for (const [at, chunk] of chunks.entries()) {
      expect(chunk)
        .to.match(/^Sentence \d+\./)
        .and.match(/\. ?$/)
      if (at > 0) expect(chunks[at - 1], chunk).to.contain(/^Sentence \d+\./.exec(chunk)?.[0])
    }
    expect([...inChunks('', 10)]).to.deep.equal([])
    expect(() => [...inChunks('x', 0)]).to.throw(RangeError)
  })

  it('takes no longer for 5 MB without a blank or full stop', () => {
    for (const unit of ['a', '漢', '😀', ' ', '\n', 'a ', 'Mr. ']) {
      const text = unit.repeat(5_000_000 / unit.length)
      const takes = (): number => {
        const before = process.cpuUsage()
        cutToTokens(text, 500_000)
        cutToTokens(text, 500_000, { keep: 'ends' })
        const chunks = inChunks(text, 4_000, 200)
        for (let count = 0; count < 10; count++) chunks.next()
        const { user, system } = process.cpuUsage(before)
        return (user + system) / 1_000
      }
      // The best of three: a collection of garbage may fall into one.
      expect(Math.min(takes(), takes(), takes()), JSON.stringify(unit)).to.be.below(200)
    }
  })
})
