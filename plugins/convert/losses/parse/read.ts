import { decode } from '../../../_shared/charset/charset.js'
import { nothing, type Content } from './content.js'
import { BOOK_PAGE, DOCBOOK, FICTION, OPEN_TEXT, ofResult, SLIDE_TEXT, WEB, WORD_TEXT, type Dialect } from './dialects.js'
import { reads } from './formats.js'
import { assertShort, partsOf } from './parts.js'
import { dataPictures, linesOf, markdownOf, richText } from './plain.js'
import { walk } from './walk.js'
import { workbookOf } from './workbook.js'

const WORD_PARTS = /^word\/(?:document|footnotes|endnotes|comments|header\d*|footer\d*|_rels\/document\.xml)\.(?:xml|rels)$/
const SLIDE_PARTS = /^ppt\/(?:slides|notesSlides)\/[^/]+\.xml$/
const BOOK_PARTS = /\.x?html?$|\.opf$/i
const WORKBOOK_PARTS = /^xl\/(?:workbook\.xml|sharedStrings\.xml|_rels\/workbook\.xml\.rels|worksheets\/[^/]+\.xml|drawings\/[^/]+\.xml)$/
type Role = 'source' | 'result'

const OPEN_PARTS = { source: /^content\.xml$/, result: /^(?:content|styles)\.xml$/ } as const
const BREAKS = /(?:page-break|break)-(?:before|after)\s*[:=]\s*["']?\s*(?:always|page|left|right)/i

/** The content of a file, as a source or as a result. Throws Fault `missing` for one that is too long to compare. */
export async function contentOf(bytes: Uint8Array, format: string, role: Role = 'source'): Promise<Content> {
  const reader = reads(format)
  const as = (dialect: Dialect): Dialect => (role === 'source' ? dialect : ofResult(dialect))
  switch (reader) {
    case 'word':
      return wordOf(await partsOf(bytes, WORD_PARTS), as(WORD_TEXT))
    case 'slides':
      return slidesOf(await partsOf(bytes, SLIDE_PARTS), as(SLIDE_TEXT))
    case 'workbook':
      return workbookOf(await partsOf(bytes, WORKBOOK_PARTS))
    case 'open':
      return openOf([...(await partsOf(bytes, OPEN_PARTS[role])).values()].join('\n'), as(OPEN_TEXT))
    case 'book':
      return bookOf(await partsOf(bytes, BOOK_PARTS), as(BOOK_PAGE))
    default:
  }
  assertShort(bytes)
  const text = decode(bytes, '')
  switch (reader) {
    case 'flat':
      return { ...openOf(text, as(OPEN_TEXT)), pictures: null }
    case 'html':
      return paged(text, walked(text, as(WEB)))
    case 'fiction':
      return walked(text, as(FICTION))
    case 'docbook':
      return { ...walked(text, as(DOCBOOK)), pictures: dataPictures(text) }
    case 'markdown':
      return markdownOf(text, role)
    case 'notebook':
      return { ...nothing(), pictures: text.match(/"image\/(?:png|jpeg|gif|svg\+xml)":/g)?.length ?? 0, breaks: Infinity }
    case 'rich':
      return { ...linesOf(richText(text), 'paragraphs'), pictures: text.match(/\\pict\b/g)?.length ?? 0, breaks: Infinity }
    default:
      return linesOf(text, reader === 'table' ? 'rows' : 'paragraphs')
  }
}

function walked(text: string, dialect: Dialect, content: Content = nothing()): Content {
  walk(text, dialect, content)
  return content
}

/** Only headers and footers that are certainly shown: those of all pages. */
function wordOf(parts: ReadonlyMap<string, string>, dialect: Dialect): Content {
  const content = nothing()
  const document = parts.get('word/document.xml') ?? ''
  const relations = parts.get('word/_rels/document.xml.rels') ?? ''
  const shown = new Set<string>()
  for (const [tag] of document.matchAll(/<w:(?:header|footer)Reference\s[^<>]{0,300}>/g)) {
    const id = /\sr:id="([^"]{1,100})"/.exec(tag)?.[1]
    if (id !== undefined && /w:type="default"/.test(tag)) shown.add(id)
  }
  const files = new Set(
    [...relations.matchAll(/<Relationship\s[^<>]{0,2000}>/g)].flatMap(([tag]) => {
      const [id, target] = ['Id', 'Target'].map((name) => new RegExp(`\\s${name}="([^"]{1,500})"`).exec(tag)?.[1])
      return id !== undefined && target !== undefined && shown.has(id) ? [`word/${target}`] : []
    }),
  )
  for (const [name, text] of parts) {
    if (name.endsWith('.rels') || (/(?:header|footer)\d*\.xml$/.test(name) && !files.has(name))) continue
    walk(text, dialect, content)
  }
  // Each section may start on a new page; the last one is extra.
  content.breaks += Math.max(0, (document.match(/<w:sectPr[\s>]/g)?.length ?? 0) - 1)
  return content
}

/** Empty slides are empty pages. Hidden slides are left out. */
function slidesOf(parts: ReadonlyMap<string, string>, dialect: Dialect): Content {
  const content = nothing()
  for (const [name, text] of parts) {
    if (/<p:sld\s[^<>]{0,2000}\sshow="0"/.test(text)) continue
    const before = content.blocks.length + (content.pictures ?? 0)
    walk(text, dialect, content)
    if (name.startsWith('ppt/slides/') && content.blocks.length + (content.pictures ?? 0) === before) content.breaks++
  }
  return content
}

function openOf(text: string, dialect: Dialect): Content {
  const content = paged(text, walked(text, dialect))
  if (text.includes('<office:presentation')) content.breaks = Infinity
  if (!text.includes('<office:spreadsheet')) return content
  return { ...content, breaks: 0, sheets: sheetsOf(text), blocks: content.blocks.filter(({ text: cell }) => /\p{L}/u.test(cell)) }
}

/** Names of the sheets after the first with a value in a cell (ODF 1.3 part 3, 9.1 and 19.385). */
function sheetsOf(text: string): string[] {
  return text
    .split(/<table:table(?=\s)/)
    .slice(2)
    .flatMap((sheet) => {
      const name = /^[^<>]{0,2000}\stable:name="([^"]{0,500})"/.exec(sheet)?.[1]
      return name !== undefined && /\s(?:office|table):value-type="|<text:p>[^<]/.test(sheet) ? [entities(name)] : []
    })
}

function entities(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&apos;', "'").replaceAll('&amp;', '&')
}

function bookOf(parts: ReadonlyMap<string, string>, dialect: Dialect): Content {
  const content = nothing()
  const opf = [...parts].find(([name]) => /\.opf$/i.test(name))?.[1] ?? ''
  const contents = [...opf.matchAll(/<(?:\w+:)?item\s[^<>]{0,2000}>/g)].flatMap(([tag]) =>
    /\sproperties="[^"]{0,200}\bnav\b/.test(tag) ? [/\shref="([^"]{1,500})"/.exec(tag)?.[1] ?? ''] : [],
  )
  for (const [name, text] of parts)
    if (!/\.opf$/i.test(name) && !contents.some((href) => href !== '' && name.endsWith(href))) walk(text, dialect, content)
  content.breaks = Infinity
  return content
}

/** When pages may be left empty on purpose, empty pages are not counted. */
function paged(text: string, content: Content): Content {
  if (BREAKS.test(text)) content.breaks = Infinity
  return content
}
