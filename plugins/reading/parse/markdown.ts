import Turndown from 'turndown'

/** What no reader sees. */
const UNSEEN = ['script', 'style', 'noscript', 'template', 'iframe', 'object', 'canvas', 'head', 'title'] as const
const MAX_SPAN = 50

/** HTML as Markdown: ATX headings, fenced code, tables as pipe tables; pictures with their address when that is one of the web, else as their text. */
export function toMarkdown(html: string): string {
  const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', emDelimiter: '*', hr: '---' })
  turndown.remove([...UNSEEN])
  turndown.addRule('picture', { filter: 'img', replacement: (_: string, node: unknown) => picture(node) })
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

/** As much of a node of the DOM as is looked at. */
interface Node {
  readonly nodeName: string
  readonly parentNode: Node | null
  getAttribute(name: string): string | null
  /** Undefined when there is none. */
  querySelector(selector: string): unknown
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'nodeName' in value && 'querySelector' in value && 'getAttribute' in value
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

/** Tables that hold others, or have one column, arrange a page and are none. */
function isLayout(table: Node | null): boolean {
  return table === null || isNode(table.querySelector('table')) || !isNode(table.querySelector('tr > * + *'))
}
