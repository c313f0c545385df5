import { expect } from 'chai'
import { gzipSync } from 'node:zlib'
import { writeZip } from '../../test/support/zip-writer.js'
import extent from './parse/extent.js'
import type { Sheets } from './parse/scan.js'
import { Extent } from './parse/scan.js'

/** The extent of a text, read in pieces of so many characters: the same for each size. */
function reaches(kind: Sheets, text: string): [number, string] {
  const all = [text.length, 7, 1].map((size) => {
    const found = new Extent(kind)
    for (let at = 0; at < text.length; at += size) found.read(text.slice(at, at + size))
    found.endSheet()
    return [found.cells, found.last] as [number, string]
  })
  const [first = [0, '']] = all
  for (const other of all) expect(other).to.eql(first)
  return first
}

describe('A8 how far the cells of a sheet reach', () => {
  it('Office Open XML: by their references, in their order where they have none, whatever prefix and quotes', () => {
    expect(reaches('excel', '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row><row r="1"><c r="A1"/></row>')).to.eql([
      17_179_869_184,
      'XFD1048576',
    ])
    expect(reaches('excel', '<row><c/><c/></row><row><c/></row>')).to.eql([4, 'B2'])
    expect(reaches('excel', "<x:row r = '7'><x:c s='1' r = '$C$7'/></x:row>")).to.eql([21, 'C7'])
    expect(reaches('excel', '<row r="2"><c x=">" r="D2"/></row>'), 'a > in an attribute hides nothing').to.eql([8, 'D2'])
    expect(reaches('excel', '<rows r="99"/><cols/><col min="1" max="16384"/>')).to.eql([0, ''])
  })

  it('OpenDocument: by repeated rows and columns as far as one has content; styles to the end of a sheet are none', () => {
    const open = (rows: string): [number, string] => reaches('open', `<table:table table:name="a">${rows}</table:table>`)
    const cell = (more = '') => `<table:table-cell office:value-type="float" office:value="1"${more}><text:p>1</text:p></table:table-cell>`
    expect(open(`<table:table-row>${cell()}</table:table-row>`)).to.eql([1, 'A1'])
    expect(
      open(`<table:table-row table:number-rows-repeated="1048576">${cell(' table:number-columns-repeated="16384"')}</table:table-row>`),
    ).to.eql([17_179_869_184, 'XFD1048576'])
    expect(
      open(`<table:table-row table:number-rows-repeated="999"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>
        <table:table-row><table:table-cell table:number-columns-repeated="9"/>${cell()}</table:table-row>`),
    ).to.eql([10_000, 'J1000'])
    expect(
      open(`<table:table-row>${cell()}<table:table-cell table:style-name="x" table:number-columns-repeated="16383"></table:table-cell></table:table-row>
        <table:table-row table:number-rows-repeated="1048575"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>`),
    ).to.eql([1, 'A1'])
    expect(open(`<table:table-row/><table:table-row>${cell()}</table:table-row>`)).to.eql([2, 'A2'])
  })

  it('XML Spreadsheet, Gnumeric and SYLK: by their indices, and sheets are added up', () => {
    expect(
      reaches(
        'excel2003',
        '<Worksheet ss:Name="a"><Row ss:Index="1000"><Cell ss:Index="200"/></Row></Worksheet><Worksheet><Row><Cell/></Row></Worksheet>',
      ),
    ).to.eql([200_001, 'GR1000'])
    expect(reaches('excel2003', '<Row><Cell ss:MergeAcross="9" ss:MergeDown="4"/></Row>')).to.eql([50, 'J5'])
    expect(
      reaches(
        'gnumeric',
        '<gnm:Sheet><gnm:Cell Row="9" Col="4">1</gnm:Cell></gnm:Sheet><gnm:Sheet><gnm:Cell Col="0" Row="0"/></gnm:Sheet>',
      ),
    ).to.eql([51, 'E10'])
    expect(reaches('sylk', 'ID;PX\r\nC;Y1;X1;K1\r\nC;X3\r\nC;Y50;K2\r\nE\r\n')).to.eql([150, 'C50'])
  })

  it('is found in archives, in what is packed, and of one that is none', async () => {
    const far = '<sheetData><row r="100000"><c r="CV100000"/></row></sheetData>'
    expect(
      await extent(writeZip({ 'xl/worksheets/sheet1.xml': far, 'xl/worksheets/Sheet2.xml': far, 'xl/styles.xml': far }), 'excel'),
    ).to.eql({ cells: 20_000_000, last: 'CV100000' })
    expect(await extent(gzipSync('<gnm:Sheet><gnm:Cell Row="1" Col="1"/></gnm:Sheet>'), 'gnumeric')).to.eql({ cells: 4, last: 'B2' })
    expect(await extent(Buffer.from('no sheet'), 'open')).to.eql({ cells: 0, last: '' })
  })
})
