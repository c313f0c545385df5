import { isNear, linksIn } from './choice.js'
import type { DomElement } from './dom.js'
import { labelOf, TO } from './elements.js'
import { plain, type Outline, type Part } from './outline.js'

/** Share of text inside links from which a part is a list of links rather than text. */
const LINKS = 0.5
/** The same for a list or table behind the last text of an article. */
const FEW_LINKS = 0.25
/** The same for a table within it. */
const MOST_LINKS = 0.8
/** Characters between a heading and a part that belongs to it. */
const NEAR = 500
/** Characters of a line of authors, at most. */
const BYLINE = 300
/** Links from which a list of them that is left out is counted. */
const MANY = 3

/** Words of class and id that Readability leaves out by, those of them that no part of an article has. */
const UNLIKELY = /combx|comment|communit|disqus|related|replies|shoutbox|skyscraper|social|sponsor|agegate|pager|pagination|popup|promo|share|outbrain|taboola|widget|toolbar|action-?bar|-actions|no-?print|sitesub|(?:^|[\s_-])(?:ad|tags?|toc|menu|sort(?:ing)?|filters?)(?:[\s_-]|$)/i // prettier-ignore
/** What pages write above advertisements. */
const ADVERTISEMENT = /^(?:ad|ads|advert|advertisement|advertising|sponsored|anzeige|werbung|publicité|publicidad|anuncio|реклама|广告)$/iu
/** Headings of lists of other pages. */
const OTHERS = /\b(?:related|similar|recommended|popular|trending|latest|most (?:read|watched|viewed|shared)|more (?:from|on|in)|read (?:next|more)|you may|ähnliche|verwandte|meistgelesen|weitere|similaires|populaires|relacionad[ao]s)\b/iu // prettier-ignore
/** Words of class and id of a line of authors. */
const BYLINES = /(?:^|[\s_-])(?:by-?line|authors?|vcard)(?:[\s_-]|$)/i
/** Elements of lists and tables, whose members belong together. */
const MEMBERS = /^(?:LI|TR|TD|TH|DT|DD|THEAD|TBODY|TFOOT)$/
const SETS = /^(?:UL|OL|DL|TABLE|THEAD|TBODY|TFOOT|TR)$/
const HEADINGS = /^H[1-6]$/

/** What an article has to consist of so that nothing between its heading and its end is lost. */
export interface Losses {
  /** The article is not what Readability made of it: parts belong to it that it left out, or a heading has no text. */
  readonly changed: boolean
  /** Numbers of the parts that stay out. */
  readonly leftOut: ReadonlySet<number>
  /** The smallest part that holds the article and, where that is near, the heading. */
  readonly top: number
  /** Numbers of the first text that belongs to the article and of the first behind it. */
  readonly from: number
  readonly to: number
  /** Lists of links among what stays out. */
  readonly lists: number
}

/** Finds what Readability cleaned out of the article that it chose, by the numbers of its texts. Takes linear time. */
export function lossesOf(outline: Outline, numbers: readonly number[]): Losses {
  return new Search(outline, numbers).result()
}

/** A heading of the article, with the number of its part and of the first text of the next heading. */
interface Heading extends Part {
  readonly at: number
  readonly next: number
}

class Search {
  readonly #outline: Outline
  /** Chosen texts before each text. */
  readonly #chosen: number[] = [0]
  readonly #from: number
  readonly #to: number
  readonly #top: number
  /** Headings with a chosen text, in their order, the heading of the page included where it is near. */
  readonly #headings: readonly Heading[]
  #restored = 0
  readonly #leftOut = new Set<number>()
  /** Headings below which something was left out and nothing was chosen, and those below which something was restored. */
  readonly #emptied = new Set<Heading>()
  readonly #filled = new Set<Heading>()
  #lists = 0
  /** Where the texts end that belong to the article, as far as is known. */
  #end: number

  constructor(outline: Outline, numbers: readonly number[]) {
    this.#outline = outline
    const chosen = new Set(numbers)
    const range = { from: numbers[0] ?? 0, to: (numbers.at(-1) ?? -1) + 1 }
    const { heading } = outline
    const near = heading !== null && isNear(outline, range)
    if (near) for (let number = heading.from; number < heading.to; number += 1) chosen.add(number)
    this.#from = near ? Math.min(heading.from, range.from) : range.from
    this.#to = this.#end = Math.max(range.to, near ? heading.to : 0)
    for (let number = 0; number < outline.size; number += 1) this.#chosen.push((this.#chosen[number] ?? 0) + (chosen.has(number) ? 1 : 0))
    this.#top = outline.parts.findLastIndex(({ from, to }) => from <= this.#from && this.#to <= to && from < to)
    const headings = [...outline.parts.entries()].filter(
      ([, { element, from, to }]) => HEADINGS.test(element.nodeName) && this.#has(from, to),
    )
    this.#headings = headings.map(([at, part], index) => ({ ...part, at, next: headings[index + 1]?.[1].from ?? outline.size }))
  }

