import { isElement, isText, type DomDocument, type DomElement } from './dom.js'
import { TO } from './elements.js'

/** Text of a reference: a number, a letter or a mark, with or without brackets. */
const SHOWN = /^[[(]?\s*(\d{1,4}|[a-z]{1,3}|[*\u2020\u2021\u00a7\u00b6\u203b]{1,3})\s*[\])]?$/iu
/** Maximum references of one page, and backlinks checked. */
const MOST = 2_000
const MOST_BACK = 10
/** Elements that are a complete note, and the maximum levels searched above the target. */
const NOTE = new Set(['LI', 'P', 'DIV', 'ASIDE', 'DD', 'TR'])
const LEVELS = 3

/** Attributes for the Markdown of a reference and of a note. */
export const REFERENCE = 'data-reference'
export const DEFINITION = 'data-definition'

interface Note {
  readonly label: string
  readonly block: DomElement
  readonly back: Set<DomElement>
}

/** Marks references to footnotes and the notes themselves, when a note links back to its reference: `[^1]` and `[^1]: text`. */
export function markFootnotes(document: DomDocument, root: DomElement): void {
  const links = [...root.querySelectorAll(`a[${TO}]`)]
  const references = links.filter((link) => SHOWN.test(shownBy(link))).slice(0, MOST)
  if (references.length === 0) return
  const notes = new Notes(root, links)
  for (const link of references) {
    const note = notes.of(link)
    if (note === null) continue
    const marker = document.createElement('span')
    marker.setAttribute(REFERENCE, note.label)
    marker.append(note.label)
    enclosing(link).replaceWith(marker)
  }
  for (const note of notes.found) write(document, note)
}

/** Finds notes in linear time: each has one target, and only its ids and links are checked. */
class Notes {
  readonly #byId = new Map<string, DomElement>()
  readonly #backTo = new Map<string, DomElement[]>()
  readonly #notes = new Map<string, Note>()
  readonly #blocks = new Set<DomElement>()
  readonly #labels = new Set<string>()

  constructor(root: DomElement, links: readonly DomElement[]) {
    for (const element of root.querySelectorAll('[id]')) {
      const id = element.getAttribute('id') ?? ''
      if (!this.#byId.has(id)) this.#byId.set(id, element)
    }
    for (const link of links) {
      const to = link.getAttribute(TO) ?? ''
      const others = this.#backTo.get(to)
      if (others === undefined) this.#backTo.set(to, [link])
      else if (others.length < MOST_BACK) others.push(link)
    }
  }

  get found(): Iterable<Note> {
    return this.#notes.values()
  }

  /** The note of a link, when the note links back to the link or its immediate parents. */
  of(link: DomElement): Note | null {
    const id = link.getAttribute(TO) ?? ''
    const known = this.#notes.get(id)
    const block = known?.block ?? this.#blockOf(id)
    if (block === null || holds(block, link)) return null
    const back = idsAround(link)
      .flatMap((own) => this.#backTo.get(own) ?? [])
      .filter((one) => holds(block, one))
    if (known !== undefined) for (const one of back) known.back.add(one)
    if (known !== undefined || back.length === 0 || this.#blocks.has(block)) return known ?? null
    this.#blocks.add(block)
    const note = { label: this.#labelOf(link), block, back: new Set(back) }
    this.#notes.set(id, note)
    return note
  }

  #blockOf(id: string): DomElement | null {
    let block = this.#byId.get(id) ?? null
    for (let level = 0; level < LEVELS && block !== null && !NOTE.has(block.nodeName); level += 1) block = block.parentNode
    return block !== null && NOTE.has(block.nodeName) && block.parentNode !== null ? block : null
  }

  /** The text of the reference, or a number when that is taken or is neither letter nor number. */
  #labelOf(link: DomElement): string {
    let label = SHOWN.exec(shownBy(link))?.[1] ?? ''
    if (!/^[a-z0-9]+$/i.test(label) || this.#labels.has(label)) label = `n${this.#labels.size + 1}`
    this.#labels.add(label)
    return label
  }
}

function shownBy(link: DomElement): string {
  return (link.textContent ?? '').trim()
}

function idsAround(link: DomElement): string[] {
  const ids: string[] = []
  let element: DomElement | null = link
  for (let level = 0; level < LEVELS && element !== null; level += 1) {
    const id = element.getAttribute('id')
    if (id !== null) ids.push(id)
    element = element.parentNode
  }
  return ids
}

function holds(block: DomElement, element: DomElement): boolean {
  for (let node: DomElement | null = element; node !== null; node = node.parentNode) if (node === block) return true
  return false
}

/** The superscript that contains only the link and brackets, or the link. */
function enclosing(link: DomElement): DomElement {
  const parent = link.parentNode
  const alone = parent !== null && /^(?:SUP|SPAN)$/.test(parent.nodeName) && bare(parent) === bare(link)
  return alone ? parent : link
}

function bare(element: DomElement): string {
  return (element.textContent ?? '').slice(0, 20).replace(/[\s[\]().]/g, '')
}

/** Removes the backlinks and the label from a note and marks it. */
function write(document: DomDocument, { label, block, back }: Note): void {
  for (const link of back) enclosing(link).remove()
  trimLabel(block, label)
  const box = document.createElement('div')
  box.setAttribute(DEFINITION, label)
  box.append(...[...block.childNodes])
  block.replaceWith(box)
}

/** Removes the rest of a label before the text of a note: `[1]`, `1.`, or its brackets. */
function trimLabel(block: DomElement, label: string): void {
  const first = [...block.childNodes].find((node) => (node.textContent ?? '').trim() !== '')
  if (isElement(first)) trimLabel(first, label)
  else if (isText(first))
    first.replaceWith(first.textContent.replace(new RegExp(`^\\s*(?:[\\[(]?(?:${label})?[\\])]|(?:${label})?\\.(?=\\s))\\s*`), ''))
}
