import mammoth from 'mammoth'
import { leftOutNote } from './figures.js'
import { DocxParts, FORMULA_STYLE, LABEL_STYLE } from './docx-parts.js'
import { toMarkdown } from './markdown.js'
import { packageProperties, relationsOf } from './opc.js'
import { answer, type Read, type ReadArgs } from './read.js'
import { elementsOf } from './xml.js'
import type { Unpacked } from './zip.js'

const STYLES = ["p[style-name='Title'] => h1:fresh", `r.${FORMULA_STYLE} => span.formula`, `r.${LABEL_STYLE} => span`]

/**
 * Reads a Word document (ECMA-376) through HTML: its headers, body and footers, without pictures. Linked pictures and
 * templates are not fetched.
 */
export async function readDocx(files: Unpacked, args: ReadArgs): Promise<Read> {
  const parts = new DocxParts(files)
  let pictures = 0
  const htmlOf = async (part: string): Promise<string> => {
    // The library reads from `file` if present: the checked archive, with unsupported parts rewritten.
    const input = { arrayBuffer: new ArrayBuffer(0), file: parts.fileOf(part) }
    const { value } = await mammoth.convertToHtml(input, {
      styleMap: STYLES,
      convertImage: mammoth.images.imgElement(() => {
        pictures += 1
        return Promise.resolve({ src: '' })
      }),
      externalFileAccess: false,
      includeEmbeddedStyleMap: false,
    })
    return value
  }
  const body = await htmlOf(parts.main)
  const around = [...relationsOf(files, parts.main).values()]
  const framed = async (type: 'header' | 'footer'): Promise<string> => {
    const found = new Set<string>()
    for (const { part } of around.filter((relation) => relation.type === type && files.has(relation.part))) found.add(await htmlOf(part))
    return [...found]
      .filter(hasContent)
      .map((html) => `<${type}>${html}</${type}>`)
      .join('')
  }
  const html = `${await framed('header')}${body}${await framed('footer')}`
  const properties = packageProperties(files)
  const { formulas, embedded, figures } = parts.leftOut
  const targets = [parts.main, ...around.filter(({ type }) => type === 'header' || type === 'footer').map(({ part }) => part)].flatMap(
    (part) => elementsOf(files.get(parts.relationsPart(part))).filter(({ attributes }) => attributes['TargetMode'] === 'External'),
  )
  return answer('docx', {
    ...properties,
    title: properties.title ?? parts.title,
    text: toMarkdown(html),
    html: args.html ? html : null,
    links: targets
      .filter(({ attributes }) => (attributes['Type'] ?? '').endsWith('/hyperlink'))
      .map(({ attributes }) => attributes['Target'] ?? ''),
    notes: [
      ...leftOutNote(pictures - formulas, 'picture', 'pictures'),
      ...leftOutNote(figures, 'chart or diagram', 'charts or diagrams'),
      ...leftOutNote(formulas, 'formula that is stored as a picture', 'formulas that are stored as pictures'),
      ...leftOutNote(embedded, 'embedded document', 'embedded documents'),
    ],
  })
}

/** More than a page number. */
function hasContent(html: string): boolean {
  return /\p{L}|\d{4}/u.test(html.replace(/<[^>]*>/g, ''))
}
