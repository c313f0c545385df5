import { expect } from 'chai'
import { dateIn } from './work/dates.js'
import { numberIn } from './work/figures.js'
import { labelLines } from './work/label-lines.js'
import { markdownTables } from './work/markdown-tables.js'

describe('documents.extract: values of texts', () => {
  for (const [text, number] of [
    ['12', 12],
    ['-3.5', -3.5],
    ['1,234.50 €', 1234.5],
    ['1.234,50 EUR', 1234.5],
    ["CHF 1'234.50", 1234.5],
    ['1 234 567', 1234567],
    ['1,234', 1234],
    ['1.234.567', 1234567],
    ['0,5 kg', 0.5],
    ['12,50', 12.5],
    ['4.5 / 5', undefined],
    ['50,000 to 60,000', undefined],
    ['many', undefined],
    ['', undefined],
  ] as const)
    it(`the number of "${text}" is ${String(number)}`, () => {
      expect(numberIn(text)).to.equal(number)
    })

  for (const [text, date] of [
    ['2026-01-31', '2026-01-31'],
    ['2026-01-31T23:00:00Z', '2026-01-31'],
    ['31.1.2026', '2026-01-31'],
    ['31 January 2026', '2026-01-31'],
    ['Jan. 31st, 2026', '2026-01-31'],
    ['1/2/2026', undefined],
    ['31.2.2026', undefined],
    ['31 Foo 2026', undefined],
    ['soon', undefined],
  ] as const)
    it(`the date of "${text}" is ${String(date)}`, () => {
      expect(dateIn(text)).to.equal(date)
    })

  it('tables of Markdown, with bars in cells and without outer bars', () => {
    expect(markdownTables('a\n\n| A | B |\n| --- | :-: |\n| 1 \\| 2 | **x** |\n\nA | B\n--|--\n3 | 4\nend')).to.deep.equal([
      { header: ['A', 'B'], rows: [['1 | 2', 'x']] },
      { header: ['A', 'B'], rows: [['3', '4']] },
    ])
  })

  it('labels and values of lines take time that grows with the text alone', () => {
    expect(labelLines('* **Due date**: 1 May\nhttps://a.example/x\nNo value:\nTotal : 5')).to.deep.equal({
      'Due date': '1 May',
      Total: '5',
    })
    const hostile = [`${'a '.repeat(190)}:`, `**${'_'.repeat(300)}:`, '|'.repeat(1_000_000), `|${'-|'.repeat(900)}x`].join('\n')
    expect(labelLines(hostile.repeat(3))).to.deep.equal({})
    expect(markdownTables(`a|b\n${hostile.repeat(3)}`)).to.deep.equal([])
  }).timeout(20_000)
})
