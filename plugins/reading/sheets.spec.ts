import { expect } from 'chai'
import { utils, write, type BookType } from '@e965/xlsx'
import { workbookParts } from '../../test/support/documents.js'
import { readOfficeFile } from '../../test/support/read-file.js'
import { writeZip } from '../../test/support/zip-writer.js'

type Cell = readonly [value: number, format: string, text: string]

/** A row of numbers with these formats. */
function book(bookType: BookType, cells: readonly Cell[], date1904 = false): Uint8Array {
  const sheet = utils.aoa_to_sheet([cells.map(([value]) => value)])
  for (const [at, [, format]] of cells.entries()) Object.assign(sheet[utils.encode_cell({ r: 0, c: at })] ?? {}, { z: format })
  const file = { SheetNames: ['S'], Sheets: { S: sheet }, Workbook: { WBProps: { date1904 } } }
  return new Uint8Array(Buffer.from(write(file, { type: 'base64', bookType }) as string, 'base64'))
}

const ods = (cells: string): Uint8Array =>
  writeZip({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'META-INF/manifest.xml': '<manifest/>',
    'styles.xml': '<office:document-styles xmlns:office="o"/>',
    'content.xml': `<office:document-content xmlns:office="o" xmlns:table="b" xmlns:text="t"><office:body><office:spreadsheet><table:table table:name="S"><table:table-row>${cells}</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>`,
  })
const odsCell = (type: string, attribute: string, shown: string): string =>
  `<table:table-cell office:value-type="${type}" office:${attribute}><text:p>${shown}</text:p></table:table-cell>`

const rowOf = async (bytes: Uint8Array): Promise<readonly string[] | undefined> => (await readOfficeFile(bytes)).tables[0]?.rows[0]

const TIMES: readonly Cell[] = [
  [1.104166666666667, '[h]:mm', '26:30'],
  [0.34375, 'h:mm', '8:15'],
  [38.75 / 24, '[hh]:mm', '38:45'],
  [-1.5 / 24, '[h]:mm', '-1:30'],
  [100, '[h]:mm:ss', '2400:00:00'],
  [75.25 / 86_400, 'mm:ss.00', '1:15.25'],
  [3_725.5 / 86_400, 'h:mm:ss.0', '1:02:05.5'],
  [90 / 1_440, '[mm]:ss', '90:00'],
  [0.8125, 'h:mm AM/PM', '19:30'],
  [0.354_166_6, 'h:mm;@', '8:30'],
  [0.25, '[$-409]h:mm\\ "Uhr"', '6:00'],
]
const DATES: readonly Cell[] = [
  [45_358, 'dd/mm/yyyy', '2024-03-07'],
  [45_358.586_805_555_55, 'yyyy-mm-dd hh:mm', '2024-03-07T14:05:00'],
  [45_358, 'mmm', '2024-03-07'],
  [1, 'dd.mm.yyyy', '1900-01-01'],
  [59, 'dd.mm.yyyy', '1900-02-28'],
  [61, 'dd.mm.yyyy', '1900-03-01'],
]
const NUMBERS: readonly Cell[] = [
  [1_234_567_890_123_456, 'General', '1234567890123456'],
  [4_006_381_333_931, 'General', '4006381333931'],
  [123_456_789_012, '@', '123456789012'],
  [0.000_012_34, 'General', '0.00001234'],
  [0.1 + 0.2, 'General', '0.3'],
  [-4_712_345_678, 'General', '-4712345678'],
  [1e21, 'General', '1e+21'],
  [1_234.5, '#,##0.00 "EUR"', '1,234.50 EUR'],
  [0.19, '0.0%', '19.0%'],
  [2_021, '"days" 0', 'days 2021'],
]

describe('reading: cells of sheets', () => {
  for (const bookType of ['xlsx', 'biff8'] as const) {
    it(`F10 times and durations are hours and minutes, and no day of 1900: ${bookType}`, async () => {
      expect(await rowOf(book(bookType, TIMES))).to.deep.equal(TIMES.map(([, , text]) => text))
    })
    it(`F10 dates are in ISO 8601: ${bookType}`, async () => {
      expect(await rowOf(book(bookType, DATES))).to.deep.equal(DATES.map(([, , text]) => text))
    })
    it(`F10 long and small numbers have all their digits: ${bookType}`, async () => {
      expect(await rowOf(book(bookType, NUMBERS))).to.deep.equal(NUMBERS.map(([, , text]) => text))
    })
  }

  it('F10 days count from 1904 where the workbook says so, and durations do not', async () => {
    const cells: Cell[] = [
      [43_896, 'dd/mm/yyyy', ''],
      [0, 'yyyy-mm-dd', ''],
      [1.104166666666667, '[h]:mm', ''],
      [-0.5, '[h]:mm', ''],
    ]
    expect(await rowOf(book('xlsx', cells, true))).to.deep.equal(['2024-03-07', '1904-01-01', '26:30', '-12:00'])
  })

  it('F10 times of OpenDocument are those it shows, long numbers whole', async () => {
    const cells = [
      odsCell('time', 'time-value="PT08H15M00S"', '8:15'),
      odsCell('time', 'time-value="PT38H45M00S"', '38:45'),
      odsCell('time', 'time-value="-PT01H30M00S"', '-1:30'),
      odsCell('float', 'value="1234567890123456"', '1.23456789012346E+015'),
      odsCell('date', 'date-value="2024-03-07"', '7 March'),
    ]
    expect(await rowOf(ods(cells.join('')))).to.deep.equal(['8:15', '38:45', '-1:30', '1234567890123456', '2024-03-07'])
  })

  it('F10 a formula without a stored value is given as it is written, and a note counts them', async () => {
    const rows =
      '<row r="1"><c r="A1"><f>B2*2</f><v></v></c><c r="B1"><f>1/0</f></c><c r="C1"><f t="shared" si="0"/><v/></c><c r="D1"><f>A1</f><v>7</v></c><c r="E1" t="str"><f>""</f><v></v></c><c r="F1"><v>5</v></c></row>'
    const read = await readOfficeFile(writeZip(workbookParts(rows)))
    expect(read.tables[0]?.rows).to.deep.equal([['=B2*2', '=1/0', '', '7', '', '5']])
    expect(read.notes).to.deep.equal(['3 formulas have no stored value: the formula is given in place of its result.'])
  })

  it('F10 so is one of OpenDocument, at its place behind repeated cells', async () => {
    const cell = '<table:table-cell table:number-columns-repeated="2"/><table:table-cell table:formula="of:=[.A1]*2"/>'
    const read = await readOfficeFile(ods(cell + odsCell('float', 'value="3" table:formula="of:=1+2"', '3')))
    expect(read.tables[0]?.rows).to.deep.equal([['', '', '=[.A1]*2', '3']])
    expect(read.notes).to.deep.equal(['1 formula has no stored value: the formula is given in place of its result.'])
  })
})
