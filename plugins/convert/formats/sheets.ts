import type { Format } from './format.js'
import { compound, element, openDocument, zipped } from './shapes.js'

const EXCEL = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const MACROS = 'application/vnd.ms-excel'
const OPEN = 'application/vnd.oasis.opendocument'
const OLD = 'application/vnd.sun.xml.calc'
const BIFF = compound('Workbook')

export const SHEETS: readonly Format[] = [
  { id: 'xlsx', title: 'Excel sheet', family: 'sheet', mime: `${EXCEL}.sheet`, is: zipped('xl/') },
  { id: 'xlsm', title: 'Excel sheet with macros', family: 'sheet', mime: `${MACROS}.sheet.macroenabled.12`, is: zipped('xl/') },
  { id: 'xltx', title: 'Excel template', family: 'sheet', mime: `${EXCEL}.template`, is: zipped('xl/') },
  { id: 'xltm', title: 'Excel template with macros', family: 'sheet', mime: `${MACROS}.template.macroenabled.12`, is: zipped('xl/') },
  { id: 'xls', title: 'Excel 97 sheet', family: 'sheet', mime: MACROS, is: BIFF },
  { id: 'xlt', title: 'Excel 97 template', family: 'sheet', mime: MACROS, is: BIFF },
  { id: 'spreadsheetml', title: 'Excel 2003 XML', family: 'sheet', mime: 'application/xml', extension: 'xml', is: element('Workbook') },
  { id: 'ods', title: 'OpenDocument sheet', family: 'sheet', mime: `${OPEN}.spreadsheet`, is: openDocument('spreadsheet') },
  {
    id: 'ots',
    title: 'OpenDocument sheet template',
    family: 'sheet',
    mime: `${OPEN}.spreadsheet-template`,
    is: openDocument('spreadsheet'),
  },
  { id: 'fods', title: 'Flat OpenDocument sheet', family: 'sheet', mime: `${OPEN}.spreadsheet-flat-xml`, is: element('document') },
  { id: 'sxc', title: 'OpenOffice.org 1 sheet', family: 'sheet', mime: OLD, is: zipped('content.xml') },
  { id: 'stc', title: 'OpenOffice.org 1 sheet template', family: 'sheet', mime: `${OLD}.template`, is: zipped('content.xml') },
  { id: 'uos', title: 'Uniform Office sheet', family: 'sheet', mime: 'application/xml', is: element('UOF') },
  { id: 'csv', title: 'Comma-separated values', family: 'sheet', mime: 'text/csv', is: { text: true } },
  { id: 'tsv', title: 'Tab-separated values', family: 'sheet', mime: 'text/tab-separated-values', aliases: ['tab'], is: { text: true } },
  { id: 'dif', title: 'Data Interchange Format', family: 'sheet', mime: 'text/x-dif', is: { begins: ['TABLE'], text: true } },
  { id: 'slk', title: 'SYLK sheet', family: 'sheet', mime: 'text/x-sylk', aliases: ['sylk'], is: { begins: ['ID;'], text: true } },
  {
    id: 'gnumeric',
    title: 'Gnumeric sheet',
    family: 'sheet',
    mime: 'application/x-gnumeric',
    aliases: ['gnm'],
    is: { begins: ['\x1f\x8b', '<?xml'] },
  },
  {
    id: 'wk1',
    title: 'Lotus 1-2-3 sheet',
    family: 'sheet',
    mime: 'application/vnd.lotus-1-2-3',
    aliases: ['wks'],
    is: { begins: ['\0\0\x02\0'] },
  },
]
