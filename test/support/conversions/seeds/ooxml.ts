import { writeZip } from '../../zip-writer.js'
import { WORD, XML } from './word.js'

const OOXML = 'http://schemas.openxmlformats.org'
const TYPES = 'application/vnd.openxmlformats-officedocument'
const DOCUMENT = `${OOXML}/officeDocument/2006/relationships`

/** A part of a package: its name, its content type and its text. */
interface Part {
  readonly name: string
  readonly type: string
  readonly text: string | Uint8Array
}

interface Package {
  /** The first is the document itself. */
  readonly parts: readonly [Part, ...Part[]]
  /** Relations by the part they belong to: id, kind and target. */
  readonly relations?: Readonly<Record<string, readonly (readonly [id: string, kind: string, target: string])[]>>
}

/** A package of Office Open XML (ECMA-376 part 2). A kind of a relation is the end of its address, or all of it. */
export function packed({ parts, relations = {} }: Package): Uint8Array {
  const overrides = parts.map(({ name, type }) => `<Override PartName="/${name}" ContentType="${type}"/>`)
  const all: Package['relations'] = { '': [['r0', 'officeDocument', parts[0].name]], ...relations }
  const lists = Object.entries(all ?? {}).map(([owner, list]): [string, string] => {
    const folder = owner.includes('/') ? owner.slice(0, owner.lastIndexOf('/') + 1) : ''
    const rows = list.map(
      ([id, kind, target]) => `<Relationship Id="${id}" Type="${kind.includes(':') ? kind : `${DOCUMENT}/${kind}`}" Target="${target}"/>`,
    )
    return [
      `${folder}_rels/${owner.slice(folder.length)}.rels`,
      `${XML}<Relationships xmlns="${OOXML}/package/2006/relationships">${rows.join('')}</Relationships>`,
    ]
  })
  return writeZip({
    '[Content_Types].xml': `${XML}<Types xmlns="${OOXML}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`,
    ...Object.fromEntries(lists),
    ...Object.fromEntries(parts.map(({ name, text }) => [name, text])),
  })
}

/** The project of macros that a document has. */
export interface Macros {
  readonly project: Uint8Array
}

function vba(folder: string, { project }: Macros): { part: Part; relation: readonly [string, string, string] } {
  return {
    part: { name: `${folder}/vbaProject.bin`, type: 'application/vnd.ms-office.vbaProject', text: project },
    relation: ['v1', 'http://schemas.microsoft.com/office/2006/relationships/vbaProject', 'vbaProject.bin'],
  }
}

/** A text of one paragraph; `type` says whether it is a document, a template, and with macros. */
export function wordFile(type: string, macros: Macros | null = null): Uint8Array {
  const name = 'word/document.xml'
  const own = macros === null ? null : vba('word', macros)
  const text = `${XML}<w:document xmlns:w="${OOXML}/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${WORD} and words of a document</w:t></w:r></w:p></w:body></w:document>`
  return packed({
    parts: [{ name, type, text }, ...(own === null ? [] : [own.part])],
    ...(own === null ? {} : { relations: { [name]: [own.relation] } }),
  })
}

/** A workbook of one sheet. */
export function excelFile(type: string, macros: Macros | null = null): Uint8Array {
  const name = 'xl/workbook.xml'
  const own = macros === null ? null : vba('xl', macros)
  const main = `${OOXML}/spreadsheetml/2006/main`
  return packed({
    parts: [
      {
        name,
        type,
        text: `${XML}<workbook xmlns="${main}" xmlns:r="${DOCUMENT}"><sheets><sheet name="One" sheetId="1" r:id="s1"/></sheets></workbook>`,
      },
      {
        name: 'xl/worksheets/sheet1.xml',
        type: `${TYPES}.spreadsheetml.worksheet+xml`,
        text: `${XML}<worksheet xmlns="${main}"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${WORD}</t></is></c><c r="B1"><v>2</v></c></row></sheetData></worksheet>`,
      },
      ...(own === null ? [] : [own.part]),
    ],
    relations: { [name]: [['s1', 'worksheet', 'worksheets/sheet1.xml'], ...(own === null ? [] : [own.relation])] },
  })
}

