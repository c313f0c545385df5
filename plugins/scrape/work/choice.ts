import type { DomElement } from './dom.js'
import type { Amount, Outline, Span } from './outline.js'

/** Share of the text around the heading below which a choice has lost text. */
const SHARE = 0.3
/** Share of text inside links from which a part of a page is teasers or navigation rather than text. */
const LINKS = 0.3
/** Share of text inside links up to which a choice is an article. */
const FEW_LINKS = 0.25
/** Characters of a choice that may be an article although the page has much more text. */
const ARTICLE = 400
/** Characters between the heading and the text that belongs to it: a date, names, an introduction. */
const NEAR = 500
/** Share of the text of a page from which a part of it stands for the whole. */
const MOST = 0.8
/** Share of a choice that lies in other parts of the page, from which it is scattered; and share of links there from which these are teasers. */
const SCATTERED = 0.2
const TEASERS = 0.15

/** Readability's choice, the body, or the element that many levels around the heading. */
export type Choice = 'choice' | 'body' | { readonly level: number }

/** Whether what Readability chose is clearly worse than what is around the heading or in the body, by share of text, links and the heading. */
export function judge(outline: Outline, root: DomElement, own: number): Choice {
  const chosen = new Chosen(outline, root)
  const level = outline.around.findIndex((span) => chosen.amount(span).text * 2 >= chosen.all.text)
  const whole: Span = { element: root, from: 0, to: outline.size }
  const part = outline.around[level] ?? whole
  const [within, around, page] = [chosen.amount(part), outline.amount(part.from, part.to), outline.amount(0, outline.size)]
  const better: Choice = level < 0 || around.text < page.text / 2 ? 'body' : { level }
  if (within.text >= around.text * SHARE)
    return level >= 0 && around.text >= ARTICLE && within.text >= around.text * MOST && isScattered(outline, chosen, part)
      ? { level }
      : 'choice'
  const rest = { text: around.text - within.text, links: around.links - within.links }
  const beside = around.text >= page.text * MOST && density(rest) >= LINKS
  const article = own >= ARTICLE && density(chosen.all) <= FEW_LINKS && chosen.isNear()
  return beside && article ? 'choice' : better
}

/** Part of the choice was taken from among links outside of the part around the heading. */
function isScattered(outline: Outline, chosen: Chosen, part: Span): boolean {
  const outside = chosen.all.text - chosen.amount(part).text
  if (outside < chosen.all.text * SCATTERED) return false
  const before = outline.amount(Math.min(chosen.from, part.from), part.from)
  const after = outline.amount(part.to, Math.max(chosen.to, part.to))
  const links = density({ text: before.text + after.text, links: before.links + after.links })
  return links >= Math.max(TEASERS, 2 * density(outline.amount(part.from, part.to)))
}

function density({ text, links }: Amount): number {
  return text === 0 ? 0 : links / text
}

/** The texts of the page that Readability chose. */
class Chosen {
  readonly #outline: Outline
  /** Characters of the chosen texts before each text of the page, and of those inside links. */
  readonly #text: number[] = [0]
  readonly #links: number[] = [0]
  readonly from: number
  readonly to: number
  readonly all: Amount

  constructor(outline: Outline, root: DomElement) {
    this.#outline = outline
    const numbers = outline.numbersIn(root)
    this.from = numbers[0] ?? 0
    this.to = (numbers.at(-1) ?? -1) + 1
    const chosen = new Set(numbers)
    let [text, links] = [0, 0]
    for (let number = 0; number < outline.size; number += 1) {
      if (chosen.has(number)) {
        const one = outline.amount(number, number + 1)
        text += one.text
        links += one.links
      }
      this.#text.push(text)
      this.#links.push(links)
    }
    this.all = { text, links }
  }

  /** Of the texts in a span. */
  amount({ from, to }: Pick<Span, 'from' | 'to'>): Amount {
    return { text: (this.#text[to] ?? 0) - (this.#text[from] ?? 0), links: (this.#links[to] ?? 0) - (this.#links[from] ?? 0) }
  }

  /** It holds the heading or begins just behind it. */
  isNear(): boolean {
    const { heading } = this.#outline
    if (heading === null) return false
    if (this.from <= heading.from) return this.to > heading.from
    return this.#outline.amount(heading.to, this.from).text <= NEAR
  }
}
