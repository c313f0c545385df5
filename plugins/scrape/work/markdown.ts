import TurndownService from 'turndown'
import { isElement, isText, type DomDocument, type DomElement } from './dom.js'
import { replaceDefinitions } from './definitions.js'
import { FORMULA } from './formulas.js'
import { DEFINITION, markFootnotes, REFERENCE } from './footnotes.js'
import { LONG, pieces } from './pieces.js'
import { replaceTables } from './tables.js'
import { markTex } from './tex.js'

/** Converts a cleaned document part to GitHub-flavoured Markdown. */
export function toMarkdown(document: DomDocument, root: DomElement): string {
  const service = newService()
  markFootnotes(document, root)
  markTex(document, root)
  replaceDefinitions(document, root)
  replaceTables(document, root, (cell) => convert(service, cell))
  return convert(service, root)
    .replace(/(?<![ \t])[ \t]+$/gm, (spaces) => (spaces === '  ' ? spaces : ''))
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function convert(service: TurndownService, root: DomElement): string {
  // The declared type is the DOM's, which is not part of this program.
  const turndown: (node: unknown) => string = service.turndown.bind(service)
  if ((root.textContent ?? '').length > LONG) cutTexts(root)
  // The library copies the whole tree, which is not used again.
  Reflect.defineProperty(root, 'cloneNode', { value: () => root, configurable: true })
  return turndown(root)
}

/**
 * Where a text may be split without changing its Markdown: turndown escapes some marks at the start of a text, and
 * collapses spaces within one.
 */
const BORDER = /[^\s\d+\-=#~>\udc00-\udfff]|(?<=\S)\s/

/** Splits long texts inside an element into several. */
function cutTexts(element: DomElement): void {
  for (const node of [...element.childNodes]) {
    if (isElement(node)) cutTexts(node)
    else if (isText(node) && node.textContent.length > LONG) node.replaceWith(...pieces(node.textContent, BORDER))
  }
}

function newService(): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    hr: '---',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    fence: '```',
    emDelimiter: '*',
    strongDelimiter: '**',
  })
  const rule = (name: string, names: readonly string[], write: (content: string, node: DomElement) => string): void => {
    service.addRule(name, {
      filter: (node: unknown) => isElement(node) && names.includes(node.nodeName),
      replacement: (content: string, node: unknown) => (isElement(node) ? write(content, node) : content),
    })
  }
  rule('pre', ['PRE'], (_content, node) => preformatted(node))
  rule('strike', ['DEL', 'S', 'STRIKE'], (content) => marked(content, '~~'))
  rule('strong', ['STRONG', 'B'], (content) => marked(content, '**'))
  rule('emphasis', ['EM', 'I'], (content) => marked(content, '*'))
  // Readings follow their base text, in the page's brackets or in these.
  rule('reading', ['RT'], (content, node) => (content.trim() === '' || isBracketed(node) ? content : `(${content.trim()})`))
  rule('script', ['SUB', 'SUP'], (content, node) =>
    content.trim() === '' ? '' : `<${node.nodeName.toLowerCase()}>${content}</${node.nodeName.toLowerCase()}>`,
  )
  rule('mark', ['KBD', 'SAMP', 'TT'], (_content, node) => inlineCode(node.textContent ?? ''))
  rule('term', ['DT'], (content) => `\n\n**${content.trim().replaceAll('**', '')}**\n\n`)
  rule('caption', ['FIGCAPTION'], (content) => `\n\n*${content.trim().replaceAll('*', '')}*\n\n`)
  const lists = new Map<DomElement, Map<DomElement, number>>()
  rule('item', ['LI'], (content, node) => listItem(content, node, lists))
  mark(service, REFERENCE, (_content, label) => `[^${label}]`)
  mark(service, DEFINITION, (content, label) => `\n\n[^${label}]: ${content.trim().replace(/\n/g, '\n    ')}\n\n`)
  service.addRule('formula', {
    filter: (node: unknown) => isElement(node) && node.getAttribute(FORMULA) !== null,
    replacement: (_content: string, node: unknown) => (isElement(node) ? (node.textContent ?? '').replace(/\s+/g, ' ').trim() : ''),
  })
  rule('link', ['A'], link)
  rule('image', ['IMG'], (_content, node) => image(node))
  return service
}

/** Text between marks; blanks and line breaks at its ends stay outside, as Markdown requires. */
function marked(content: string, mark: string): string {
  const text = content.trim()
  if (text === '') return content
  const from = content.indexOf(text)
  return `${content.slice(0, from)}${mark}${text}${mark}${content.slice(from + text.length)}`
}

function isBracketed(reading: DomElement): boolean {
  return [...(reading.parentNode?.children ?? [])].some((child) => child.nodeName === 'RP' && (child.textContent ?? '').trim() !== '')
}

