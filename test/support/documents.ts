import { utils, write } from '@e965/xlsx'
import { writeZip } from './zip-writer.js'

const XML = '<?xml version="1.0" encoding="UTF-8"?>'
const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relations = (list: readonly (readonly [id: string, type: string, target: string, mode?: string])[]): string =>
  `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list
    .map(
      ([id, type, target, mode]) =>
        `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"${mode === undefined ? '' : ` TargetMode="${mode}"`}/>`,
    )
    .join('')}</Relationships>`
const types = (parts: Readonly<Record<string, string>>): string =>
  `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${Object.entries(
    parts,
  )
    .map(([name, type]) => `<Override PartName="${name}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`)
    .join('')}</Types>`
const CORE = `${XML}<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>Red kettles</dc:title><dc:creator>Ada Example</dc:creator><dc:language>en-GB</dc:language><dcterms:created>2026-01-31T12:00:00Z</dcterms:created></cp:coreProperties>`

export type Parts = Readonly<Record<string, string | Uint8Array>>

/** Parts of a Word document with a heading, a paragraph, a link and a table. */
export const DOCX: Parts = {
  '[Content_Types].xml': types({ '/word/document.xml': 'wordprocessingml.document.main' }),
  '_rels/.rels': relations([['r1', 'officeDocument', 'word/document.xml']]),
  'docProps/core.xml': CORE,
  'docProps/app.xml': `${XML}<Properties><Application>Writer</Application><Pages>3</Pages></Properties>`,
  'word/_rels/document.xml.rels': relations([['l1', 'hyperlink', 'https://d.example/p', 'External']]),
  'word/styles.xml': `${XML}<w:styles ${W}><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`,
  'word/document.xml': `${XML}<w:document ${W} ${R}><w:body>
    <w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Kettles</w:t></w:r></w:p>
    <w:p><w:r><w:t xml:space="preserve">Ten </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>red</w:t></w:r><w:r><w:t xml:space="preserve"> kettles &amp; </w:t></w:r><w:hyperlink r:id="l1"><w:r><w:t>a link</w:t></w:r></w:hyperlink></w:p>
    <w:tbl><w:tr><w:tc><w:p><w:r><w:t>Colour</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Price</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:p><w:r><w:t>red</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>12.50</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
  </w:body></w:document>`,
}

const A = 'xmlns:a="a" xmlns:p="p"'
const shape = (text: string, place = ''): string =>
  `<p:sp><p:nvSpPr><p:nvPr>${place === '' ? '' : `<p:ph type="${place}"/>`}</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`
const slide = (shapes: string): string => `${XML}<p:sld ${A}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`

/** Parts of a presentation whose slides are listed in another order than their names. */
export const PPTX: Parts = {
  '[Content_Types].xml': types({ '/ppt/presentation.xml': 'presentationml.presentation.main' }),
  'docProps/core.xml': CORE,
  'ppt/presentation.xml': `${XML}<p:presentation ${A} ${R}><p:sldIdLst><p:sldId id="256" r:id="r2"/><p:sldId id="257" r:id="r1"/></p:sldIdLst></p:presentation>`,
  'ppt/_rels/presentation.xml.rels': relations([
    ['r1', 'slide', 'slides/slide1.xml'],
    ['r2', 'slide', 'slides/slide2.xml'],
  ]),
  'ppt/slides/slide1.xml': slide(
    `${shape('Prices', 'title')}<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>red</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>12.50</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>${shape('2', 'sldNum')}`,
  ),
  'ppt/slides/slide2.xml': slide(`${shape('Kettles', 'ctrTitle')}${shape('Ten &lt;red&gt; ones')}`),
  'ppt/slides/_rels/slide2.xml.rels': relations([['n1', 'notesSlide', '../notesSlides/notesSlide1.xml']]),
  'ppt/notesSlides/notesSlide1.xml': `${XML}<p:notes ${A}>${shape('Say hello first', 'body')}${shape('1', 'sldNum')}</p:notes>`,
}

const ODF = 'xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:draw="d" xmlns:presentation="p" xmlns:xlink="x"'
const META = `${XML}<office:document-meta xmlns:office="o" xmlns:dc="d" xmlns:meta="m"><office:meta><dc:title>Red kettles</dc:title><meta:initial-creator>Ada Example</meta:initial-creator><meta:creation-date>2026-01-31T12:00:00</meta:creation-date><dc:language>en-GB</dc:language><meta:document-statistic meta:page-count="3"/></office:meta></office:document-meta>`
const content = (kind: string, body: string): string =>
  `${XML}<office:document-content ${ODF}><office:automatic-styles><text:p>not this</text:p></office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`

export const ODT: Parts = {
  mimetype: 'application/vnd.oasis.opendocument.text',
  'meta.xml': META,
  'content.xml': content(
    'text',
    '<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes><text:h text:outline-level="1">Kettles</text:h><text:p>Ten<text:s text:c="1"/>red &amp; blue <text:a xlink:href="https://d.example/p">ones</text:a></text:p><text:list><text:list-item><text:p>one</text:p></text:list-item></text:list><table:table><table:table-row><table:table-cell><text:p>red</text:p></table:table-cell><table:table-cell><text:p>12.50</text:p></table:table-cell></table:table-row></table:table>',
  ),
}

export const ODP: Parts = {
  mimetype: 'application/vnd.oasis.opendocument.presentation',
  'meta.xml': META,
  'content.xml': content(
    'presentation',
    '<draw:page><draw:frame><draw:text-box><text:p>Kettles</text:p></draw:text-box></draw:frame><presentation:notes><text:p>Say hello first</text:p></presentation:notes></draw:page><draw:page><text:p>Prices</text:p></draw:page>',
  ),
}

/** A book whose spine has another order than its archive, and a part that points outside. */
export const EPUB: Parts = {
  mimetype: 'application/epub+zip',
  'META-INF/container.xml': `${XML}<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>`,
  'OPS/book.opf': `${XML}<package><metadata xmlns:dc="d"><dc:title>Red kettles</dc:title><dc:creator>Ada Example</dc:creator><dc:language>en</dc:language></metadata><manifest><item id="a" href="one%20.xhtml"/><item id="b" href="two.xhtml"/><item id="c" href="../../../etc/passwd"/></manifest><spine><itemref idref="b"/><itemref idref="c"/><itemref idref="a"/></spine></package>`,
  'OPS/one .xhtml': '<!DOCTYPE html><html><body><h1>Last</h1><p>Ten kettles</p></body></html>',
  'OPS/two.xhtml': '<html><head><title>x</title></head><body><h1>First</h1><p>Two pots</p></body></html>',
}

export const docx = (parts: Parts = {}): Uint8Array => writeZip({ ...DOCX, ...parts })

/** A spreadsheet of two sheets in the requested form. */
export function spreadsheet(bookType: 'xlsx' | 'xls' | 'ods'): Uint8Array {
  const book = utils.book_new()
  const rows = [
    ['Colour', 'Price', 'Sold'],
    ['red | blue', 12.5, new Date(Date.UTC(2026, 0, 31))],
    ['green', 1200, null],
  ]
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows, { UTC: true }), 'Kettles')
  utils.book_append_sheet(book, utils.aoa_to_sheet([['empty'], [true]]), 'Other')
  return new Uint8Array(write(book, { type: 'array', bookType }) as ArrayBuffer)
}

/** Parts of a workbook with one sheet `S` of these rows. */
export function workbookParts(rows: string, dimension = ''): Parts {
  return {
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
    '_rels/.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    'xl/workbook.xml':
      '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${dimension}<sheetData>${rows}</sheetData></worksheet>`,
  }
}

