import { expect } from 'chai'
import { linesOf, textOf } from './parse/pdf-lines.js'
import type { Run } from './parse/pdf-runs.js'

const SIZE = 10
const WIDTH = 5

/** A piece of text at a position, as wide as its letters. */
function run(text: string, x: number, baseline: number, more: Partial<Run> = {}): Run {
  const letter = /[\u3040-\u9fff]/.test(text) ? SIZE : WIDTH
  const width = text.length * letter
  return {
    ...{ text, x, y: baseline - 8, width, height: SIZE, baseline, size: SIZE, rightToLeft: false, upright: false, filled: false },
    ...more,
  }
}

const column = (texts: readonly string[], x: number, more: Partial<Run> = {}, top = 140): Run[] =>
  texts.map((text, at) => run(text, x, top + at * 12, more))
const byRow = (...columns: readonly Run[][]): Run[] => columns.flat().sort((one, two) => one.baseline - two.baseline || one.x - two.x)
const read = (runs: readonly Run[]): string[] => linesOf(runs).map(textOf)

const LEFT = [
  'The narrow sound has',
  'deep water and strong',
  'tides. A gauge at the',
  'pier has shown them',
  'since long ago, with',
  'few gaps, and all of',
  'it is kept in a hall.',
]
const RIGHT = [
  'Visitors often ask why',
  'the water rises twice',
  'in a day. The earth',
  'turns below two bulges',
  'of water, one near the',
  'moon and one away, and',
  'meets both every day.',
]
const THIRD = [
  'Boats leave when the',
  'stream has turned, as',
  'the old pilots did. A',
  'table at the gate says',
  'when that will be for',
  'the next days, and the',
  'harbour office as well.',
]

describe('reading: columns of a PDF', () => {
  it('F19 two and three columns are read one after the other, in whatever order they are drawn', () => {
    const [left, right, third] = [column(LEFT, 50), column(RIGHT, 190), column(THIRD, 330)]
    for (const drawn of [byRow(left, right), [...left, ...right], [...right, ...left], byRow(left, right).reverse()])
      expect(read(drawn)).to.deep.equal([...LEFT, ...RIGHT])
    for (const drawn of [byRow(left, right, third), [...third, ...left, ...right]])
      expect(read(drawn)).to.deep.equal([...LEFT, ...RIGHT, ...THIRD])
  })

  it('F19 columns whose lines are not level with each other, and a last line alone, are read so too', () => {
    const right = column(RIGHT.slice(0, 6), 190, {}, 146)
    expect(read(byRow(column(LEFT, 50), right))).to.deep.equal([...LEFT, ...RIGHT.slice(0, 6)])
  })

  it('F19 a heading across, short or long, stays above its columns', () => {
    const heading = 'A heading over both of the columns below it'
    const lower = [column(LEFT, 50, {}, 260), column(RIGHT, 190, {}, 260)]
    const drawn = [
      run('Tides', 50, 110, { size: 18 }),
      ...byRow(column(LEFT, 50), column(RIGHT, 190)),
      run(heading, 50, 240),
      ...byRow(...lower),
    ]
    expect(read(drawn)).to.deep.equal(['Tides', ...LEFT, ...RIGHT, heading, ...LEFT, ...RIGHT])
  })

  it('F19 columns of Japanese are read from left to right, and of Hebrew from right to left', () => {
    const japanese = [
      '港の渡し船は毎日六',
      '回出ます。潮の流れ',
      'が変わるまで待ちま',
      'す。船着き場の門に',
      '時刻の表があります',
      '。次の日の分もあり',
    ]
    const other = [
      '海の水は一日に二度',
      '高くなります。地球',
      'は水のふくらみの下',
      'で回ります。月の側',
      'と反対の側にあり、',
      '両方に出会います。',
    ]
    expect(read(byRow(column(japanese, 50), column(other, 190)))).to.deep.equal([...japanese, ...other])
    const hebrew = Array.from({ length: 6 }, (_, at) => `${'\u05d0\u05d1\u05d2\u05d3 '.repeat(4)}${'\u05d4'.repeat(at % 2 === 0 ? 4 : 3)}`)
    const rtl = { rightToLeft: true }
    const [near, far] = [hebrew.map((text) => `${text}\u05d6`), hebrew.map((text) => `${text}\u05d7`)]
    expect(read(byRow(column(far, 50, rtl), column(near, 210, rtl)))).to.deep.equal([...near, ...far])
  })

  it('F19 rows of tables, invoices and addresses stay rows', () => {
    const goods = ['Rope of hemp, 12 mm', 'Brass cleat', 'Fender, large', 'Paint for hulls, blue', 'Anchor', 'Bucket', 'Shackle of steel']
    const prices = ['12.50', '8.00', '31.20', '17.90', '120.00', '6.40', '3.10']
    const dates = ['2026-01-02', '2026-01-03', '2026-01-04', '2026-01-05', '2026-01-06', '2026-01-07', '2026-01-08']
    expect(read(byRow(column(goods, 50), column(dates, 250), column(prices, 400)))).to.deep.equal(
      goods.map((text, at) => `${text}  ${dates[at] ?? ''}  ${prices[at] ?? ''}`),
    )
    const seller = ['Example Ferries Ltd', 'Pier 4', 'Harbour Lane 12', 'Example Town', 'VAT 12345', 'First Last']
    const buyer = ['Customer Example GmbH', 'Hauptstrasse 1', '20457 Hamburg', 'Germany', 'No. 4711', 'First Last']
    expect(read(byRow(column(seller, 50), column(buyer, 250)))).to.deep.equal(seller.map((text, at) => `${text}  ${buyer[at] ?? ''}`))
    const names = [
      'Department of harbours',
      'Department of bridges',
      'Department of tunnels',
      'Department of railways',
      'Department of schools',
    ]
    const heads = [
      'First Last, since 2020',
      'Other Person, since 21',
      'Third Person, since 22',
      'Fourth One, since 2023',
      'Fifth One, since 2024.',
    ]
    expect(read(byRow(column(names, 50), column(heads, 250)))).to.deep.equal(names.map((text, at) => `${text}  ${heads[at] ?? ''}`))
  })
})