  result(): Losses {
    const { parts } = this.#outline
    for (let at = this.#top + 1, end = parts[this.#top]?.behind ?? 0; at < end;) {
      const part = parts[at]
      if (part === undefined) break
      if (part.from === part.to || this.#has(part.from, part.to)) at += 1
      else {
        if (this.#belongs(part)) {
          this.#restored += 1
          const heading = this.#headingAbove(part)
          if (heading !== null) this.#filled.add(heading)
          this.#end = Math.max(this.#end, part.to)
          for (let inner = at + 1; inner < part.behind; inner += 1) {
            const beside = parts[inner]
            if (beside !== undefined && this.#outline.beside.has(beside)) this.#leftOut.add(inner)
          }
        } else this.#leaveOut(at, part)
        at = part.behind
      }
    }
    const bare = [...this.#emptied].filter((heading) => !this.#filled.has(heading))
    for (const { at } of bare) this.#leftOut.add(at)
    const changed = this.#restored > 0 || bare.length > 0
    return { changed, leftOut: this.#leftOut, top: this.#top, from: this.#from, to: this.#end, lists: this.#lists }
  }

  #has(from: number, to: number): boolean {
    return (this.#chosen[to] ?? 0) > (this.#chosen[from] ?? 0)
  }

  /** Leaves a part out, with a heading that has no other text. */
  #leaveOut(at: number, part: Part): void {
    this.#leftOut.add(at)
    const heading = this.#headingAbove(part)
    if (heading !== null && (isOfOthers(heading) || !this.#has(heading.to, heading.next))) this.#emptied.add(heading)
    if (!this.#isUnlikely(part) && part.from >= this.#from && !this.#isContents(part) && linksIn(this.#outline, part) >= MANY)
      this.#lists += 1
  }

  #isUnlikely(part: Part): boolean {
    if (part.look !== null || this.#outline.beside.has(part)) return true
    return UNLIKELY.test(labelOf((name) => part.element.getAttribute(name)))
  }

  /** A part without a chosen text belongs to the article. */
  #belongs(part: Part): boolean {
    const { from, to, element } = part
    if (this.#isUnlikely(part) || from < this.#from || ADVERTISEMENT.test((element.textContent ?? '').trim().slice(0, 40))) return false
    const parent = element.parentNode
    if (MEMBERS.test(element.nodeName) && parent !== null && SETS.test(parent.nodeName)) return true
    const amount = this.#outline.whole(part)
    const within = to <= this.#to
    if (within && (amount.links < amount.text * LINKS || this.#isAnnounced(part) || isCards(element) || isContacts(element))) return true
    if (within && this.#isByline(part)) return true
    const heading = this.#headingAbove(part)
    if (this.#isContents(part) || (heading !== null && isOfOthers(heading))) return false
    if (heading !== null || (within && element.nodeName === 'TABLE' && amount.links < amount.text * MOST_LINKS)) return true
    return !within && amount.links <= amount.text * FEW_LINKS && this.#isData(part) && this.#gap(this.#end, from) <= NEAR
  }

  /** The heading of the article, not that of the page, whose first text is in the part. */
  #headingAbove({ from }: Part): Heading | null {
    const heading = this.#headings.findLast(({ to }) => to <= from)
    if (heading === undefined || heading.element === this.#outline.heading?.element || this.#has(heading.to, from)) return null
    return this.#gap(heading.to, from) <= NEAR ? heading : null
  }

  /** The article ends the text before it with a colon. */
  #isAnnounced({ from }: Part): boolean {
    return this.#has(from - 1, from) && /[:：]$/.test(this.#outline.texts[from - 1]?.node.textContent.trim().slice(-1) ?? '')
  }

  /** A short part near the heading of the page that names the author, most of it often a link. */
  #isByline({ from, to, element }: Part): boolean {
    const { heading } = this.#outline
    if (heading === null || this.#gap(heading.to, from) > NEAR || this.#gap(from, to) > BYLINE) return false
    const attribute = (name: string): string | null => element.getAttribute(name)
    if (BYLINES.test(labelOf(attribute)) || element.nodeName === 'ADDRESS' || attribute('itemprop') === 'author') return true
    return (
      /(?:^|\s)author(?:\s|$)/i.test(attribute('rel') ?? '') ||
      element.querySelector('[rel~="author"], [itemprop="author"], address') !== null
    )
  }

  #gap(from: number, to: number): number {
    return plain(this.#outline.amount({ from, to }))
  }

  /** A table, or a list that is numbered or of terms. */
  #isData({ element }: Part): boolean {
    return /^(?:TABLE|DL|OL)$/.test(element.nodeName) || element.querySelector('table, dl, ol') !== null
  }

  /** A table of contents: links within the page alone. */
  #isContents({ element }: Part): boolean {
    const links: readonly DomElement[] = [...element.querySelectorAll('a')]
    return links.length > 0 && links.every((link) => link.getAttribute(TO) !== null)
  }
}

/** A heading that names other pages. */
function isOfOthers({ element }: Heading): boolean {
  return OTHERS.test((element.textContent ?? '').slice(0, 200))
}

/** Links around whole paragraphs are cards rather than navigation. */
function isCards(element: DomElement): boolean {
  return element.querySelector('a p') !== null
}

/** All links of a part write or call somebody. */
function isContacts(element: DomElement): boolean {
  const links: readonly DomElement[] = [...element.querySelectorAll('a')]
  return links.length > 0 && links.every((link) => /^(?:mailto|tel|sms):/.test(link.getAttribute('href') ?? ''))
}