/** A rule for elements with an attribute, called with its value. */
function mark(service: TurndownService, attribute: string, write: (content: string, value: string) => string): void {
  service.addRule(attribute, {
    filter: (node: unknown) => isElement(node) && node.getAttribute(attribute) !== null,
    replacement: (content: string, node: unknown) => write(content, (isElement(node) ? node.getAttribute(attribute) : null) ?? ''),
  })
}

function preformatted(node: DomElement): string {
  const kind = node.getAttribute('class')
  const text = node.textContent ?? ''
  if (kind === 'table-text') return `\n\n${text}\n\n`
  if (kind === 'table-lines') return text
  const code = text.replace(/^\n+/, '').trimEnd()
  if (code === '') return ''
  const fence = '`'.repeat(Math.max(2, longestTicks(code)) + 1)
  return `\n\n${fence}${languageOf(node)}\n${code}\n${fence}\n\n`
}

function languageOf(pre: DomElement): string {
  const own = pre.getAttribute('data-fence') ?? pre.querySelector('[data-fence]')?.getAttribute('data-fence')
  if (own !== undefined && own !== null) return own
  let above = pre.parentNode
  for (let level = 0; level < 3 && above !== null && isElement(above); level += 1) {
    const language = above.getAttribute('data-fence')
    if (language !== null) return language
    above = above.parentNode
  }
  return ''
}

function inlineCode(text: string): string {
  // A replacement would stay a tree of its parts until it is read.
  const joined = pieces(text, /(?<=\S)\s/).map((piece) => piece.split(/\s+/).join(' '))
  const line = joined.join('').trim()
  if (line === '') return ''
  const ticks = '`'.repeat(longestTicks(line) + 1)
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${ticks}${pad}${line}${pad}${ticks}`
}

/** Length of the longest run of backticks. */
function longestTicks(text: string): number {
  let longest = 0
  for (const [ticks] of text.matchAll(/`+/g)) longest = Math.max(longest, ticks.length)
  return longest
}

function listItem(content: string, node: DomElement, lists: Map<DomElement, Map<DomElement, number>>): string {
  const parent = node.parentNode
  let mark = '- '
  if (parent !== null && parent.nodeName === 'OL') {
    const numbers = lists.get(parent) ?? numbersOf(parent)
    lists.set(parent, numbers)
    mark = `${numbers.get(node) ?? 1}. `
  }
  const text = content
    .replace(/^\n+/, '')
    .trimEnd()
    .replace(/^\u2610 ?/, '[ ] ')
    .replace(/^\u2611 ?/, '[x] ')
    .replace(/\n/g, `\n${' '.repeat(mark.length)}`)
  return text === '' ? '' : `${mark}${text}\n`
}

/** The numbers of a list's items: an item's own, else one more than the previous; one less in a reversed list. */
function numbersOf(list: DomElement): Map<DomElement, number> {
  const items = [...list.children].filter((child) => child.nodeName === 'LI')
  const step = list.getAttribute('reversed') === null ? 1 : -1
  let next = Number(list.getAttribute('start') ?? (step === 1 ? '1' : String(items.length)))
  return new Map(
    items.map((item) => {
      const number = Number(item.getAttribute('value') ?? String(next))
      next = number + step
      // Markdown has no numbers below zero.
      return [item, Math.max(number, 0)]
    }),
  )
}

/** Marks of a heading, a quotation or an item, which would be text inside a link label. */
const BLOCK_MARK = /^(?:#{1,6} |> |[-+*] |\d{1,9}\. )+/

function link(content: string, node: DomElement): string {
  const href = node.getAttribute('href')
  const text = content.trim()
  if (text === '') return ''
  if (href === null) return content
  // Markdown has no links around blocks: the text is written without the link, and its first line gets the address.
  const before = /^\s/.test(content) ? ' ' : ''
  const after = /\s$/.test(content) ? ' ' : ''
  const label = text
    .split('\n')
    .map((line) => line.trim().replace(BLOCK_MARK, ''))
    .filter((line) => line !== '')
    .join(' ')
  const title = node.getAttribute('title')
  const titlePart = title === null || title === label ? '' : ` "${title.replace(/["\n]/g, "'")}"`
  return `${before}[${label}](${target(href)}${titlePart})${after}`
}

function image(node: DomElement): string {
  const src = node.getAttribute('src')
  if (src === null) return ''
  const alt = (node.getAttribute('alt') ?? '').replace(/\s+/g, ' ').replace(/([[\]])/g, '\\$1')
  return `![${alt}](${target(src)})`
}

function target(href: string): string {
  return href.replace(/[()\s]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
}
