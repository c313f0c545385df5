import { Figures, figureHtml, leftOutNote } from './figures.js'
import { formulaHtml, formulaText } from './formula.js'
import { toMarkdown } from './markdown.js'
import { packageProperties, relationsOf } from './opc.js'
import { answer, type Read, type ReadArgs } from './read.js'
import { attributeOf, childOf, childrenOf, contentOf, descendantsOf, elementsOf, escaped, treeOf, xmlText, type Node } from './xml.js'
import type { Unpacked } from './zip.js'

const PRESENTATION = 'ppt/presentation.xml'
const MAX_SLIDES = 1_000
/** Placeholders with content repeated on all slides. */
const REPEATED = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg'])

/** Reads a PowerPoint presentation (ECMA-376, part 1, 19): titles, text, formulas, tables, values of charts and notes, slide by slide. */
export function readPptx(files: Unpacked, args: ReadArgs): Read {
  const relations = relationsOf(files, PRESENTATION)
  const slides = elementsOf(files.get(PRESENTATION))
    .filter(({ name }) => name === 'sldId')
    .flatMap(({ attributes }) => relations.get(attributes['r:id'] ?? '')?.part ?? [])
  const left: Left = { pictures: 0, figures: 0 }
  const html = slides
    .slice(0, MAX_SLIDES)
    .map((slide) => slideHtml(files, slide, left))
    .join('\n<hr>\n')
  const cut = slides.length > MAX_SLIDES
  return answer('pptx', {
    ...packageProperties(files),
    pages: slides.length,
    text: toMarkdown(html),
    html: args.html ? html : null,
    truncated: cut,
    notes: [
      ...(cut ? [`Of ${slides.length} slides ${MAX_SLIDES} were read.`] : []),
      ...leftOutNote(left.pictures, 'picture', 'pictures'),
      ...leftOutNote(left.figures, 'chart or diagram', 'charts or diagrams'),
    ],
  })
}

/** Content of slides that is not text. */
interface Left {
  pictures: number
  figures: number
}

function slideHtml(files: Unpacked, slide: string, left: Left): string {
  const own = partHtml(files, slide, true, left)
  const notes = [...relationsOf(files, slide).values()].find(({ type }) => type === 'notesSlide')
  const notesHtml = notes === undefined ? '' : partHtml(files, notes.part, false, left)
  return `<section>${own}${notesHtml === '' ? '' : `<blockquote>${notesHtml}</blockquote>`}</section>`
}

/** Text, tables, charts and diagrams of all shapes of a slide, in order. */
function partHtml(files: Unpacked, part: string, withTitle: boolean, left: Left): string {
  const bytes = files.get(part)
  if (bytes === undefined) return ''
  const figures = new Figures(files, part)
  const htmlOf = (node: Node, place: string): string => {
    switch (node.name) {
      case 'Fallback':
        return ''
      case 'sp': {
        const own = descendantsOf(childOf(node, 'nvSpPr'), 'ph')[0]
        const type = own === undefined ? '' : (attributeOf(own, 'type') ?? '')
        return REPEATED.has(type) ? '' : all(node, type)
      }
      case 'pic':
        left.pictures += 1
        return described(node)
      case 'tbl': {
        const hasHead = ['1', 'true'].includes(attributeOf(childOf(node, 'tblPr'), 'firstRow') ?? '')
        const rows = childrenOf(node).filter(({ name }) => name === 'tr')
        return `<table>${rows.map((row, at) => `<tr>${all(row, hasHead && at === 0 && rows.length > 1 ? 'th' : 'td')}</tr>`).join('')}</table>`
      }
      case 'tc':
        return `<${place}>${all(node, place)}</${place}>`
      case 'p': {
        const html = runsHtml(node)
        const tag = withTitle && /^(?:ctrT|t)itle$/.test(place) ? 'h2' : 'p'
        return html === '' ? '' : `<${tag}>${html}</${tag}>`
      }
      case 'chart':
      case 'relIds': {
        const figure = figures.of(node)
        return figure === null ? '' : figureHtml(figure)
      }
      default:
        return all(node, place)
    }
  }
  const all = (node: Node, place: string): string =>
    childrenOf(node)
      .map((child) => htmlOf(child, place))
      .join('')
  const html = all(treeOf(xmlText(bytes)), '')
  left.figures += figures.leftOut
  return html
}

/** The alternative text of a picture, if any. */
function described(picture: Node): string {
  const text = attributeOf(childOf(childOf(picture, 'nvPicPr'), 'cNvPr'), 'descr')?.trim() ?? ''
  return text === '' ? '' : `<p>${escaped(text)}</p>`
}

function runsHtml(paragraph: Node): string {
  const htmlOf = (node: Node): string => {
    if (node.name === 't') return escaped(contentOf(node))
    if (node.name === 'br') return '<br>'
    if (node.name === 'oMath' || node.name === 'oMathPara') return formulaHtml(formulaText(node))
    return childrenOf(node).map(htmlOf).join('')
  }
  return childrenOf(paragraph)
    .map(htmlOf)
    .join('')
    .replace(/^(?:\s|<br>)+/, '')
    .trimEnd()
}
