import { toMarkdown } from './markdown.js'
import { packageProperties, relationsOf } from './opc.js'
import { answer, type Read, type ReadArgs } from './read.js'
import { elementsOf, escaped, readXml } from './xml.js'
import type { Unpacked } from './zip.js'

const PRESENTATION = 'ppt/presentation.xml'
const MAX_SLIDES = 1_000
/** Places of a slide that repeat what all slides have. */
const REPEATED = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg'])

/** Reads a PowerPoint presentation (ECMA-376, part 1, 19): titles, text, tables and notes, slide by slide. */
export function readPptx(files: Unpacked, args: ReadArgs): Read {
  const relations = relationsOf(files, PRESENTATION)
  const slides = elementsOf(files.get(PRESENTATION))
    .filter(({ name }) => name === 'sldId')
    .flatMap(({ attributes }) => relations.get(attributes['r:id'] ?? '')?.part ?? [])
  const html = slides
    .slice(0, MAX_SLIDES)
    .map((slide) => slideHtml(files, slide))
    .join('\n<hr>\n')
  const cut = slides.length > MAX_SLIDES
  return answer('pptx', {
    ...packageProperties(files),
    pages: slides.length,
    text: toMarkdown(html),
    html: args.html ? html : null,
    truncated: cut,
    notes: cut ? [`Of ${slides.length} slides ${MAX_SLIDES} were read.`] : [],
  })
}

function slideHtml(files: Unpacked, slide: string): string {
  const own = shapesHtml(files.get(slide), true)
  const notes = [...relationsOf(files, slide).values()].find(({ type }) => type === 'notesSlide')
  const notesHtml = notes === undefined ? '' : shapesHtml(files.get(notes.part), false)
  return `<section>${own}${notesHtml === '' ? '' : `<blockquote>${notesHtml}</blockquote>`}</section>`
}

/** The text of all shapes of a slide in their order. */
function shapesHtml(bytes: Buffer | undefined, withTitle: boolean): string {
  if (bytes === undefined) return ''
  const out: string[] = []
  let [place, paragraph, isText, skipped, inTable] = ['', '', false, 0, false]
  readXml(bytes, {
    open: (name, attributes) => {
      if (name === 'Fallback') skipped += 1
      if (skipped > 0) return
      if (name === 'sp') place = ''
      else if (name === 'ph') place = attributes['type'] ?? ''
      else if (name === 'p') paragraph = ''
      else if (name === 't') isText = true
      else if (name === 'br') paragraph += '\n'
      else if (name === 'tbl') {
        inTable = true
        out.push('<table>')
      } else if (name === 'tr' && inTable) out.push('<tr>')
      else if (name === 'tc') out.push('<td>')
    },
    text: (text) => {
      if (isText && skipped === 0) paragraph += text
    },
    close: (name) => {
      if (name === 'Fallback') skipped -= 1
      if (skipped > 0) return
      if (name === 't') isText = false
      else if (name === 'p' && paragraph.trim() !== '' && !REPEATED.has(place)) {
        const tag = withTitle && !inTable && /^(?:ctrT|t)itle$/.test(place) ? 'h2' : 'p'
        out.push(`<${tag}>${escaped(paragraph.trim()).replaceAll('\n', '<br>')}</${tag}>`)
      } else if (name === 'tc') out.push('</td>')
      else if (name === 'tr' && inTable) out.push('</tr>')
      else if (name === 'tbl') {
        inTable = false
        out.push('</table>')
      }
    },
  })
  return out.join('')
}