interface PdfPage {
  /** Operators of the page's content. */
  readonly content: string
  readonly rotate?: number
}

/** A PDF of such pages, 300 points square, with Helvetica as /F and a link to https://d.example/p; the cross-reference table is left to the reader's repair. */
export function pdf(pages: readonly PdfPage[], catalog = '', objects = ''): Buffer {
  const kids = pages.map((_, at) => `${100 + 2 * at} 0 R`).join(' ')
  const leaves = pages.map(
    ({ content: text, rotate = 0 }, at) =>
      `${100 + 2 * at} 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Rotate ${rotate}/Contents ${101 + 2 * at} 0 R/Resources<</Font<</F 4 0 R>>>>/Annots[6 0 R]>> endobj\n${101 + 2 * at} 0 obj <</Length ${text.length}>> stream\n${text}\nendstream endobj`,
  )
  return Buffer.from(`%PDF-1.7
1 0 obj <</Type/Catalog/Pages 2 0 R/Lang(en-GB)${catalog}>> endobj
2 0 obj <</Type/Pages/Count ${pages.length}/Kids[${kids}]>> endobj
3 0 obj <</Title(Red kettles)/Author(Ada Example)/CreationDate(D:20260131130000+01'00')>> endobj
4 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>> endobj
6 0 obj <</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://d.example/p)>>>> endobj
${objects}
${leaves.join('\n')}
trailer <</Root 1 0 R/Info 3 0 R>>
%%EOF`)
}

/** Operators that write lines of text, each at its place with its size. */
export function written(...lines: readonly (readonly [text: string, x: number, y: number, size?: number])[]): string {
  return lines.map(([text, x, y, size = 12]) => `BT /F ${size} Tf ${x} ${y} Td (${text}) Tj ET`).join('\n')
}

/** A message with text, HTML and two files. */
export const EML = [
  'From: Ada Example <ada@example.com>',
  'To: Bob Example <bob@example.com>',
  'Subject: =?utf-8?q?T=C3=A4n_kettles?=',
  'Date: Sat, 31 Jan 2026 13:00:00 +0100',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary="b"',
  '',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>See <a href="https://d.example/p">this</a> and <b>that</b>.</p><script>alert(1)</script>',
  '--b',
  'Content-Type: text/xml; name="bill.xml"',
  'Content-Disposition: attachment; filename="bill.xml"',
  '',
  '<bill/>',
  '--b--',
  '',
].join('\r\n')
