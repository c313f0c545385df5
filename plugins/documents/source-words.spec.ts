import { expect } from 'chai'
import { SourceWords } from './work/source-words.js'

const SOURCE = `# Café “Zum Roten Keſſel”

Invoice [No. R-2026/17](https://shop.example/bills/17?x=1 "bill") of 31. Januar 2026, due 2/28/26. Total: 1.234,50 € (Straße 5, 10115 Berlin, Germany).
Ada Ex-
ample, Tel. (030) 1234567, ada@example.com. Preparation: 45 minutes, served at 2:30 pm. 東京都の赤いやかん. See www.kettles.example/red/ and /about/team.html.
**Red** kettles; size S.`
const source = new SourceWords(SOURCE, 'https://site.example/page')

describe('documents.extract: is a text in the source', () => {
  const kept: Record<string, readonly string[]> = {
    'without case, accents, punctuation and blanks': [
      'cafe zum roten kessel',
      'R 2026 17',
      'STRASSE 5',
      'ada example',
      'Red kettles',
      'Ada Ex-ample',
    ],
    'text of a link and what follows it': ['Invoice No. R-2026/17 of 31. Januar'],
    'scripts without blanks': ['赤い', '東京'],
    'short words as whole words': ['S', '5', 'due', 'No'],
    'figures with other separators': ['1,234.50', '1234,50'],
    'dates, also with a month in words': ['2026-01-31', '2026-01', '2026-02-28', '2026-01-31T00:00:00Z'],
    'times and durations': ['14:30', 'PT45M', 'PT0H45M'],
    'currencies by their sign, countries by their name': ['EUR', 'DE'],
    'numbers of telephones': ['+49301234567', '030 1234567'],
    addresses: [
      'https://kettles.example/red',
      'https://site.example/about/team.html',
      'https://site.example/page',
      'mailto:ada@example.com'.slice(7),
    ],
    'signs alone': ['€'],
  }
  for (const [about, texts] of Object.entries(kept))
    it(`keeps ${about}`, () => {
      expect(texts.filter((text) => !source.has(text))).to.deep.equal([])
    })

  const struck: Record<string, readonly string[]> = {
    'texts of elsewhere': ['Blue kettles', 'ada@example.org', 'Bob Example', 'canary7f3a'],
    'parts of words as short texts': ['re', 'in', 'ket', 'L'],
    'other dates': ['2025-01-31', '2026-01-30', '1999-12-24'],
    'other times and durations': ['16:45', 'PT99M'],
    'other currencies and countries': ['USD', 'FR', 'fr'],
    'other telephones': ['+49307654321'],
    'addresses of other hosts': [
      'https://canary.example/about/team.html',
      'https://shop.example/bills/18',
      'javascript:alert(1)',
      'https://site.example/else',
    ],
    'nothing at all': ['', ' ', '—', '\u200b'],
  }
  for (const [about, texts] of Object.entries(struck))
    it(`strikes ${about}`, () => {
      expect(texts.filter((text) => source.has(text))).to.deep.equal([])
    })

  it('does not take figures for a telephone number, nor letters of a word for the sign of a currency', () => {
    const orders = new SourceWords('Order 1234567 of Friday, paid in R$.', null)
    expect(['+49301234567', 'CHF'].filter((text) => orders.has(text))).to.deep.equal([])
    expect(new SourceWords('Call +1 212 555 0123. Fr. 20.', null).has('+12125550123')).to.equal(true)
  })

  it('takes a text of five million characters in its stride', () => {
    const long = new SourceWords(`${'[red] kettles ]( and ((('.repeat(200_000)} end of it`, null)
    expect(long.has('end of it')).to.equal(true)
    expect(long.has('blue')).to.equal(false)
  }).timeout(30_000)
})
