import { isElement, type DomDocument, type DomElement } from './dom.js'

/** Elements that make a definition a block: such lists keep their form, with a bold term above its paragraphs. */
const BLOCKS = new Set('PRE,TABLE,UL,OL,DL,BLOCKQUOTE,H1,H2,H3,H4,H5,H6,FIGURE,DIV,SECTION'.split(','))
const ENDS = /[:?!.\u2026\uff1a\uff1f\uff01\u3002\u061f]$/u

interface Entry {
  readonly terms: DomElement[]
  readonly definitions: DomElement[]
}

/** Converts lists of short definitions to `- **term**: definition`, innermost first; several definitions of a term are a list below it. */
export function replaceDefinitions(document: DomDocument, root: DomElement): void {
  for (const list of [...root.querySelectorAll('dl')].reverse()) {
    const entries = entriesOf(list)
    const complete = entries.length > 0 && entries.every(({ terms, definitions }) => terms.length > 0 && definitions.length > 0)
    if (!complete || entries.some(({ definitions }) => definitions.some((one) => paragraphs(one) > 1))) continue
    const items = document.createElement('ul')
    for (const entry of entries) items.append(itemOf(document, entry))
    list.replaceWith(items)
  }
}

/** Paragraphs in an element; more than one when it contains another block. */
function paragraphs(element: DomElement): number {
  let found = 0
  for (const child of element.children) {
    if (BLOCKS.has(child.nodeName)) return 2
    found += (child.nodeName === 'P' ? 1 : 0) + paragraphs(child)
    if (found > 1) return found
  }
  return found
}

/** Terms and definitions in order; groups may be wrapped in a `div`. */
function entriesOf(list: DomElement): Entry[] {
  const entries: Entry[] = []
  const parts = [...list.children].flatMap((child) => (child.nodeName === 'DIV' ? [...child.children] : [child]))
  for (const part of parts) {
    const last = entries.at(-1)
    if (part.nodeName === 'DT') {
      if (last?.definitions.length === 0) last.terms.push(part)
      else entries.push({ terms: [part], definitions: [] })
    } else if (part.nodeName !== 'DD' || last === undefined) return []
    else last.definitions.push(part)
  }
  return entries
}

function itemOf(document: DomDocument, { terms, definitions }: Entry): DomElement {
  const item = document.createElement('li')
  const colon = ENDS.test((terms.at(-1)?.textContent ?? '').trim()) ? ' ' : ': '
  terms.forEach((term, at) => item.append(...(at === 0 ? [] : [', ']), moved(document, term, 'strong')))
  const [first, ...others] = definitions
  if (first !== undefined && others.length === 0) item.append(colon, moved(document, first, 'span'))
  else {
    const list = document.createElement('ul')
    list.append(...definitions.map((definition) => moved(document, definition, 'li')))
    item.append(list)
  }
  return item
}

/** Moves an element's content into another one, without the wrapper of its only paragraph. */
function moved(document: DomDocument, from: DomElement, name: string): DomElement {
  const to = document.createElement(name)
  const [only, ...others] = [...from.childNodes].filter((node) => isElement(node) || (node.textContent ?? '').trim() !== '')
  const inner = isElement(only) && others.length === 0 && only.nodeName === 'P' ? only : from
  to.append(...[...inner.childNodes])
  return to
}
