import { expect } from 'chai'
import textTable, { rowsOf } from './parse/text-table.js'

const written = (csv: string | Uint8Array, { from = 'csv', to = 'xlsx' } = {}): string =>
  textTable([Buffer.from(csv)], { from, to }).data.toString()

describe('a table of text as LibreOffice is given it', () => {
  it('F11 leaves as a number only what is written back with the same characters', () => {
    for (const cell of ['1', '0', '-7', '1.5', '2024', '123456789012345', '0.25']) expect(written(cell), cell).to.equal(`${cell}\n`)
    const texts = ['007', '0004', '1240.00', '12345678901234567890', '-0', '1E5', '1,5;x', '+4712345', '.5', '5.', '0.0000001', '１２']
    const guessed = ['3/4', '1-2', '03/04/2026', '2026-11-27', '1.2.3', 'TRUE', '8:15', '50%', '$5', ' 7', '7 ', 'Mar 5', 'INF', '0x1F']
    for (const cell of [...texts, ...guessed]) expect(written(`a\t${cell}\n`, { from: 'tsv' }), cell).to.equal(`"a","${cell}"\n`)
  })

  it('F11 makes text of what a sheet would take for a formula', () => {
    for (const cell of ['=1+1', '+1+1', '-1+1', '@SUM(A1)', '=HYPERLINK("x")', '=cmd|A0', '\t=1'])
      expect(written(`a;${cell}\nb;c\n`)).to.equal(`"a","${cell.replaceAll('"', '""')}"\n"b","c"\n`)
  })

  it('F11 on a page a number stands only where all of its digits are shown', () => {
    expect(written('123456789,1234567890,0.1234567891', { to: 'pdf' })).to.equal('123456789,"1234567890","0.1234567891"\n')
  })

  it('reads every separator, quotes, line ends and sets of characters', () => {
    for (const separator of [',', ';', '\t', '|']) expect(written(`a${separator}b\r\nc${separator}`)).to.equal('"a","b"\n"c",\n')
    expect(written('"a ""b""\nc",d\re,5" f\n')).to.equal('"a ""b""\nc","d"\n"e","5"" f"\n')
    expect(written('"never ends,x\ny,z\n')).to.equal('"""never ends","x"\n"y","z"\n')
    expect(written('\ufeffÜ,1\n')).to.equal('"Ü",1\n')
    expect(written(Buffer.from('\ufeffÜ,1\n', 'utf16le'))).to.equal('"Ü",1\n')
    expect(written(Buffer.from('Ü,\x80', 'latin1'))).to.equal('"Ü","€"\n')
    expect([...rowsOf('', ',')]).to.deep.equal([])
  })
})
