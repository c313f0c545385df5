import { posix } from 'node:path'
import { Figures, type Figure } from './figures.js'
import { formulaText } from './formula.js'
import { Numbering } from './numbering.js'
import { relationsOf } from './opc.js'
import { attributeOf, childOf, childrenOf, contentOf, descendantsOf, elementsOf, escaped, treeOf, xmlText, type Node } from './xml.js'
import type { Unpacked } from './zip.js'

/** Run styles added here; no style of Word has these ids. */
export const FORMULA_STYLE = 'capstan-formula'
export const LABEL_STYLE = 'capstan-label'

const W = 'xmlns:x="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
/** Elements that mammoth skips together with their text. */
const WRAPPERS = new Set(['fldSimple', 'dir', 'bdo'])
/** The bit of `w:tblLook` for a distinct first row (ECMA-376, part 1, 17.4.56). */
const FIRST_ROW = 0x20
/** List levels supported by mammoth. */
const MAX_LEVEL = 4

/** An archive in mammoth's interface. */
interface File {
  exists(name: string): boolean
  read(name: string, encoding?: string): Promise<Buffer | string>
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A list that continues from the previous paragraph. */
interface Running {
  readonly ordered: boolean
  readonly count: number
}

/**
 * Parts of a Word document, rewritten where mammoth 1.13 does not support them: formulas (as text), numbers of
 * automatic lists other than plain ones, charts and diagrams (as tables and paragraphs), text boxes without a legacy
 * form, simple fields and ruby.
 */
export class DocxParts {
  /** Path of the main document. */
  readonly main: string
  /** Text of the first paragraph with the style Title. */
  title: string | null = null
  readonly leftOut = { formulas: 0, embedded: 0, figures: 0 }
  readonly #files: Unpacked
  readonly #numbering: Numbering
  /** Names of styles by id, in lower case. */
  readonly #styles: ReadonlyMap<string, string>

  constructor(files: Unpacked) {
    const root = elementsOf(files.get('_rels/.rels')).find(({ attributes: { Type = '' } }) => Type.endsWith('/officeDocument'))
    const main = root?.attributes['Target']?.replace(/^\/+/, '')
    this.main = main !== undefined && files.has(main) ? main : 'word/document.xml'
    this.#files = files
    const relations = [...relationsOf(files, this.main).values()]
    const treeOfType = (type: string): Node | undefined => {
      const bytes = files.get(relations.find((each) => each.type === type)?.part ?? '') ?? files.get(`word/${type}.xml`)
      return bytes === undefined ? undefined : childrenOf(treeOf(xmlText(bytes)))[0]
    }
    const styles = treeOfType('styles')
    this.#numbering = new Numbering(treeOfType('numbering'), styles)
    this.#styles = new Map(
      childrenOf(styles)
        .filter(({ name }) => name === 'style')
        .map((style) => [attributeOf(style, 'styleId') ?? '', (attributeOf(childOf(style, 'name'), 'val') ?? '').toLowerCase()]),
    )
  }

  /** Path of the relationships of a part. */
  relationsPart(part: string): string {
    const { dir, base } = posix.parse(part)
    return posix.join(dir, '_rels', `${base}.rels`)
  }

