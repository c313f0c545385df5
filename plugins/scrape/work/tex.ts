import { isElement, isText, type DomDocument, type DomElement, type DomNode } from './dom.js'
import { delimited, FORMULA, type Formula } from './formulas.js'

/** Maximum characters of a formula in text. */
const MOST = 2_000
const CODE = new Set(['PRE', 'CODE', 'KBD', 'SAMP', 'TT'])

/** Marks formulas written as TeX in the text, for a script that did not run: between `$`, `$$`, `\(` and `\)`, `\[` and `\]`. */
export function markTex(document: DomDocument, element: DomElement): void {
  let run: DomNode[] = []
  for (const node of [...element.childNodes]) {
    if (isText(node) || node.nodeName === 'BR') {
      run.push(node)
      continue
    }
    markRun(document, run)
    run = []
    if (isElement(node) && !CODE.has(node.nodeName) && node.getAttribute(FORMULA) === null) markTex(document, node)
  }
  markRun(document, run)
}

/** Formulas in adjacent texts, which line breaks may split. */
function markRun(document: DomDocument, run: readonly DomNode[]): void {
  const texts = run.map((node) => (isText(node) ? node.textContent : '\n'))
  const found = formulasIn(texts.join(''))
  if (found.length === 0) return
  const nodes: (DomNode | string)[] = []
  let at = 0
  let next = 0
  for (const [index, node] of run.entries()) {
    const text = texts[index] ?? ''
    const end = at + text.length
    let from = at
    for (let one = found[next]; one !== undefined && one.from < end; one = found[next]) {
      if (one.from >= from) {
        nodes.push(text.slice(from - at, one.from - at))
        const mark = document.createElement('span')
        mark.setAttribute(FORMULA, '')
        mark.append(delimited(one))
        nodes.push(mark)
      }
      from = Math.min(one.to, end)
      if (one.to > end) break
      next += 1
    }
    if (isText(node)) nodes.push(text.slice(from - at))
    else if (from === at) nodes.push(document.createElement('br'))
    at = end
  }
  const [first, ...others] = run
  for (const node of others) if (isText(node) || isElement(node)) node.replaceWith()
  if (isText(first) || isElement(first)) first.replaceWith(...nodes.filter((node) => node !== ''))
}

/** A formula and its position in the text. */
interface Found extends Formula {
  readonly from: number
  readonly to: number
}

/** Formulas of a text, in order. */
export function formulasIn(text: string): Found[] {
  const found: Found[] = []
  const closers = new Map<string, number>()
  for (const { 0: opener, index } of text.matchAll(/\$\$?|\\[([]/g)) {
    if (index < (found.at(-1)?.to ?? 0)) continue
    const closer = { '\\(': '\\)', '\\[': '\\]' }[opener] ?? opener
    const from = index + opener.length
    const to = nextAt(text, closer, from, closers)
    if (to < 0 || to - from > MOST) continue
    const inner = text.slice(from, to)
    const end = to + closer.length
    if (isMath(inner) && (opener !== '$' || isSingleDollar(text, index, inner, end)))
      found.push({ from: index, to: end, tex: inner.replace(/\s+/g, ' ').trim(), display: opener === '$$' || opener === '\\[' })
  }
  return found
}

/** The next position of a delimiter; each is searched once, however many openings precede it. */
function nextAt(text: string, closer: string, from: number, known: Map<string, number>): number {
  const last = known.get(closer)
  if (last === -1 || (last !== undefined && last >= from)) return last
  const at = text.indexOf(closer, from)
  known.set(closer, at)
  return at
}

/** Whether a text can be TeX: one letter or number, or something with a command, an index, a group or a relation. */
function isMath(inner: string): boolean {
  const text = inner.trim()
  if (text === '' || text.includes('\\(') || text.includes('\\[')) return false
  return /^(?:\p{L}|\d{1,9})$/u.test(text) || /\\[A-Za-z,;!]|[\p{L}\d)}\]][_^]|[\p{L}\d)}\]]'?\s?[=<>≤≥≠≈+*/-]\s?[\p{L}\d({\\]/u.test(text)
}

/**
 * A dollar sign is usually money: requires no blank inside the delimiters, no letter or digit outside, and a command,
 * an index or a letter inside.
 */
function isSingleDollar(text: string, from: number, inner: string, to: number): boolean {
  if (/^\s|\s$/.test(inner) || /[\p{L}\d$\\]/u.test(text.charAt(from - 1)) || /[\p{L}\d$]/u.test(text.charAt(to))) return false
  return (
    /^\p{L}$/u.test(inner) ||
    (/\\[A-Za-z]|[_^=<>+]/.test(inner) && !/\p{L}{3,}\s+\p{L}{3,}/u.test(inner.replace(/\\[A-Za-z]+(?:\{[^{}]{0,200}\})?/g, '')))
  )
}