/** A presentation of one slide. */
export function powerPointFile(type: string): Uint8Array {
  const spaces = `xmlns:p="${OOXML}/presentationml/2006/main" xmlns:a="${OOXML}/drawingml/2006/main" xmlns:r="${DOCUMENT}"`
  const tree = (shapes: string): string =>
    `<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${shapes}</p:spTree></p:cSld>`
  const box = `<p:sp><p:nvSpPr><p:cNvPr id="2" name="box"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="900000" y="900000"/><a:ext cx="4000000" cy="900000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:p><a:r><a:t>${WORD}</a:t></a:r></a:p></p:txBody></p:sp>`
  const colours =
    '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>'
  const part = (name: string, kind: string, text: string): Part => ({
    name: `ppt/${name}`,
    type: `${TYPES}.presentationml.${kind}+xml`,
    text: `${XML}${text}`,
  })
  return packed({
    parts: [
      {
        name: 'ppt/presentation.xml',
        type,
        text: `${XML}<p:presentation ${spaces}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="m1"/></p:sldMasterIdLst><p:sldIdLst><p:sldId id="256" r:id="s1"/></p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`,
      },
      part('slides/slide1.xml', 'slide', `<p:sld ${spaces}>${tree(box)}</p:sld>`),
      part('slideLayouts/slideLayout1.xml', 'slideLayout', `<p:sldLayout ${spaces}>${tree('')}</p:sldLayout>`),
      part(
        'slideMasters/slideMaster1.xml',
        'slideMaster',
        `<p:sldMaster ${spaces}>${tree('')}${colours}<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="l1"/></p:sldLayoutIdLst></p:sldMaster>`,
      ),
    ],
    relations: {
      'ppt/presentation.xml': [
        ['m1', 'slideMaster', 'slideMasters/slideMaster1.xml'],
        ['s1', 'slide', 'slides/slide1.xml'],
      ],
      'ppt/slides/slide1.xml': [['l1', 'slideLayout', '../slideLayouts/slideLayout1.xml']],
      'ppt/slideLayouts/slideLayout1.xml': [['m1', 'slideMaster', '../slideMasters/slideMaster1.xml']],
      'ppt/slideMasters/slideMaster1.xml': [['l1', 'slideLayout', '../slideLayouts/slideLayout1.xml']],
    },
  })
}

/** A drawing of Visio (MS-VSDX): one page with one line. */
export function visioFile(): Uint8Array {
  const visio = 'http://schemas.microsoft.com/office/visio/2012/main'
  const kinds = 'http://schemas.microsoft.com/visio/2010/relationships'
  const cells = (values: Readonly<Record<string, number>>): string =>
    Object.entries(values)
      .map(([name, value]) => `<Cell N="${name}" V="${String(value)}"/>`)
      .join('')
  const row = (kind: string, at: number, x: number, y: number): string =>
    `<Row T="${kind}" IX="${String(at)}">${cells({ X: x, Y: y })}</Row>`
  const shape = `<Shape ID="1" Type="Shape">${cells({ PinX: 3, PinY: 3, Width: 2, Height: 1, LocPinX: 1, LocPinY: 0.5 })}<Section N="Geometry" IX="0">${cells({ NoFill: 0, NoLine: 0 })}${row('MoveTo', 1, 0, 0)}${row('LineTo', 2, 2, 0)}${row('LineTo', 3, 2, 1)}${row('LineTo', 4, 0, 0)}</Section><Text>${WORD}</Text></Shape>`
  return packed({
    parts: [
      {
        name: 'visio/document.xml',
        type: 'application/vnd.ms-visio.drawing.main+xml',
        text: `${XML}<VisioDocument xmlns="${visio}" xmlns:r="${DOCUMENT}"/>`,
      },
      {
        name: 'visio/pages/pages.xml',
        type: 'application/vnd.ms-visio.pages+xml',
        text: `${XML}<Pages xmlns="${visio}" xmlns:r="${DOCUMENT}"><Page ID="0" NameU="Page-1"><PageSheet>${cells({ PageWidth: 8, PageHeight: 6, PageScale: 1, DrawingScale: 1 })}</PageSheet><Rel r:id="p1"/></Page></Pages>`,
      },
      {
        name: 'visio/pages/page1.xml',
        type: 'application/vnd.ms-visio.page+xml',
        text: `${XML}<PageContents xmlns="${visio}" xmlns:r="${DOCUMENT}"><Shapes>${shape}</Shapes></PageContents>`,
      },
    ],
    relations: {
      '': [['r0', `${kinds}/document`, 'visio/document.xml']],
      'visio/document.xml': [['p0', `${kinds}/pages`, 'pages/pages.xml']],
      'visio/pages/pages.xml': [['p1', `${kinds}/page`, 'page1.xml']],
    },
  })
}

export const MAIN_TYPES = {
  docx: `${TYPES}.wordprocessingml.document.main+xml`,
  docm: 'application/vnd.ms-word.document.macroEnabled.main+xml',
  dotm: 'application/vnd.ms-word.template.macroEnabledTemplate.main+xml',
  xlsx: `${TYPES}.spreadsheetml.sheet.main+xml`,
  xlsm: 'application/vnd.ms-excel.sheet.macroEnabled.main+xml',
  xltm: 'application/vnd.ms-excel.template.macroEnabled.main+xml',
  pptx: `${TYPES}.presentationml.presentation.main+xml`,
  potm: 'application/vnd.ms-powerpoint.template.macroEnabled.main+xml',
} as const
