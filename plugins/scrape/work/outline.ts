import { isElement, isText, type DomDocument, type DomElement, type DomNode } from './dom.js'
import { CONTENT, isBeside } from './elements.js'
import { tidy } from './head.js'

/** Characters of text outside navigation and the like, and those of them inside links. */
export interface Amount {
  readonly text: number
  readonly links: number
}

/** An element, the number of the first text in it and of the first one behind it. */
export interface Span {
  readonly element: DomElement
  readonly from: number
  readonly to: number
}

const HEADING = /^H[1-3]$/
/** Headings of which one is looked for. */
const MOST_HEADINGS = 50
interface Inside {
  readonly content: boolean
  readonly beside: boolean
  readonly link: boolean
}

/** Where the texts of a page lie, taken before Readability changes it. */
export class Outline {
  /** Characters before each text, the last entry of all; and the same of those in links. */
  readonly #text: number[] = []
  readonly #links: number[] = []
  /** Numbers of the texts by what they say. */
  readonly #numbers = new Map<string, number[]>()
  readonly #spans = new Map<DomElement, Span>()
  readonly #headings: Span[] = []
  #now: Amount = { text: 0, links: 0 }
  readonly heading: Span | null
  /** Elements around the heading, the innermost first. */
  readonly around: readonly Span[]

  constructor(document: DomDocument, title: string | null) {
    this.#read(document.body, { content: false, beside: false, link: false })
    this.heading = this.#headingOf(title)
    const around: Span[] = []
    for (let above = this.heading?.element.parentNode ?? null; above !== null; above = above.parentNode) {
      const span = this.#spans.get(above)
      if (span !== undefined) around.push(span)
    }
    this.around = around
  }

  /** Texts from a number to another, without that one. */
  amount(from: number, to: number): Amount {
    const { text, links } = this.#now
    return {
      text: (this.#text[to] ?? text) - (this.#text[from] ?? text),
      links: (this.#links[to] ?? links) - (this.#links[from] ?? links),
    }
  }

  get size(): number {
    return this.#text.length
  }

  /**
   * The numbers of the texts in a part that Readability made of the page, in order. It moves, copies and renames elements and leaves texts as
   * they are, so texts are known by what they say, and repeated ones by their order.
   */
  numbersIn(root: DomElement): number[] {
    const numbers: number[] = []
    const used = new Map<string, number>()
    const walk = (node: DomNode): void => {
      if (isElement(node)) for (const child of node.childNodes) walk(child)
      if (!isText(node)) return
      const text = node.textContent.trim()
      const places = this.#numbers.get(text) ?? []
      let at = used.get(text) ?? 0
      while (at < places.length - 1 && (places[at] ?? 0) <= (numbers.at(-1) ?? -1)) at += 1
      used.set(text, at + 1)
      const number = places[at]
      if (number !== undefined) numbers.push(number)
    }
    walk(root)
    return numbers.sort((one, other) => one - other)
  }

  #read(element: DomElement, inside: Inside): void {
    const name = element.nodeName
    const from = this.size
    const before = this.#now.text
    const beside = inside.beside || isBeside(name.toLowerCase(), (attribute) => element.getAttribute(attribute), inside.content)
    const content = inside.content || CONTENT.has(name.toLowerCase())
    const link = inside.link || name === 'A'
    for (const child of element.childNodes) {
      if (isElement(child)) this.#read(child, { content, beside, link })
      else if (isText(child)) {
        const text = child.textContent.trim()
        if (text === '') continue
        this.#number(text)
        if (!beside) this.#now = { text: this.#now.text + text.length, links: this.#now.links + (link ? text.length : 0) }
      }
    }
    const span = { element, from, to: this.size }
    this.#spans.set(element, span)
    if (HEADING.test(name) && this.#now.text > before) this.#headings.push(span)
  }

  #number(text: string): void {
    const places = this.#numbers.get(text)
    if (places === undefined) this.#numbers.set(text, [this.size])
    else places.push(this.size)
    this.#text.push(this.#now.text)
    this.#links.push(this.#now.links)
  }

  /** The longest heading that is a good part of the title, since the first one may be the name of the site; else the first `h1` or only `h2`. */
  #headingOf(title: string | null): Span | null {
    const whole = title?.toLowerCase() ?? ''
    let found: Span | null = null
    let longest = whole.length / 3
    for (const span of this.#headings.slice(0, MOST_HEADINGS)) {
      const text = tidy(span.element.textContent ?? '', 500)?.toLowerCase() ?? ''
      if (text.length <= longest || !whole.includes(text)) continue
      found = span
      longest = text.length
    }
    const [first, second] = ['H1', 'H2'].map((name) => this.#headings.filter(({ element }) => element.nodeName === name))
    return found ?? first?.[0] ?? (second?.length === 1 ? second[0] : undefined) ?? null
  }
}
