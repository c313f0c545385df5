import type { Group, Reading } from './types.js'

const excel = (filter: string): Reading => ({ filter, container: 'zip', holds: 'xl/', cells: 'excel' })
const open = (filter: string): Reading => ({ filter, container: 'zip', cells: 'open' })
const old = (filter: string): Reading => ({ filter, container: 'ole' })
const any = (filter: string): Reading => ({ filter, container: null })

/** Its options: separator, quotes, encoding, first line; then columns, language, whether all text is quoted, and numbers as displayed. */
const CSV = 'Text - txt - csv (StarCalc)'

/** Cells that LibreOffice writes as formatted text in about ten seconds on two slow processors. */
const AS_TEXT = 50_000_000
const DRAWN = 5_000_000

export const SHEETS: Group = {
  sheets: true,
  sources: {
    xlsx: excel('Calc MS Excel 2007 XML'),
    xlsm: excel('Calc MS Excel 2007 VBA XML'),
    xltx: excel('Calc MS Excel 2007 XML Template'),
    xltm: excel('Calc MS Excel 2007 XML Template'),
    xls: old('MS Excel 97'),
    xlt: old('MS Excel 97 Vorlage/Template'),
    spreadsheetml: { ...any('MS Excel 2003 XML Orcus'), extension: 'xml', cells: 'excel2003' },
    ods: open('calc8'),
    ots: open('calc8_template'),
    fods: { ...any('OpenDocument Spreadsheet Flat XML'), cells: 'open' },
    sxc: open('StarOffice XML (Calc)'),
    stc: open('calc_StarOffice_XML_Calc_Template'),
    uos: any('UOF spreadsheet'),
    csv: { filter: CSV, container: null, plain: 'table' },
    tsv: { filter: CSV, container: null, plain: 'table' },
    dif: any('DIF'),
    slk: { ...any('SYLK'), cells: 'sylk' },
    gnumeric: { ...any('Gnumeric Spreadsheet'), cells: 'gnumeric' },
    wk1: any('Lotus'),
  },
  targets: {
    pdf: { filter: 'calc_pdf_Export', mostCells: DRAWN },
    xlsx: { filter: 'Calc MS Excel 2007 XML' },
    xlsm: { filter: 'Calc MS Excel 2007 VBA XML' },
    xltx: { filter: 'Calc MS Excel 2007 XML Template' },
    xls: { filter: 'MS Excel 97' },
    xlt: { filter: 'MS Excel 97 Vorlage/Template' },
    spreadsheetml: { filter: 'MS Excel 2003 XML', extension: 'xml' },
    ods: { filter: 'calc8' },
    ots: { filter: 'calc8_template' },
    fods: { filter: 'OpenDocument Spreadsheet Flat XML' },
    uos: { filter: 'UOF spreadsheet' },
    csv: { filter: `${CSV}:44,34,76,1,,0,false,true`, mostCells: AS_TEXT },
    tsv: { filter: `${CSV}:9,34,76,1,,0,false,true`, mostCells: AS_TEXT },
    dif: { filter: 'DIF', mostCells: DRAWN },
    slk: { filter: 'SYLK', mostCells: DRAWN },
    html: { filter: 'HTML (StarCalc)', mostCells: DRAWN },
    xhtml: { filter: 'XHTML Calc File', mostCells: DRAWN },
  },
}