  /** The archive with a part in place of the main document. */
  fileOf(part: string): File {
    const text = this.#rewritten(part)
    const relations = this.#files.get(this.relationsPart(part))
    const own = new Map<string, Buffer | undefined>([
      [this.main, Buffer.from(text)],
      [this.relationsPart(this.main), relations],
    ])
    const bytesOf = (name: string): Buffer | undefined => (own.has(name) ? own.get(name) : this.#files.get(name))
    return {
      exists: (name) => bytesOf(name) !== undefined,
      read: (name, encoding) => {
        const bytes = bytesOf(name) ?? Buffer.alloc(0)
        return Promise.resolve(encoding === undefined ? bytes : xmlText(bytes))
      },
    }
  }

  #rewritten(part: string): string {
    const text = xmlText(this.#files.get(part) ?? Buffer.alloc(0))
    const root = childrenOf(treeOf(text))[0]
    if (root === undefined) return text
    const figures = new Figures(this.#files, part)
    const edits = new Rewriting(figures, this.#numbering, this.#styles)
    edits.walk(root)
    this.title ??= edits.title
    this.leftOut.formulas += edits.formulas
    this.leftOut.embedded += edits.embedded
    this.leftOut.figures += figures.leftOut
    if (root.name === 'document') return applied(text, edits.all, 0, text.length)
    const namespaces = Object.entries(root.attributes).map(([name, value]) => `${name}="${escaped(value)}"`)
    const content = applied(text, edits.all, childrenOf(root)[0]?.start ?? root.inner, root.inner)
    return `<x:document ${W} ${namespaces.join(' ')}><x:body>${content}</x:body></x:document>`
  }
}

/** Changes to the text of a part. */
class Rewriting {
  readonly all: Edit[] = []
  title: string | null = null
  formulas = 0
  embedded = 0
  readonly #figures: Figures
  readonly #numbering: Numbering
  readonly #styles: ReadonlyMap<string, string>
  #running: Running[] = []
  /** Figures of the paragraph, which follow the outermost one. */
  #pending: Figure[] = []
  #depth = 0

  constructor(figures: Figures, numbering: Numbering, styles: ReadonlyMap<string, string>) {
    this.#figures = figures
    this.#numbering = numbering
    this.#styles = styles
  }

  walk(node: Node): void {
    switch (node.name) {
      case 'p':
        return this.#paragraph(node)
      case 'oMath':
      case 'oMathPara':
        return this.#put(node.start, node.end, run(formulaText(node), FORMULA_STYLE))
      case 'ruby': {
        const [base, above] = ['rubyBase', 'rt'].map((name) => descendantsOf(childOf(node, name), 't').map(contentOf).join(''))
        return this.#put(node.start, node.end, textOf(above === '' ? (base ?? '') : `${base ?? ''}(${above ?? ''})`))
      }
      case 'AlternateContent':
        return this.#alternatives(node)
      case 'drawing':
        return this.#drawing(node)
      case 'chart':
      case 'relIds': {
        const figure = this.#figures.of(node)
        if (figure !== null) this.#pending.push(figure)
        return
      }
      case 'OLEObject':
        if (/^(?:Equation|MathType)/i.test(attributeOf(node, 'ProgID') ?? '')) this.formulas += 1
        return
      case 'altChunk':
        this.embedded += 1
        return
      case 'tbl':
      case 'tc':
      case 'txbxContent':
        if (node.name === 'tbl') this.#head(node)
        this.#running = []
        this.#all(node)
        this.#running = []
        return
      default:
        if (WRAPPERS.has(node.name)) this.#unwrap(node)
        this.#all(node)
    }
  }

  #all(node: Node): void {
    for (const child of childrenOf(node)) this.walk(child)
  }

  #put(start: number, end: number, text: string): void {
    this.all.push({ start, end, text })
  }

  /** Marks the first row as header when the table's look says so: mammoth supports only rows repeated on each page. */
  #head(table: Node): void {
    const [first, ...others] = childrenOf(table).filter(({ name }) => name === 'tr')
    const cells = childrenOf(first).filter(({ name }) => name === 'tc')
    const [begin] = childrenOf(first)
    if (begin === undefined || others.length === 0 || cells.length < 2) return
    const properties = childOf(first, 'trPr')
    const look = childOf(childOf(table, 'tblPr'), 'tblLook')
    const isHead = isOn(attributeOf(look, 'firstRow')) || (Number.parseInt(attributeOf(look, 'val') ?? '0', 16) & FIRST_ROW) !== 0
    const isOwn = isOn(attributeOf(childOf(properties, 'cnfStyle'), 'firstRow'))
    if ((isHead || isOwn) && childOf(properties, 'del') === undefined)
      this.#put(begin.start, begin.start, `<x:trPr ${W}><x:tblHeader/></x:trPr>`)
  }

