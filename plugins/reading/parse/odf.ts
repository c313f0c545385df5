import { posix } from 'node:path'
import { leftOutNote } from './figures.js'
import { formulaHtml, formulaText } from './formula.js'
import { rubyText, toMarkdown } from './markdown.js'
import { answer, field, isoDate, type Read, type ReadArgs } from './read.js'
import { childOf, childrenOf, descendantsOf, elementsOf, escaped, textOf, treeOf, xmlText, type Node } from './xml.js'
import type { Unpacked } from './zip.js'

const MAX_REPEATED = 50
const MAX_OBJECTS_DEPTH = 2
/** Elements whose content is not part of the text. */
const LEFT_OUT = new Set([
  'tracked-changes',
  'annotation',
  'forms',
  'styles',
  'automatic-styles',
  'font-face-decls',
  'scripts',
  'desc',
  'sequence-decls',
])
const PLAIN: Readonly<Record<string, string>> = { list: 'ul', 'list-item': 'li', table: 'table', 'table-row': 'tr', notes: 'blockquote' }

/** Reads a text document or presentation in OpenDocument format (ISO/IEC 26300), with formulas, values of charts, headers and footers. */
export function readOdf(format: 'odt' | 'odp', files: Unpacked, args: ReadArgs): Read {
  const body = new Body(files)
  const content = body.htmlOf('content.xml')
  const { links, slides } = body
  const html = format === 'odt' ? `${body.framed('header')}${content}${body.framed('footer')}` : content
  const meta = elementsOf(files.get('meta.xml'))
  const statistic = meta.find(({ name }) => name === 'document-statistic')?.attributes ?? {}
  const pages = Number(statistic['meta:page-count'])
  return answer(format, {
    title: field(textOf(meta, 'title')),
    language: field(textOf(meta, 'language')),
    metadata: {
      author: field(textOf(meta, 'initial-creator') ?? textOf(meta, 'creator')),
      subject: field(textOf(meta, 'subject')),
      keywords: field(
        meta
          .filter(({ name }) => name === 'keyword')
          .map(({ text }) => text)
          .join(', '),
      ),
      description: field(textOf(meta, 'description')),
      created: isoDate(textOf(meta, 'creation-date')),
      modified: isoDate(textOf(meta, 'date')),
      producer: field(textOf(meta, 'generator')),
    },
    pages: format === 'odp' ? slides : Number.isSafeInteger(pages) && pages > 0 ? pages : null,
    text: toMarkdown(html),
    html: args.html ? html : null,
    links,
    notes: leftOutNote(body.pictures, 'picture', 'pictures'),
  })
}

/** Texts of a package as HTML. Embedded objects (formulas and charts) are read in place. */
class Body {
  readonly links: string[] = []
  slides = 0
  pictures = 0
  readonly #files: Unpacked

  constructor(files: Unpacked) {
    this.#files = files
  }

  /** Each distinct header or footer of the pages once. */
  framed(kind: 'header' | 'footer'): string {
    const styles = this.#files.get('styles.xml')
    if (styles === undefined) return ''
    const found = descendantsOf(descendantsOf(treeOf(xmlText(styles)), 'master-styles')[0], 'master-page').flatMap((page) =>
      childrenOf(page).filter(({ name, attributes }) => name.startsWith(kind) && attributes['style:display'] !== 'false'),
    )
    const htmls = new Set(found.map((node) => this.#within(node, 0)))
    return [...htmls]
      .filter((html) => /\p{L}|\d{4}/u.test(html.replace(/<[^>]*>/g, '')))
      .map((html) => `<${kind}>${html}</${kind}>`)
      .join('')
  }

  htmlOf(part: string, depth = 0): string {
    const bytes = this.#files.get(part)
    return bytes === undefined ? '' : this.#within(treeOf(xmlText(bytes)), depth)
  }

  #within(node: Node, depth: number): string {
    return node.children.map((child) => (typeof child === 'string' ? escaped(child) : this.#element(child, depth))).join('')
  }

  #element(node: Node, depth: number): string {
    const { name, attributes } = node
    if (LEFT_OUT.has(name)) return ''
    const all = (): string => this.#within(node, depth)
    const plain = PLAIN[name]
    if (plain !== undefined) return `<${plain}>${all()}</${plain}>`
    switch (name) {
      case 'h': {
        const level = Math.min(6, Math.max(1, Number(attributes['text:outline-level']) || 1))
        return `<h${level}>${all()}</h${level}>`
      }
      case 'p':
        return `<p>${all()}</p>`
      case 'page':
        this.slides += 1
        return `${this.slides === 1 ? '' : '<hr>'}<section>${all()}</section>`
      case 'table-header-rows':
        return all().replaceAll('<td>', '<th>').replaceAll('</td>', '</th>')
      case 'table-cell': {
        const times = Math.min(MAX_REPEATED, Number(attributes['table:number-columns-repeated']) || 1)
        return `<td>${all()}</td>${'<td></td>'.repeat(Math.max(0, times - 1))}`
      }
      case 'covered-table-cell':
        return `<td>${all()}</td>`
      case 'a': {
        const target = attributes['xlink:href'] ?? ''
        if (!/^https?:/i.test(target)) return all()
        this.links.push(target)
        return `<a href="${escaped(target)}">${all()}</a>`
      }
      case 's':
        return ' '.repeat(Math.min(MAX_REPEATED, Number(attributes['text:c']) || 1))
      case 'tab':
        return '\t'
      case 'line-break':
        return '<br>'
      case 'note':
        return ` (${all()})`
      case 'ruby':
        return rubyText(this.#inner(node, 'ruby-base', depth), this.#inner(node, 'ruby-text', depth))
      case 'math':
        return formulaHtml(formulaText(node))
      case 'object':
        return all() + this.#object(attributes['xlink:href'] ?? '', depth)
      case 'image':
        // An object is accompanied by a picture of it.
        if (!(attributes['xlink:href'] ?? '').includes('ObjectReplacements')) this.pictures += 1
        return ''
      default:
        return all()
    }
  }

  #inner(node: Node, name: string, depth: number): string {
    const inner = childOf(node, name)
    return inner === undefined ? '' : this.#within(inner, depth)
  }

  #object(target: string, depth: number): string {
    if (depth >= MAX_OBJECTS_DEPTH || target === '') return ''
    return this.htmlOf(posix.join(posix.normalize(target), 'content.xml'), depth + 1)
  }
}
