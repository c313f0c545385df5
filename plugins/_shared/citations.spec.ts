import { expect } from 'chai'
import fc from 'fast-check'
import { cpuOf } from '../../test/support/time.js'
import { checkCitations } from './citations.js'

const source = (...passages: string[]) => ({ passages })
/** The text that remains after the check; each further argument is a source. */
const left = (text: string, ...pages: string[]): string =>
  checkCitations(
    text,
    pages.map((page) => source(page)),
  ).text
/** Whether a sentence with the marker [1] is supported by a page. */
const stands = (sentence: string, page: string): boolean => checkCitations(`${sentence} [1].`, [source(page)]).struck.length === 0

const PLANT = 'The plant at Linz makes 1,250 pumps a year. It opened on 5 March 2019 and cost 12.5 million euros. Anna Example runs it.'

describe('citations: figures', () => {
  const same: readonly (readonly [string, string])[] = [
    ['1,250 pumps', '1250 pumps'],
    ['1,250 pumps', '1.250 pumps'],
    ['1,250 pumps', '1 250 pumps'],
    ['1,250 pumps', "1'250 pumps"],
    ['1,250 pumps', '1\u202f250 pumps'],
    ['12,34,567 pumps', '1,234,567 pumps'],
    ['1.25 million pumps', '1,250,000 pumps'],
    ['1,25 Mio. pumps', '1250000 pumps'],
    ['3.5bn pumps', '3,500,000,000 pumps'],
    ['3,5 Mrd. pumps', '3.5 billion pumps'],
    ['250k pumps', '250,000 pumps'],
    ['45 % of pumps', '45% of pumps'],
    ['45 per cent of pumps', '45 percent of pumps'],
    ['45 Prozent of pumps', '45 % of pumps'],
    ['$5 pumps', 'pumps for 5 dollars'],
    ['$5 million pumps', 'pumps for 5 million US dollars'],
    ['4 percent pumps', 'pumps of 4 to 5 percent'],
    ['US$5 million pumps', 'pumps for $5m'],
    ['EUR 5 million pumps', 'pumps for 5 million euros'],
    ['€5m pumps', 'pumps for 5 Mio. Euro'],
    ['5 km pumps', 'pumps of 5 kilometres'],
    ['5km pumps', 'pumps of 5-kilometre length'],
    ['30 °C pumps', 'pumps at 30°C'],
    ['1,50 pumps', '1.5 pumps'],
    ['7 pumps', 'seven pumps'],
    ['٣٥٠ pumps', '350 pumps'],
    ['14:30 pumps', 'pumps at 2:30 pm'],
    ['version 3.12.4 pumps', 'pumps of version 3.12.4'],
    ['the 1990s pumps', 'pumps of the 1990s'],
  ]
  for (const [claim, page] of same)
    it(`finds ${claim} in: ${page}`, () => expect(stands(`There are ${claim}`, `Here are ${page} to see.`)).to.equal(true))

  const other: readonly (readonly [string, string])[] = [
    ['1,250 pumps', '1,251 pumps'],
    ['1,250 pumps', '12,500 pumps'],
    ['12.5 pumps', '125 pumps'],
    ['1.2 million pumps', '1.2 billion pumps'],
    ['5 % of pumps', '5 km of pumps'],
    ['$5 pumps', 'pumps for 5 euros'],
    ['5 km pumps', 'pumps of 5 miles'],
    ['5 million pumps', '5 pumps'],
    ['5 % of pumps', '5 pumps'],
    ['5 pumps', '5 % of pumps'],
    ['5 pumps', 'pumps for €5'],
    ['25 pumps', '1,250 pumps'],
    ['3.12.4 pumps', '3.12.5 pumps'],
    ['14:30 pumps', 'pumps at 2:30 am'],
    ['1.2 million pumps', '1,234,567 pumps'],
  ]
  for (const [claim, page] of other)
    it(`does not find ${claim} in: ${page}`, () => expect(stands(`There are ${claim}`, `Here are ${page} to see.`)).to.equal(false))

  it('a figure must stand near some other word of its sentence', () => {
    const far = 'word '.repeat(200)
    const page = `The valley has 40 bridges. ${far} The pumps are red.`
    expect(stands('The valley has 40 bridges', page)).to.equal(true)
    expect(stands('There are 40 red pumps', page)).to.equal(false)
  })

  it('a figure with its unit is found in a source of another language, a bare one of two digits is not', () => {
    const page = 'Die Förderung der Wärmepumpe beträgt 30 Prozent.'
    expect(stands('The grant for heating covers 30 percent', page)).to.equal(true)
    expect(stands('The grant for heating covers 30', page)).to.equal(false)
  })

  it('any whole number is found in any grouping, and no other number is', () => {
    const groupings = [',', '.', ' ', '\u00a0', '\u202f', "'", '’', '']
    fc.assert(
      fc.property(
        fc.integer({ min: 10_000, max: 2_000_000_000 }),
        fc.constantFrom(...groupings),
        fc.constantFrom(...groupings),
        fc.integer({ min: 1, max: 9 }),
        (value, one, two, more) => {
          const grouped = (number: number, mark: string): string => String(number).replace(/\B(?=(\d{3})+$)/g, mark)
          const page = `The mill has ${grouped(value, one)} stones in all.`
          expect(stands(`The mill has ${grouped(value, two)} stones`, page), page).to.equal(true)
          expect(stands(`The mill has ${grouped(value + more, two)} stones`, page), page).to.equal(false)
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('citations: dates', () => {
  const forms = [
    '5 March 2019',
    'March 5, 2019',
    '5th of March 2019',
    'Mar 5, 2019',
    '2019-03-05',
    '05.03.2019',
    '5.3.2019',
    '3/5/2019',
    '5/3/2019',
    '5. März 2019',
    '5 mars 2019',
    '5 de marzo de 2019',
    '5 марта 2019',
    '2019年3月5日',
    '2019년 3월 5일',
  ]
  for (const form of forms)
    it(`reads ${form}`, () => {
      expect(stands('It opened on 5 March 2019', `Opening: ${form}.`)).to.equal(true)
      expect(stands(`It opened on ${form}`, 'Opening: 2019-03-05.')).to.equal(true)
      expect(stands(`It opened on ${form}`, 'Opening: 2019-03-06.')).to.equal(false)
      expect(stands('It opened on 6 March 2019', `Opening: ${form}.`)).to.equal(false)
      expect(stands('It opened on 5 March 2018', `Opening: ${form}.`)).to.equal(false)
    })

  it('parts of a date are held by the whole one, not the other way round', () => {
    for (const claim of ['in 2019', 'for the 2019 season', 'in March 2019', 'on March 5', 'in the month of March'])
      expect(stands(`It opened ${claim}`, 'Opening: 5 March 2019.'), claim).to.equal(true)
    expect(stands('It opened on 5 March 2019', 'Opening: March 2019.')).to.equal(false)
    expect(stands('It opened in April 2019', 'Opening: 5 March 2019.')).to.equal(false)
  })

  it('a day without a year counts with a year that the source names elsewhere, and one of several days before their month', () => {
    expect(stands('It opened on 5 March 2019', 'News of 2019. It opened on 5 March.')).to.equal(true)
    expect(stands('It opened on 5 March 2019', 'News of 2018. It opened on 5 March.')).to.equal(false)
    for (const page of ['It was open on 5 and 6 March 2019.', 'It was open on 5–6 March 2019.', 'It was open on March 4-5, 2019.'])
      expect(stands('It opened on 5 March 2019', page), page).to.equal(true)
    expect(stands('It opened on 5 March 2019', 'On 12 March 2019 they opened 5 works.')).to.equal(false)
    expect(stands('It opened on 5 March 2019', 'It was open on 5 and 6 March 2019.')).to.equal(true)
    expect(stands('It opened on 5 March 2019', 'It opened on 8 March 2019. It is 5 metres long.')).to.equal(false)
    expect(stands('It opened on 5 March 2019', 'It opened on 8 March 2019 with 5 boats.')).to.equal(false)
  })

  it('any day is found in any form, and the next day is not', () => {
    const day = fc.date({ min: new Date('1950-01-01'), max: new Date('2090-12-30'), noInvalidDate: true })
    const languages = fc.constantFrom('en-GB', 'en-US', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'ru', 'sv')
    fc.assert(
      fc.property(day, languages, languages, (date, one, two) => {
        const form = (language: string, at: Date): string =>
          new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(at)
        const page = `Seen: ${form(one, date)}.`
        const next = new Date(date.getTime() + 86_400_000)
        expect(stands(`It was seen on ${form(two, date)}`, page), page).to.equal(true)
        expect(stands(`It was seen on ${form(two, next)}`, page), page).to.equal(false)
      }),
      { numRuns: 200 },
    )
  })
})

describe('citations: names', () => {
  it('a name is found by its words, near each other', () => {
    expect(stands('The plant is run by Anna Example', PLANT)).to.equal(true)
    expect(stands('The plant is run by Berta Example', PLANT)).to.equal(false)
    expect(stands('The plant is run by Anna Sample', PLANT)).to.equal(false)
    expect(stands('The plant is run by Anna Example', `Anna Muster was here. ${'word '.repeat(300)} Berta Example was there.`)).to.equal(
      false,
    )
  })

  it('the first word of a sentence is a name unless it stands somewhere without a capital', () => {
    expect(stands('Globex makes pumps', PLANT)).to.equal(false)
    expect(stands('Linz has a plant', PLANT)).to.equal(true)
    expect(stands('Pumps are made there', PLANT)).to.equal(true)
    expect(stands('Globex Holding makes pumps', PLANT)).to.equal(false)
    expect(stands('According to Anna Example it makes pumps', PLANT)).to.equal(true)
  })

  it('initials stand for the words and the words for initials', () => {
    expect(stands('The rule is from the WHO', 'The World Health Organization made the rule.')).to.equal(true)
    expect(stands('The rule is from the World Health Organization', 'The WHO made the rule.')).to.equal(true)
    expect(stands('The rule is from the WTO', 'The World Health Organization made the rule.')).to.equal(false)
  })

  it('peoples are found by their country, possessives by the name, accents and case do not count', () => {
    expect(stands('The pumps are German', 'The pumps come from Germany.')).to.equal(true)
    expect(stands("It is one of Acme's pumps", 'Acme sells pumps.')).to.equal(true)
    expect(stands('It was made by René Exámple', 'RENE EXAMPLE made it.')).to.equal(true)
    expect(stands('The pumps are French', 'The pumps come from Germany.')).to.equal(false)
  })

  it('letters with figures are a name', () => {
    expect(stands('The pump is the model A320', 'The model A320 is a pump.')).to.equal(true)
    expect(stands('The pump is the model A321', 'The model A320 is a pump.')).to.equal(false)
  })

  it('German nouns are no names, two words with capitals are', () => {
    const page = 'Die Pumpe wird von der Firma Anna Muster in Linz gebaut und ist rot.'
    expect(stands('Das Gerät wird von der Firma gebaut und ist nicht mit der Anlage im Werk zu sehen', page)).to.equal(true)
    expect(stands('Das Gerät wird von der Firma gebaut und ist von Berta Muster', page)).to.equal(false)
  })
})

describe('citations: sentences and markers', () => {
  it('a sentence that its source does not hold goes, the others stay as they are', () => {
    const text = 'The plant makes 1,250 pumps a year [1]. It cost 13 million euros [1]. It is a fine place.'
    const { text: checked, kept, struck } = checkCitations(text, [source(PLANT)])
    expect(checked).to.equal('The plant makes 1,250 pumps a year [1]. It is a fine place.')
    expect(kept).to.equal(1)
    expect(struck).to.deep.equal([
      { sentence: 'It cost 13 million euros [1].', reason: 'unsupported', cited: [1], missing: ['13 million euros'] },
    ])
  })

  it('only the sources that a sentence cites count', () => {
    expect(left('It cost 12.5 million euros [1].', 'The plant cost a lot.', PLANT)).to.equal('')
    expect(left('It cost 12.5 million euros [1][2].', 'The plant cost a lot.', PLANT)).to.equal('It cost 12.5 million euros [1][2].')
    expect(left('It cost 12.5 million euros [Source 2].', 'The plant cost a lot.', PLANT)).to.equal(
      'It cost 12.5 million euros [Source 2].',
    )
  })

  it('markers of sources that do not exist go, and a sentence that has no other is one without', () => {
    expect(left('Pumps are fine [1][7].', PLANT)).to.equal('Pumps are fine [1].')
    expect(left('Pumps are fine [Source 0].', PLANT)).to.equal('Pumps are fine.')
    expect(left('Pumps are fine [1, 9].', PLANT)).to.equal('Pumps are fine [1].')
    expect(left('It cost 13 million euros [9].', PLANT)).to.equal('')
    expect(left('It cost 12.5 million euros [9].', PLANT)).to.equal('It cost 12.5 million euros [1].')
  })

  it('every form of marker is read, and comes out in one', () => {
    for (const marker of ['[1]', '[^1]', '[1, 2]', '[1; 2]', '【1†source】'])
      expect(left(`It cost 12.5 million euros ${marker}.`, PLANT, ''), marker).to.match(/^It cost 12\.5 million euros \[1\](?:\[2\])?\.$/)
    for (const marker of ['[Source 1]', '[source 1]', '[Sources 1, 2]', '[Sources 1 and 2]'])
      expect(left(`It cost 12.5 million euros ${marker}.`, PLANT, ''), marker).to.match(/ \[Source 1\](?:\[Source 2\])?\.$/)
  })

  it('a marker behind the full stop belongs to the sentence before it', () => {
    const text = 'It cost 12.5 million euros. [1] It opened on 5 March 2019. [2]'
    expect(left(text, PLANT, 'Nothing.')).to.equal('It cost 12.5 million euros. [1]')
    expect(left(text, 'Nothing.', PLANT)).to.equal('It opened on 5 March 2019. [2]')
  })

  it('a sentence without a marker gets that of the source which holds it, one of its line first', () => {
    expect(left('It cost 12.5 million euros. The pumps are fine [2].', PLANT, PLANT)).to.equal(
      'It cost 12.5 million euros [2]. The pumps are fine [2].',
    )
    expect(left('It cost 12.5 million euros.', 'Nothing.', PLANT)).to.equal('It cost 12.5 million euros [2].')
    expect(checkCitations('It cost 13 million euros.', [source(PLANT)]).struck.map(({ reason }) => reason)).to.deep.equal(['uncited'])
  })

  it('lines, lists and headings keep their form, and a list loses an item whole', () => {
    const text = '## The plant\n\n- It cost 12.5 million euros [1].\n- It cost 13 million euros [1].\n\n1. It opened in 2019 [1].'
    expect(left(text, PLANT)).to.equal('## The plant\n\n- It cost 12.5 million euros [1].\n\n1. It opened in 2019 [1].')
  })

  it('headings and rows of tables that hold get no marker', () => {
    const text =
      '# 1,250 pumps a year\n\n| opened | cost |\n|---|---|\n| 5 March 2019 | 12.5 million euros |\n| 5 March 2018 | 12.5 million euros |'
    expect(left(text, PLANT)).to.equal('# 1,250 pumps a year\n\n| opened | cost |\n|---|---|\n| 5 March 2019 | 12.5 million euros |')
  })

  it('the number of a source in words is no figure', () => {
    const text = 'According to Source 1 it cost 12.5 million euros [Source 1]. Sources 1 and 2 agree that pumps are made.'
    expect(left(text, PLANT, 'Nothing.')).to.equal(text)
  })

  it('sentences can be marked in place of being removed', () => {
    const { text } = checkCitations('It cost 13 million euros [1]. It is fine.', [source(PLANT)], { unsupported: 'mark' })
    expect(text).to.equal('It cost 13 million euros [1] [not in its sources]. It is fine.')
  })

  it('what stands must hold: no text has, after the check, a sentence that a second check would strike', () => {
    const part = fc.constantFrom(
      'It cost 12.5 million euros',
      'It cost 13 million',
      'Anna Example runs it',
      'Globex runs it',
      'on 5 March 2019',
      '40 %',
      '[1]',
      '[2]',
      '[Source 9]',
      '.',
      '. ',
      '\n',
      '- ',
      '5',
      ',',
      '(',
      '# ',
      'é',
      '。',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const once = checkCitations(parts.join(' '), [source(PLANT), source('Nothing.')])
        const twice = checkCitations(once.text, [source(PLANT), source('Nothing.')])
        expect(twice.struck).to.deep.equal([])
        expect(once.text).not.to.match(/\[(?:Source )?[039]\]/)
      }),
      { numRuns: 300 },
    )
  })

  it('nothing is empty, whatever is given', () => {
    expect(checkCitations('', [])).to.deep.equal({ text: '', kept: 0, struck: [] })
    expect(checkCitations('They are fine.', [])).to.deep.equal({ text: 'They are fine.', kept: 0, struck: [] })
    expect(checkCitations('It cost 5 euros [1].', []).text).to.equal('')
    expect(checkCitations('It cost 5 euros [1].', [source()]).text).to.equal('')
  })
})

describe('citations: hostile texts', () => {
  const hostile = [
    '5 ',
    '5. ',
    'A ',
    'Ab. ',
    '1,',
    '1.',
    '[1]',
    '[1',
    '.[1] ',
    '. [',
    'Source ',
    '【1†',
    '12 March ',
    '漢字',
    '5漢',
    '\n- ',
    '# ',
    '(',
    'é',
    '٣',
    '5 % ',
    'ABC ',
    "'",
    'Mr. ',
    '[1, 2, ',
    '1990-',
    '$ ',
    '５',
    '5 a',
    'Ab cd5 ',
  ]
  it('take no text for long, nor a source', async () => {
    for (const unit of hostile) {
      const text = unit.repeat(Math.ceil(65_536 / unit.length))
      checkCitations(text.slice(0, 4_096), [source(text.slice(0, 4_096))])
      const took = await cpuOf(() => {
        checkCitations(text.slice(0, 16_384), [source('Nothing.')])
        checkCitations('It cost 5 euros on 12 March [1].', [source(text)])
      })
      expect(took, JSON.stringify(unit)).to.be.below(1_000)
    }
  })
})
