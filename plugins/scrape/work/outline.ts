import { isElement, isText, type DomDocument, type DomElement, type DomNode, type DomText } from './dom.js'
import { CONTENT, hasBesideWord, lookOf, QUOTED, type Look } from './elements.js'
import { tidy } from './head.js'

/** Characters of text, in total and inside links. */
export interface Amount {
  readonly text: number
  readonly links: number
}

/** The indexes of the first text of a part and of the first one after it. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** An element and the texts in it. */
export interface Part extends Range {
  readonly element: DomElement
  readonly look: Look
  /** It is in an element that is not content by its name or role. */
  readonly framed: boolean
  /** Index of the next part outside this one. */
  readonly behind: number
}

const HEADING = /^H[1-3]$/
/** Maximum candidates for the page heading. */
const MOST_HEADINGS = 50
interface Inside {
  readonly content: boolean
  readonly quoted: boolean
  readonly framed: boolean
  /** Sibling of a paragraph. */
  readonly flow: boolean
  readonly link: boolean
}

/** Positions of a page's texts and its non-content elements, recorded before Readability changes the page. */
export class Outline {
  /** All elements of the body, in document order. */
  readonly parts: Part[] = []
  readonly texts: { readonly node: DomText; readonly size: number; readonly link: boolean }[] = []
  /** Indexes of the texts, and of all texts with the same content. */
  readonly #numberOf = new Map<DomNode, number>()
  readonly #numbers = new Map<string, number[]>()
  readonly heading: Part | null
  /** Ancestors of the heading, innermost first. */
  readonly around: readonly Part[]
  /** Non-content elements, not nested. */
  readonly beside = new Set<Part>()
  /** Characters before each text, with a final total, and those in links: of the whole page, and without non-content parts. */
  readonly #whole: Sums
  #main: Sums

  constructor(document: DomDocument, title: string | null) {
    this.#read(document.body, { content: false, quoted: false, framed: false, flow: false, link: false })
    this.#whole = this.#main = this.#sums()
    this.#setBeside((part) => this.#holdsMost(part))
    this.heading = this.#headingOf(title)
    this.#setBeside((part) => this.#holdsHeading(part) || this.#holdsMost(part))
    this.around = this.#partsAround(this.heading)
  }

  get size(): number {
    return this.texts.length
  }

  /** Totals of a range without non-content parts. */
  amount(range: Range): Amount {
    return between(this.#main, range)
  }

  /** Totals of a range. */
  whole(range: Range): Amount {
    return between(this.#whole, range)
  }

  /** Decides again which parts are non-content, after an article was chosen, by the indexes of its texts: never a part with half of it. */
  choose(numbers: readonly number[]): void {
    const chosen = new Set(numbers)
    const sums = this.#sums((number) => !chosen.has(number))
    const all = between(sums, { from: 0, to: this.size }).text
    this.#setBeside((part) => this.#holdsHeading(part) || (part.look === 'beside' && between(sums, part).text * 2 >= all))
  }

  /**
   * The indexes of the texts in Readability's result, in order. It moves and renames elements and keeps texts
   * unchanged. When it restarts it copies the page: then texts are identified by their content, and repeated ones by
   * order.
   */
  numbersIn(root: DomElement): number[] {
    const places: (readonly number[])[] = []
    const walk = (node: DomNode): void => {
      if (isElement(node)) for (const child of node.childNodes) walk(child)
      if (!isText(node)) return
      const number = this.#numberOf.get(node)
      places.push(number === undefined ? (this.#numbers.get(node.textContent.trim()) ?? []) : [number])
    }
    walk(root)
    return inOrder(places)
  }

  #read(element: DomElement, inside: Inside): void {
    const name = element.nodeName.toLowerCase()
    const from = this.size
    const at = this.parts.length
    const attribute = (key: string): string | null => element.getAttribute(key)
    const part = { element, look: lookOf(name, attribute, inside), framed: inside.framed, from, to: from, behind: at }
    this.parts.push(part)
    const children = [...element.childNodes]
    const within = {
      content: inside.content || CONTENT.has(name),
      quoted: inside.quoted || QUOTED.has(name),
      framed: inside.framed || part.look === 'frame',
      flow: children.some(({ nodeName }) => nodeName === 'P'),
      link: inside.link || name === 'a',
    }
    for (const child of children) {
      if (isElement(child)) this.#read(child, within)
      else if (isText(child)) this.#text(child, within.link)
    }
    part.to = this.size
    part.behind = this.parts.length
    // An aside among paragraphs is a remark of their text, unless it consists of links.
    if (name === 'aside' && inside.flow && !hasBesideWord(attribute) && !this.#isOfLinks(part)) part.look = null
  }

  #isOfLinks({ from, to }: Range): boolean {
    let [text, links] = [0, 0]
    for (let number = from; number < to; number += 1) {
      const { size, link } = this.texts[number] ?? { size: 0, link: false }
      text += size
      if (link) links += size
    }
    return links * 2 > text
  }

  #partsAround(heading: Part | null): Part[] {
    const parts = new Map(this.parts.map((part) => [part.element, part]))
    const around: Part[] = []
    for (let above = heading?.element.parentNode ?? null; above !== null; above = above.parentNode) {
      const part = parts.get(above)
      if (part !== undefined) around.push(part)
    }
    return around
  }

  #text(node: DomText, link: boolean): void {
    const text = node.textContent.trim()
    if (text === '') return
    const places = this.#numbers.get(text)
    if (places === undefined) this.#numbers.set(text, [this.size])
    else places.push(this.size)
    this.#numberOf.set(node, this.size)
    this.texts.push({ node, size: text.length, link })
  }

  #sums(leftOut: (number: number) => boolean = () => false): Sums {
    const sums: Sums = { text: [0], links: [0] }
    let [text, links] = [0, 0]
    for (const [number, { size, link }] of this.texts.entries()) {
      if (!leftOut(number)) {
        text += size
        if (link) links += size
      }
      sums.text.push(text)
      sums.links.push(links)
    }
    return sums
  }

