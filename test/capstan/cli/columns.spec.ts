import { expect } from 'chai'
import { columns, named } from '../../../scripts/capstan/cli/columns.js'
import { cutTo, displayWidth, wrapped } from '../../../scripts/capstan/cli/display-width.js'

describe('tables of the command line', () => {
  const rows = [
    ['key_01JD3Q7R8S', 'a name of several words', 12],
    ['key_02', '鍵', null],
  ]

  it('line up by the columns that characters take', () => {
    expect(columns(['id', 'name', 'used'], rows).split('\n')).to.deep.equal([
      'id              name                     used',
      'key_01JD3Q7R8S  a name of several words  12',
      'key_02          鍵                       -',
    ])
  })

  it('continue texts in further lines where the terminal is narrow, and leave ids whole', () => {
    expect(columns(['id', 'name', 'used'], rows, 42).split('\n')).to.deep.equal([
      'id              name                  used',
      'key_01JD3Q7R8S  a name of several     12',
      '                words',
      'key_02          鍵                    -',
    ])
  })

  it('become blocks where columns do not fit beside each other', () => {
    expect(columns(['id', 'name', 'used'], rows, 24).split('\n')).to.deep.equal([
      'id    key_01JD3Q7R8S',
      'name  a name of several',
      '      words',
      'used  12',
      '',
      'id    key_02',
      'name  鍵',
      'used  -',
    ])
  })

  it('without rows are their headings', () => expect(columns(['id', 'name'], [], 80)).to.equal('id  name'))

  it('names and texts share their first column', () =>
    expect(
      named(
        [
          ['a', 'one two three four five'],
          ['long', 'x'],
        ],
        24,
      ),
    ).to.equal('a     one two three four\n      five\nlong  x'))

  for (const [text, width] of [
    ['plain', 5],
    ['世界', 4],
    ['한국어', 6],
    ['e\u0301a\u0308', 2],
    ['👍🏽', 2],
    ['👨‍👩‍👧', 2],
    ['🇩🇪', 2],
    ['\u200b\u200d', 0],
    ['Größe', 5],
    ['ｆｕｌｌ', 8],
    ['✈️', 2],
    ['×÷', 2],
  ] as const)
    it(`${JSON.stringify(text)} takes ${width} columns`, () => expect(displayWidth(text)).to.equal(width))

  it('texts are cut between characters, and wrapped at spaces with longer words whole', () => {
    expect(cutTo('世界世界', 6)).to.equal('世界…')
    expect(cutTo('世界世界', 8)).to.equal('世界世界')
    expect(wrapped('see https://example.com/a/long/address now', 10)).to.deep.equal(['see', 'https://example.com/a/long/address', 'now'])
    expect(wrapped('', 10)).to.deep.equal([''])
  })
})
