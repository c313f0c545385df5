import Turndown from 'turndown'
import { formulaText, texOf } from './formula.js'
import { childrenOf, treeOf } from './xml.js'

/** Elements that are not visible to readers. */
const UNSEEN = ['script', 'style', 'noscript', 'template', 'iframe', 'object', 'canvas', 'head', 'title'] as const
const MAX_SPAN = 50

/** HTML as Markdown: ATX headings, fenced code, pipe tables; pictures with their address if it is a web address, else as their text. */
export function toMarkdown(html: string): string {
  const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', emDelimiter: '*', hr: '---' })
  turndown.remove([...UNSEEN])
  turndown.addRule('picture', { filter: 'img', replacement: (_: string, node: unknown) => picture(node) })
  turndown.addRule('formula', { filter: isFormula, replacement: formula })
  turndown.addRule('math', { filter: isMath, replacement: math })
  turndown.addRule('ruby', { filter: 'ruby', replacement: ruby })
  turndown.addRule('ruby parts', { filter: ['rp', 'rt'], replacement: () => '' })
  turndown.addRule('cell', { filter: ['td', 'th'], replacement: cell })
  turndown.addRule('row', { filter: 'tr', replacement: row })
  turndown.addRule('rows', { filter: ['thead', 'tbody', 'tfoot', 'caption', 'colgroup'], replacement: (content: string) => content })
  turndown.addRule('table', { filter: 'table', replacement: (content: string) => `\n\n${content.trim()}\n\n` })
  return turndown
    .turndown(html)
    .replace(/^[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** The used part of a DOM node. */
interface Node {
  readonly nodeName: string
  readonly parentNode: Node | null
  readonly textContent: string | null
  readonly outerHTML: string
  readonly childNodes: ArrayLike<Node>
  getAttribute(name: string): string | null
  /** Undefined when there is none. */
  querySelector(selector: string): unknown
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'nodeName' in value && 'querySelector' in value && 'getAttribute' in value
}

/** A base text followed by its reading, as `\u6e2f(\u307f\u306a\u3068)`. */
export function rubyText(base: string, reading: string): string {
  return reading === '' ? base : `${base}(${reading})`
}

/** Each base of a ruby element is followed by its reading. */
function ruby(content: string, node: unknown): string {
  if (!isNode(node)) return content
  let [text, base, reading] = ['', '', '']
  const end = (): void => {
    text += rubyText(base, reading)
    ;[base, reading] = ['', '']
  }
  const walk = (parent: Node): void => {
    for (const child of Array.from(parent.childNodes)) {
      const name = child.nodeName.toLowerCase()
      if (name === 'rp') continue
      if (name === 'rt') reading += child.textContent?.trim() ?? ''
      else if (name === 'rtc' || name === 'rb') {
        if (name === 'rb' && reading !== '') end()
        walk(child)
      } else {
        const piece = child.textContent?.replace(/\s+/g, ' ') ?? ''
        if (piece.trim() !== '' && reading !== '') end()
        base += piece
      }
    }
  }
  walk(node)
  end()
  return text
}

/** MathML as its TeX source, else in one line as typed. */
function math(content: string, node: unknown): string {
  if (!isNode(node)) return content
  const [root] = childrenOf(treeOf(node.outerHTML.replaceAll('&nbsp;', ' ')))
  const tex = root === undefined ? null : texOf(root)
  if (tex !== null) return `$${tex}$`
  return root === undefined ? content : formulaText(root)
}

function isFormula(node: unknown): boolean {
  return isNode(node) && node.nodeName === 'SPAN' && node.getAttribute('class') === 'formula'
}

function isMath(node: unknown): boolean {
  return isNode(node) && node.nodeName.toLowerCase() === 'math'
}

/** A formula as written: its characters are not Markdown. */
function formula(_: string, node: unknown): string {
  return isNode(node) ? (node.textContent ?? '') : ''
}

function picture(node: unknown): string {
  if (!isNode(node)) return ''
  const text = node.getAttribute('alt')?.replace(/\s+/g, ' ').trim() ?? ''
  const source = node.getAttribute('src') ?? ''
  return /^https?:/i.test(source) ? `![${text}](${source})` : text
}

function cell(content: string, node: unknown): string {
  if (!isNode(node) || isLayout(tableOf(node))) return `\n\n${content}\n\n`
  const span = Math.min(Number(node.getAttribute('colspan') ?? 1) || 1, MAX_SPAN)
  const text = content
    .trim()
    .replace(/(?<!\s)\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')
  return ` ${text} |${'  |'.repeat(Math.max(0, span - 1))}`
}

function row(content: string, node: unknown): string {
  const table = isNode(node) ? tableOf(node) : null
  if (isLayout(table) || content.trim() === '') return content
  const isFirst = table?.querySelector('tr') === node
  const columns = content.match(/(?<!\\)\|/g)?.length ?? 1
  return `\n|${content}${isFirst ? `\n|${' --- |'.repeat(columns)}` : ''}`
}

function tableOf(node: Node): Node | null {
  let at: Node | null = node
  while (at !== null && at.nodeName !== 'TABLE') at = at.parentNode
  return at
}

/** Tables that contain tables, or have one column, are page layout. */
function isLayout(table: Node | null): boolean {
  return table === null || isNode(table.querySelector('table')) || !isNode(table.querySelector('tr > * + *'))
}