  /** Marks elements that appear to be non-content, unless they contain the content. */
  #setBeside(hasContent: (part: Part) => boolean): void {
    this.beside.clear()
    const texts = new Set<number>()
    for (let at = 0; at < this.parts.length;) {
      const part = this.parts[at]
      if (part === undefined) break
      if (part.look === null || hasContent(part)) at += 1
      else {
        this.beside.add(part)
        for (let number = part.from; number < part.to; number += 1) texts.add(number)
        at = part.behind
      }
    }
    this.#main = this.#sums((number) => texts.has(number))
  }

  #holdsHeading(part: Part): boolean {
    return this.heading !== null && holds(part, this.heading)
  }

  /** A part that may be content contains most of the page's text outside links. */
  #holdsMost(part: Part): boolean {
    return part.look === 'beside' && plain(this.whole(part)) * 2 > plain(this.whole({ from: 0, to: this.size }))
  }

  /**
   * The longest heading that makes up much of the title, since the first one may be the site's name; a non-content
   * one only without an alternative; otherwise the first `h1` or only `h2` in the content.
   */
  #headingOf(title: string | null): Part | null {
    const all = this.parts.filter(({ element, from, to }) => HEADING.test(element.nodeName) && to > from)
    const main = all.filter((part) => this.amount(part).text > 0)
    const others = all.filter((part) => this.amount(part).text === 0 && !part.framed)
    const [first, second] = ['H1', 'H2'].map((name) => main.filter(({ element }) => element.nodeName === name))
    return named(main, title) ?? named(others, title) ?? first?.[0] ?? (second?.length === 1 ? second[0] : undefined) ?? null
  }
}

/** Characters outside links. */
export function plain({ text, links }: Amount): number {
  return text - links
}

export function holds(outer: Range, inner: Range): boolean {
  return outer.from <= inner.from && inner.to <= outer.to
}

/** Characters before each text, with a final total, and those in links. */
interface Sums {
  readonly text: number[]
  readonly links: number[]
}

function between({ text, links }: Sums, { from, to }: Range): Amount {
  return { text: (text[to] ?? 0) - (text[from] ?? 0), links: (links[to] ?? 0) - (links[from] ?? 0) }
}

/** The longest heading that makes up much of the title. */
function named(headings: readonly Part[], title: string | null): Part | null {
  const whole = title?.toLowerCase() ?? ''
  let found: Part | null = null
  let longest = whole.length / 3
  for (const part of headings.slice(0, MOST_HEADINGS)) {
    const text = tidy(part.element.textContent ?? '', 500)?.toLowerCase() ?? ''
    if (text.length <= longest || !whole.includes(text)) continue
    found = part
    longest = text.length
  }
  return found
}

/**
 * The position of each text with one or more candidates, as close to its neighbours as possible: texts before the
 * first unambiguous one directly precede it.
 */
function inOrder(places: readonly (readonly number[])[]): number[] {
  const sure = places.findIndex(({ length }) => length === 1)
  const numbers = new Set<number>()
  let before = sure < 0 ? -1 : (places[sure]?.[0] ?? -1)
  const take = (number: number | undefined): void => {
    if (number === undefined) return
    numbers.add(number)
    before = number
  }
  for (const found of places.slice(0, Math.max(sure, 0)).reverse()) take(placeBelow(found, before) ?? found[0])
  before = sure < 0 ? -1 : (places[sure]?.[0] ?? -1) - 1
  for (const found of places.slice(Math.max(sure, 0))) take(placeAbove(found, before) ?? found.at(-1))
  return [...numbers].sort((one, other) => one - other)
}

/** The largest of ascending numbers below a limit, and the smallest above it. */
function placeBelow(numbers: readonly number[], limit: number): number | undefined {
  return numbers[firstAtLeast(numbers, limit) - 1]
}

function placeAbove(numbers: readonly number[], limit: number): number | undefined {
  return numbers[firstAtLeast(numbers, limit + 1)]
}

/** Index of the first of ascending numbers that is at least `limit`. */
function firstAtLeast(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}
