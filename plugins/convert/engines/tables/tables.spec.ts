import { expect } from 'chai'
import { Fault } from '../../../../core/sdk/index.js'
import { violations } from '../../violations.js'
import convert from './parse/convert.js'

function made(text: string, from: string, to: string): { readonly text: string; readonly notes: readonly string[] } {
  const { result, data } = convert([Buffer.from(text)], { from, to })
  return { text: data.toString('utf8'), notes: result.notes }
}

const records = (text: string, from = 'csv'): unknown => JSON.parse(made(text, from, 'json').text)

describe('files.convert: tables of text and records in JSON', () => {
  it('N22 a CSV table becomes a list of records with the names of its first line', () => {
    expect(records('name,bales\nhemp,12\nsisal,7.5\n')).to.deep.equal([
      { name: 'hemp', bales: 12 },
      { name: 'sisal', bales: 7.5 },
    ])
    expect(records('name;note\r\n"a;b";"two\r\nlines"\r\n')).to.deep.equal([{ name: 'a;b', note: 'two\r\nlines' }])
    expect(records('name\tn\nx\t1\n', 'tsv')).to.deep.equal([{ name: 'x', n: 1 }])
  })

  it('N22 a cell is a number only where it is written back with the same characters', () => {
    for (const cell of ['007', '1240.00', '12345678901234567890', '1E5', '+1', '-0', '3/4', 'TRUE', '=1+1', ' 5', ''])
      expect(records(`a,b\n${cell},x\n`), cell).to.deep.equal([{ a: cell, b: 'x' }])
    for (const cell of ['0', '-3', '12.5', '999999999999999'])
      expect(records(`a,b\n${cell},x\n`), cell).to.deep.equal([{ a: Number(cell), b: 'x' }])
  })

  it('N22 empty and repeated names are replaced, lines of other lengths are counted, and notes say so', () => {
    const { text, notes } = made('a,,a,a_2\n1,2,3,4\n5\n6,7,8,9,10\n', 'csv', 'json')
    expect(JSON.parse(text)).to.deep.equal([
      { a: 1, column_2: 2, a_3: 3, a_2: 4 },
      { a: 5, column_2: '', a_3: '', a_2: '' },
      { a: 6, column_2: 7, a_3: 8, a_2: 9, column_5: 10 },
    ])
    expect(notes.join(' ')).to.contain('column_2, a_3').and.contain('2 of 3 lines')
    expect(made('__proto__,b\nx,y\n', 'csv', 'json').text).to.contain('{"__proto__":"x","b":"y"}')
  })

  it('N22 a list of flat objects becomes a table with its numbers as they are written', () => {
    const { text, notes } = made('[{"a":12345678901234567890,"b":"x,\\"y\\""},{"c":null,"a":1.50,"b":true}]', 'json', 'csv')
    expect(text).to.equal('a,b,c\n12345678901234567890,"x,""y""",\n1.50,true,\n')
    expect(notes).to.deep.equal(['2 fields that are null or not there are empty cells.'])
    expect(made('[{"a":"x\\ty","b":"\\u00e9"}]', 'json', 'tsv').text).to.equal('a\tb\n"x\ty"\té\n')
  })

  for (const [text, says] of [
    ['{"a":1}', /not a JSON list/],
    ['[1,2]', /Item 1 of the list is no object/],
    ['[{"a":1},{"a":{"b":2}}]', /"a" of object 2 is an object/],
    ['[{"a":[1]}]', /"a" of object 1 is a list/],
    ['[{"a":1,"a":2}]', /"a" twice/],
    ['[{"a":1}', /no well-formed JSON: line 1/],
    ['[\n{"a":01}]', /line 2 cannot be read/],
    ['[{"a":1}] x', /no well-formed JSON/],
    ['[]', /no objects with fields/],
  ] as const)
    it(`N22 JSON that is no list of flat objects is refused with the reason: ${text}`, () => {
      let error: unknown
      try {
        made(text, 'json', 'csv')
      } catch (thrown) {
        error = thrown
      }
      expect(Fault.is(error) && error.kind).to.equal('invalid')
      expect(String(error)).to.match(says)
    })

  it('N22 a text of many megabytes, with quotes and backslashes at its end, is one cell', () => {
    const long = `${'x'.repeat(12_000_000)}\\"\\\\`
    const { text } = made(JSON.stringify([{ a: long, b: 1 }]), 'json', 'tsv')
    expect(text === `a\tb\n"${long.replace('"', '""')}"\t1\n`).to.equal(true)
  })

  it('N22 of an unknown target only formats near the word that the source can become are proposed', () => {
    const suggestion = (source_format: string, target_format: string): string =>
      violations({ file_url: 'https://files.example.com/a', source_format, target_format })[0]?.msg ?? ''
    expect(suggestion('csv', 'jsom')).to.contain('json')
    expect(suggestion('docx', 'pdff')).to.contain('pdf')
    expect(suggestion('docx', 'mp33')).to.not.match(/Did you mean[^?]*mp3/)
    expect(suggestion('csv', 'qzqzqz')).to.not.contain('Did you mean')
  })
})
