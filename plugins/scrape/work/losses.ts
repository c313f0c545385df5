import { isNear, linksIn } from './choice.js'
import type { DomElement } from './dom.js'
import { labelOf, TO } from './elements.js'
import { plain, type Outline, type Part } from './outline.js'

/** Share of link text from which a part is a list of links rather than text. */
const LINKS = 0.5
/** The same for a list or table after the last text of an article. */
const FEW_LINKS = 0.25
/** The same for a table within it. */
const MOST_LINKS = 0.8
/** Maximum characters between a heading and a part that belongs to it. */
const NEAR = 500
/** Maximum characters of an author line. */
const BYLINE = 300
/** Links from which a removed list of links is counted. */
const MANY = 3

/** Class and id words by which Readability removes parts, except those used in articles. */
const UNLIKELY = /combx|comment|communit|disqus|related|replies|shoutbox|skyscraper|social|sponsor|agegate|pager|pagination|popup|promo|share|outbrain|taboola|widget|toolbar|action-?bar|-actions|no-?print|sitesub|(?:^|[\s_-])(?:ad|tags?|toc|menu|sort(?:ing)?|filters?)(?:[\s_-]|$)/i // prettier-ignore
/** Labels of advertisements. */
const ADVERTISEMENT = /^(?:ad|ads|advert|advertisement|advertising|sponsored|anzeige|werbung|publicité|publicidad|anuncio|реклама|广告)$/iu
/** Headings of lists of other pages. */
const OTHERS = /\b(?:related|similar|recommended|popular|trending|latest|most (?:read|watched|viewed|shared)|more (?:from|on|in)|read (?:next|more)|you may|ähnliche|verwandte|meistgelesen|weitere|similaires|populaires|relacionad[ao]s)\b/iu // prettier-ignore
/** Class and id words of an author line. */
const BYLINES = /(?:^|[\s_-])(?:by-?line|authors?|vcard)(?:[\s_-]|$)/i
/** Elements of lists and tables, whose members belong together. */
const MEMBERS = /^(?:LI|TR|TD|TH|DT|DD|THEAD|TBODY|TFOOT)$/
const SETS = /^(?:UL|OL|DL|TABLE|THEAD|TBODY|TFOOT|TR)$/
const HEADINGS = /^H[1-6]$/

/** The parts an article must include so that nothing between its heading and its end is lost. */
export interface Losses {
  /** The article differs from Readability's result: removed parts belong to it, or a heading has no text. */
  readonly changed: boolean
  /** Indexes of the parts that stay removed. */
  readonly leftOut: ReadonlySet<number>
  /** The smallest part that contains the article and, if near, the heading. */
  readonly top: number
  /** Indexes of the first text of the article and of the first after it. */
  readonly from: number
  readonly to: number
  /** Lists of links among the removed parts. */
  readonly lists: number
}

/** Finds the parts that Readability removed from its chosen article, by the indexes of its texts. Linear time. */
export function lossesOf(outline: Outline, numbers: readonly number[]): Losses {
  return new Search(outline, numbers).result()
}

/** A heading of the article, with the index of its part and of the first text of the next heading. */
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
  /** Headings with a chosen text, in order, including the page heading if near. */
  readonly #headings: readonly Heading[]
  #restored = 0
  readonly #leftOut = new Set<number>()
  /** Headings whose section lost its content, and headings with restored content. */
  readonly #emptied = new Set<Heading>()
  readonly #filled = new Set<Heading>()
  #lists = 0
  /** End of the article's texts, as far as known. */
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

  /** Removes a part, with its heading when that has no other text. */
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

  /** Whether a part without a chosen text belongs to the article. */
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

  /** The heading of the article, not of the page, whose first text is in the part. */
  #headingAbove({ from }: Part): Heading | null {
    const heading = this.#headings.findLast(({ to }) => to <= from)
    if (heading === undefined || heading.element === this.#outline.heading?.element || this.#has(heading.to, from)) return null
    return this.#gap(heading.to, from) <= NEAR ? heading : null
  }

  /** The preceding text of the article ends with a colon. */
  #isAnnounced({ from }: Part): boolean {
    return this.#has(from - 1, from) && /[:：]$/.test(this.#outline.texts[from - 1]?.node.textContent.trim().slice(-1) ?? '')
  }

  /** A short part near the page heading that names the author, often mostly a link. */
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

  /** A table, or a numbered or definition list. */
  #isData({ element }: Part): boolean {
    return /^(?:TABLE|DL|OL)$/.test(element.nodeName) || element.querySelector('table, dl, ol') !== null
  }

  /** A table of contents: only links within the page. */
  #isContents({ element }: Part): boolean {
    const links: readonly DomElement[] = [...element.querySelectorAll('a')]
    return links.length > 0 && links.every((link) => link.getAttribute(TO) !== null)
  }
}

/** A heading for links to other pages. */
function isOfOthers({ element }: Heading): boolean {
  return OTHERS.test((element.textContent ?? '').slice(0, 200))
}

/** Links around whole paragraphs are cards rather than navigation. */
function isCards(element: DomElement): boolean {
  return element.querySelector('a p') !== null
}

/** All links of a part are email addresses or telephone numbers. */
function isContacts(element: DomElement): boolean {
  const links: readonly DomElement[] = [...element.querySelectorAll('a')]
  return links.length > 0 && links.every((link) => /^(?:mailto|tel|sms):/.test(link.getAttribute('href') ?? ''))
}