  #unwrap(node: Node): void {
    const [first] = childrenOf(node)
    if (first === undefined) return
    this.#put(node.start, first.start, '')
    this.#put(node.inner, node.end, '')
  }

  /** Mammoth reads the legacy form; without one, the newer one is used. */
  #alternatives(node: Node): void {
    const choice = childOf(node, 'Choice')
    const fallback = childOf(node, 'Fallback')
    if (fallback !== undefined) {
      this.walk(fallback)
      for (const name of ['chart', 'relIds']) for (const figure of descendantsOf(choice, name)) this.walk(figure)
      return
    }
    const [first] = childrenOf(choice)
    if (choice === undefined || first === undefined) return
    this.#put(node.start, first.start, '')
    this.#put(choice.inner, node.end, '')
    this.#all(choice)
  }

  /** Text boxes of a drawing in the legacy form, which mammoth reads. */
  #drawing(node: Node): void {
    const boxes = descendantsOf(node, 'txbxContent').filter((box, at, all) => !all.slice(0, at).some(({ end }) => box.end <= end))
    if (boxes.length === 0) return this.#all(node)
    let from = node.start
    for (const [at, box] of boxes.entries()) {
      this.#put(from, box.start, at === 0 ? `<x:pict ${W}>` : '')
      from = box.end
      this.walk(box)
    }
    this.#put(from, node.end, '</x:pict>')
  }

  #paragraph(node: Node): void {
    const properties = childOf(node, 'pPr')
    const style = attributeOf(childOf(properties, 'pStyle'), 'val')
    const name = this.#styles.get(style ?? '') ?? style?.toLowerCase() ?? ''
    if (properties !== undefined && childOf(childOf(properties, 'rPr'), 'del') === undefined) this.#number(node, properties, style, name)
    if (name === 'title') this.title ??= field(node)
    this.#depth += 1
    this.#all(node)
    this.#depth -= 1
    if (this.#depth > 0 || this.#pending.length === 0) return
    this.#put(node.end, node.end, this.#pending.map(figureXml).join(''))
    this.#pending = []
  }

  #number(node: Node, properties: Node, style: string | undefined, name: string): void {
    const own = childOf(properties, 'numPr')
    const listed = this.#numbering.listed(own, style)
    if (listed === null) {
      this.#running = []
      return
    }
    const { text, isBullet, plain } = this.#numbering.next(listed)
    const isHeading = /^(?:heading ?[1-9]|title)$/.test(name)
    const isEmpty = !['t', 'drawing', 'pict', 'oMath'].some((inner) => descendantsOf(node, inner).length > 0)
    const level = Math.min(listed.level, MAX_LEVEL)
    const before = this.#running[level]
    const goesOn = level === 0 || this.#running[level - 1] !== undefined
    const isPlain = plain !== null && goesOn && plain === (before?.ordered === true ? before.count : 0) + 1
    const isList = !isHeading && !isEmpty && (isBullet || isPlain)
    if (isList) this.#running = [...this.#running.slice(0, level), { ordered: !isBullet, count: plain ?? 0 }]
    else this.#running = []
    const numbers = `<x:numPr ${W}><x:ilvl x:val="${isList ? listed.level : 0}"/><x:numId x:val="${isList ? escaped(listed.num) : 0}"/></x:numPr>`
    if (own === undefined) this.#put(properties.inner, properties.inner, numbers)
    else this.#put(own.start, own.end, numbers)
    if (!isList && !isEmpty && text !== '') this.#put(properties.end, properties.end, `${run(text, LABEL_STYLE)}${run(' ', '')}`)
  }
}

function isOn(value: string | undefined): boolean {
  return value === '1' || value === 'true' || value === 'on'
}

/** Applies changes to a range of the text. A change within an earlier one is dropped with it. */
function applied(text: string, edits: readonly Edit[], from: number, to: number): string {
  const out: string[] = []
  let at = from
  for (const { start, end, text: put } of edits.toSorted((one, other) => one.start - other.start)) {
    if (start < at || end > to) continue
    out.push(text.slice(at, start), put)
    at = end
  }
  return [...out, text.slice(at, to)].join('')
}

function textOf(text: string): string {
  return `<x:t ${W} xml:space="preserve">${escaped(text)}</x:t>`
}

function run(text: string, style: string): string {
  const properties = style === '' ? '' : `<x:rPr><x:rStyle x:val="${style}"/></x:rPr>`
  return `<x:r ${W}>${properties}${textOf(text)}</x:r>`
}

function figureXml({ lines, tables }: Figure): string {
  const paragraph = (text: string): string => `<x:p>${run(text, '')}</x:p>`
  const table = (rows: Figure['tables'][number]): string =>
    `<x:tbl ${W}>${rows.map((cells) => `<x:tr>${cells.map((cell) => `<x:tc>${paragraph(cell)}</x:tc>`).join('')}</x:tr>`).join('')}</x:tbl>`
  return [...lines.map((line) => paragraph(line).replace('<x:p>', `<x:p ${W}>`)), ...tables.map(table)].join('')
}

/** Text of a paragraph without deletions. */
function field(paragraph: Node): string | null {
  const text = descendantsOf(paragraph, 't').map(contentOf).join('').trim()
  return text === '' ? null : text
}
