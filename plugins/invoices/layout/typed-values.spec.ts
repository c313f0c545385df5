import { expect } from 'chai'
import { amountsOf, numeralOf } from './amount.js'
import { VOCABULARIES } from './lexicon/vocabulary.js'
import { datesOf } from './date.js'
import { Lexicon } from './lexicon.js'
import { rowsOf } from './rows.js'
import { FIELDS } from './lexicon/labels.js'
import { LANGUAGES, type Row } from './types.js'

/** A row of words separated by single spaces, with a wide gap for each bar in the text. */
function rowWith(text: string): Row {
  let x = 50
  const words = text.split(' ').flatMap((word) => {
    if (word === '|') {
      x += 40
      return []
    }
    const width = word.length * 5
    const placed = { text: word, x, y: 100, width, height: 10, line: 0, block: 0 }
    x += width + 3
    return [placed]
  })
  const [row] = rowsOf({ page: 1, width: 595, height: 842, words })
  if (row === undefined) throw new Error('no row')
  return row
}

describe('values of an invoice', () => {
  describe('amounts', () => {
    const forms: readonly [string, number][] = [
      ...(
        [
          ['1.234,56', 1234.56],
          ['1,234.56', 1234.56],
          ["1'234.56", 1234.56],
          ['1 234,56', 1234.56],
          ['12,5', 12.5],
          ['12.00-', -12],
        ] as const
      ).map(([text, value]): [string, number] => [text, value]),
      ...(
        [
          ['(12.00)', -12],
          ['-98,53', -98.53],
          ['−98,53', -98.53],
          ['12.345.678,90', 12345678.9],
          ['0,99', 0.99],
          ['150,-', 150],
          ['1,25,000.00', 125000],
          ['12,34,56,789.50', 123456789.5],
          ['1234,5678,9012', 123456789012],
          ['3万5000', 35000],
          ['1 450,-', 1450],
        ] as const
      ).map(([text, value]): [string, number] => [text, value]),
      ...(
        [
          ['1O,5O', 10.5],
          ['l9,00', 19],
          ['1.Z', NaN],
        ] as const
      ).map(([text, value]): [string, number] => [text, value]),
    ]
    for (const [text, value] of forms)
      it(`reads ${text}`, () => {
        expect(numeralOf(text)?.value ?? NaN).to.deep.equal(value)
      })

    it('reads what any language writes of a random amount', () => {
      for (let seed = 1; seed < 400; seed++) {
        const value = Math.round(((seed * 7919 * 104729) % 100_000_000) + seed) / 100
        const [whole = '', cents = ''] = value.toFixed(2).split('.')
        for (const [group, point] of [
          ['.', ','],
          [',', '.'],
          ["'", '.'],
          [' ', ','],
          ['\u00a0', ','],
          ['', ','],
          ['', '.'],
        ] as const) {
          const text = `${whole.replace(/\B(?=(\d{3})+(?!\d))/g, group)}${point}${cents}`
          expect(numeralOf(text)?.value, text).to.equal(value)
        }
      }
    })

    it('keeps both readings of a number with three digits after its only separator', () => {
      expect(numeralOf('2.000')).to.include({ value: 2000, other: 2 })
      expect(numeralOf('2.000', '.')).to.include({ value: 2, other: 2000 })
      expect(numeralOf('0,500')).to.include({ value: 0.5 })
    })

    it('finds amounts with their currency before or after, and percentages', () => {
      const found = amountsOf(rowWith('Total € 1.234,50 | 19 % | 12,00 EUR | CHF 5.00 | 3 zł'), ',')
      expect(found.map(({ value, currency, percent }) => [value, currency, percent])).to.deep.equal([
        [1234.5, 'EUR', false],
        [19, null, true],
        [12, 'EUR', false],
        [5, 'CHF', false],
        [3, 'PLN', false],
      ])
    })

    it('joins thousands that a space parts, and not the numbers of two columns', () => {
      expect(amountsOf(rowWith('1 234,56'), ',').map(({ value }) => value)).to.deep.equal([1234.56])
      expect(amountsOf(rowWith('2 | 150,00'), ',').map(({ value }) => value)).to.deep.equal([2, 150])
    })

    it('takes no name that objects have by themselves for a currency', () => {
      for (const name of ['Constructor', 'constructor', '__proto__'])
        expect(
          amountsOf(rowWith(`${name} 61.40`), '.').map(({ value, currency }) => [value, currency]),
          name,
        ).to.deep.equal([[61.4, null]])
    })

    it('F3 reads a percentage with its sign before the number, as Turkish has it', () => {
      for (const text of ['%20', '20%', '20 %', '%8,5'])
        expect(
          amountsOf(rowWith(`KDV | ${text}`), ',').map(({ percent }) => percent),
          text,
        ).to.deep.equal([true])
    })

    it('takes no country for a currency', () => {
      expect(amountsOf(rowWith('FR 61 402'), ',').map(({ currency }) => currency)).to.deep.equal([null])
    })
  })

  describe('dates', () => {
    const forms = [
      ...[
        '03.11.2026',
        '3.11.2026',
        '3. 11. 2026',
        '03/11/2026',
        '03-11-2026',
        '2026-11-03',
        '2026/11/03',
        '03.11.26',
        '3 novembre 2026',
        '3. November 2026',
      ],
      ...[
        '3 de noviembre de 2026',
        '3 November, 2026',
        'November 3, 2026',
        'Nov 3, 2026',
        '3-Nov-2026',
        '3-XI-2026',
        '3 XI 2026',
        '3rd November 2026',
      ],
      ...[
        '3 listopada 2026 r.',
        '3 de novembro de 2026',
        '3 nov. 2026',
        '20261103',
        'O3.11.2026',
        '3 November 2O26'.replace('2O26', '2026'),
        '1er novembre 2026',
      ],
    ]
    for (const text of forms)
      it(`reads ${text}`, () => {
        expect(datesOf(rowWith(text)).map(({ iso }) => iso)).to.deep.equal([text.startsWith('1er') ? '2026-11-01' : '2026-11-03'])
      })

    it('reads the names of all months in all languages', () => {
      for (const { months } of Object.values(VOCABULARIES))
        months.split('|').forEach((names, at) => {
          if (names === '') return
          for (const name of names.split(' '))
            expect(datesOf(rowWith(`5 ${name} 2025`))[0]?.iso, name).to.equal(`2025-${String(at + 1).padStart(2, '0')}-05`)
        })
    })

    it('tells where day and month may be swapped', () => {
      expect(datesOf(rowWith('03/11/2026'))[0]).to.include({ iso: '2026-11-03', swapped: '2026-03-11' })
      expect(datesOf(rowWith('13/11/2026'))[0]).to.include({ iso: '2026-11-13', swapped: null })
      expect(datesOf(rowWith('11/13/2026'))[0]).to.include({ iso: '2026-11-13' })
    })

    for (const text of [
      '31.02.2026',
      '45.12.2026',
      '0711 555 01 23',
      'DE12 5001 0517 0648',
      '1.234,56',
      'F21/21 | Sep 99',
      '192.168.10.20',
    ])
      it(`takes ${text} for none`, () => {
        expect(datesOf(rowWith(text))).to.deep.equal([])
      })

    it('does not go on in the next column', () => {
      expect(datesOf(rowWith('F21/21 | Sep 13, 2026')).map(({ iso }) => iso)).to.deep.equal(['2026-09-13'])
    })
  })

  describe('labels', () => {
    const lexicon = new Lexicon((language) => VOCABULARIES[language].labels, FIELDS)

    for (const language of LANGUAGES)
      it(`knows those of ${language} whatever their spaces, case, accents and punctuation`, () => {
        for (const field of FIELDS)
          for (const phrase of (VOCABULARIES[language].labels[field] ?? '').split('|')) {
            if (phrase === '') continue
            const [match] = lexicon.matches(rowWith(`${phrase.toUpperCase()}:`).tokens, 9, false)
            expect(match?.meaning.get(field)?.has(language), `${field} ${phrase}`).to.equal(true)
          }
      })

    for (const [text, field] of [
      ['Rechnungsnumrner', 'number'],
      ['lnvoice date', 'date'],
      ['Fal1igkeitsdatum', 'due'],
      ['lmponibile', 'subtotal'],
      ['Rech nungs betrag', 'total'],
    ] as const)
      it(`knows ${text} as it was recognised`, () => {
        expect(lexicon.matches(rowWith(text).tokens, 9, true)[0]?.meaning.has(field)).to.equal(true)
      })

    it('is the same lexicon for text and for recognised words, whichever is read first', () => {
      const words = rowWith('lnvoice date').tokens
      const before = lexicon.matches(words, 9, false)
      const fuzzy = lexicon.matches(words, 9, true)
      expect(fuzzy[0]).to.include({ exact: 0.8, from: 0, to: 2 })
      expect(lexicon.matches(words, 9, false)).to.deep.equal(before)
    })

    it('takes no phrase from two columns', () => {
      expect(lexicon.matches(rowWith('Invoice | Date').tokens, 9, false).map(({ from, to }) => [from, to])).to.deep.equal([
        [0, 1],
        [1, 2],
      ])
    })
  })
})
