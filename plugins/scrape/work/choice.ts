import { holds, plain, type Amount, type Outline, type Part, type Range } from './outline.js'

/** Share of the text around the heading below which a choice has lost text. */
const SHARE = 0.3
/** Share of link text from which a part of a page is teasers or navigation. */
const LINKS = 0.3
/** Maximum share of link text in an article. */
const FEW_LINKS = 0.25
/** Minimum characters of a choice that may be an article although the page has much more text. */
const ARTICLE = 400
/** Maximum characters between the heading and its text: a date, names, an introduction. */
const NEAR = 500
/** Minimum share of a page's text for a part to represent the whole. */
const MOST = 0.8
/** Share of a choice in other parts of the page from which it is scattered; and share of links there from which these are teasers. */
const SCATTERED = 0.2
const TEASERS = 0.15

/** Minimum characters of an article, unless everything else is lists of headlines. */
const ENOUGH = 250
/** Share of link text from which a part with its own heading is a list of headlines, their minimum number and mean length. */
const HEADLINES = 0.8
const LEAST_HEADLINES = 3
const HEADLINE = 25
/** Share of the links around the heading in such lists. */
const MOST_HEADLINES = 0.6

/** Readability's choice, the body, or the ancestor that many levels above the heading. */
export type Choice = 'choice' | 'body' | { readonly level: number }

/**
 * Whether Readability's choice, by the indexes of its texts, is clearly worse than the part around the heading or the
 * body, by share of text, links and the heading.
 */
export function judge(outline: Outline, numbers: readonly number[], own: number): Choice {
  const chosen = new Chosen(outline, numbers)
  const level = outline.around.findIndex((part) => chosen.amount(part).text * 2 >= chosen.all.text)
  const whole = { from: 0, to: outline.size }
  const part = outline.around[level] ?? whole
  const [within, around, page] = [chosen.amount(part), outline.amount(part), outline.amount(whole)]
  const rest = { text: around.text - within.text, links: around.links - within.links }
  const isArticle = density(chosen.all) <= FEW_LINKS && chosen.isNear()
  if (isArticle && plain(rest) < plain(within)) {
    const lists = headlineLists(outline, (list) => holds(part, list) && chosen.amount(list).text === 0)
    const links = lists.reduce((sum, list) => sum + outline.amount(list).links, 0)
    if (links > 0 && links >= rest.links * MOST_HEADLINES) return 'choice'
  }
  if (own < ENOUGH) return 'body'
  const better: Choice = level < 0 || around.text < page.text / 2 ? 'body' : { level }
  if (within.text >= around.text * SHARE)
    return level >= 0 && around.text >= ARTICLE && within.text >= around.text * MOST && isScattered(outline, chosen, part)
      ? { level }
      : 'choice'
  const beside = around.text >= page.text * MOST && density(rest) >= LINKS
  return beside && isArticle && own >= ARTICLE ? 'choice' : better
}

/** Lists of headlines with their own heading, not nested, without the page heading and without parts that `isOther` rejects. */
export function headlineLists(outline: Outline, isOther: (part: Part) => boolean = () => true): Part[] {
  const headings = outline.parts.filter(({ element, from, to }) => from < to && /^H[2-6]$/.test(element.nodeName))
  const found: Part[] = []
  let next = 0
  for (let at = 0; at < outline.parts.length;) {
    const part = outline.parts[at]
    if (part === undefined) break
    at += 1
    while (next < headings.length && (headings[next]?.from ?? 0) < part.from) next += 1
    const heading = headings[next]
    // A section is a chapter of the text.
    if (heading === undefined || !holds(part, heading) || heading.element === part.element || part.element.nodeName === 'SECTION') continue
    if ((outline.heading !== null && holds(part, outline.heading)) || !isOther(part) || !isHeadlines(outline, part, heading)) continue
    found.push(part)
    at = part.behind
  }
  return found
}

function isHeadlines(outline: Outline, part: Part, heading: Part): boolean {
  const [amount, title] = [outline.amount(part), outline.amount(heading)]
  if (title.links > 0 || amount.links < (amount.text - title.text) * HEADLINES) return false
  const headlines = linksIn(outline, part)
  return headlines >= LEAST_HEADLINES && amount.links >= headlines * HEADLINE
}

/** Texts inside links. */
export function linksIn(outline: Outline, { from, to }: Range): number {
  let links = 0
  for (let number = from; number < to; number += 1) if (outline.texts[number]?.link === true) links += 1
  return links
}

/** Part of the choice comes from among links outside the part around the heading. */
function isScattered(outline: Outline, chosen: Chosen, part: Range): boolean {
  const outside = chosen.all.text - chosen.amount(part).text
  if (outside < chosen.all.text * SCATTERED) return false
  const before = outline.amount({ from: Math.min(chosen.from, part.from), to: part.from })
  const after = outline.amount({ from: part.to, to: Math.max(chosen.to, part.to) })
  const links = density({ text: before.text + after.text, links: before.links + after.links })
  return links >= Math.max(TEASERS, 2 * density(outline.amount(part)))
}

function density({ text, links }: Amount): number {
  return text === 0 ? 0 : links / text
}

/** The texts of Readability's choice. */
class Chosen {
  readonly #outline: Outline
  /** Characters of the chosen texts before each text of the page, and of those inside links. */
  readonly #text: number[] = [0]
  readonly #links: number[] = [0]
  readonly from: number
  readonly to: number
  readonly all: Amount

  constructor(outline: Outline, numbers: readonly number[]) {
    this.#outline = outline
    this.from = numbers[0] ?? 0
    this.to = (numbers.at(-1) ?? -1) + 1
    const chosen = new Set(numbers)
    let [text, links] = [0, 0]
    for (let number = 0; number < outline.size; number += 1) {
      if (chosen.has(number)) {
        const one = outline.amount({ from: number, to: number + 1 })
        text += one.text
        links += one.links
      }
      this.#text.push(text)
      this.#links.push(links)
    }
    this.all = { text, links }
  }

  /** Totals of a range. */
  amount({ from, to }: Range): Amount {
    return { text: (this.#text[to] ?? 0) - (this.#text[from] ?? 0), links: (this.#links[to] ?? 0) - (this.#links[from] ?? 0) }
  }

  /** It contains the heading or starts just after it. */
  isNear(): boolean {
    return isNear(this.#outline, this)
  }
}

/** A range contains the heading or starts just after it. */
export function isNear(outline: Outline, { from, to }: Range): boolean {
  const { heading } = outline
  if (heading === null) return false
  if (from <= heading.from) return to > heading.from
  return outline.amount({ from: heading.to, to: from }).text <= NEAR
}
