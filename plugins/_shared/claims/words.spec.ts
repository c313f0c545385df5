import { expect } from 'chai'
import fc from 'fast-check'
import { Words } from './words.js'

const PATTERN = /\p{Nd}+|\p{Script=Latin}[\p{Script=Latin}\p{Nd}]*|\p{L}+/gu

/** The words of a text as they are written. */
const written = (text: string): string[] => {
  const words = new Words(text)
  return words.folded.map((_, at) => words.at(at))
}

describe('claims: words of a text', () => {
  it('are rows of digits, Latin words that may have digits behind letters, and words of other scripts', () => {
    expect(written('A320 flew 12,5 km; 3D-Druck für Łódź, Ελλάδα и Москва 東京 x5 v1.2 é')).to.deep.equal(
      'A320 flew 12 5 km 3 D Druck fur Łodz Ελλαδα и Москва 東京 x5 v1 2 e'.split(' '),
    )
  })

  it('are those of the pattern, whatever the text is', () => {
    const pieces = fc.constantFrom(
      'a',
      'Z9',
      '9',
      ' ',
      '\n',
      '-',
      'é',
      'ß',
      '漢',
      '٣',
      '५',
      'İ',
      '’',
      '😀',
      '𝟗',
      '𐐀',
      '\ud800',
      '_',
      '[1]',
      'Ω',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(pieces, { maxLength: 30 }).map((all) => all.join('')),
          fc.string({ unit: 'grapheme' }),
        ),
        (text) => {
          const words = new Words(text)
          expect(written(text)).to.deep.equal(words.text.match(PATTERN) ?? [])
        },
      ),
      { numRuns: 500 },
    )
  })

  it('begin with a capital or not, follow each other or not', () => {
    const words = new Words('Ada lives-in Ångström, Über x')
    expect(words.folded.map((_, at) => words.isCapital(at))).to.deep.equal([true, false, false, true, true, false])
    expect(words.folded.map((_, at) => words.follows(at))).to.deep.equal([false, true, true, true, false, true])
  })
})
