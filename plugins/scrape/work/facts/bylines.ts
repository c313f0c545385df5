import { labelOf } from '../elements.js'
import { nameIn, namesInByline } from './names.js'

type Attributes = Readonly<Record<string, string>>

/** Maximum characters of a byline, between it and the page heading below or above it, and between two names. */
const LINE = 300
const BELOW = 600
const ABOVE = 200
const BESIDE = 100
/** Maximum pieces of text per line, and lines per page. */
const MOST_PIECES = 100
const MOST_LINES = 200
const MOST_PARTS = 1_000

/** Class and id words of a name, of a line of authors, of neither, and of parts with other people's content. */
const NAME = /(?:^|[\s_-])(?:(?:author|byline)[_-]{0,2}names?|p-author|fn)(?:\s|$)/i
const LABEL = /(?:^|[\s_-])(?:by-?line|authors?|autor(?:en|es)?|auteurs?|written-?by|posted-?by|writer)(?:[\s_-]|$)/i
const NO_LABEL = /(?:^|[\s_-])(?:bio|about|comments?|repl(?:y|ies)|reviews?|avatar|image|photo|social|follow|archive|date|job|role|position|title|posts?-by)(?:[\s_-]|$)/i // prettier-ignore
const OTHERS = /(?:^|[\s_-])(?:comments?|comment-?list|respond|disqus|repl(?:y|ies)|related|recommend(?:ed|ations)?|teasers?|sidebar|widget|trending|popular)(?:[\s_-]|$)/i // prettier-ignore
/** Elements that do not start a separate part of a line. */
const INLINE = new Set(['b', 'strong', 'i', 'em', 'u', 'bdi', 'bdo', 'wbr', 'font', 'mark', 'abbr'])
const WHOLE = new Set(['html', 'body', 'main', 'article'])

interface Line {
  readonly sort: 'name' | 'label'
  /** Elements opened and characters read before it, and characters before its end. */
  readonly order: number
  readonly from: number
  readonly to: number
  readonly names: readonly string[]
}
interface Open {
  readonly sort: 'name' | 'label' | 'heading' | 'others' | null
  readonly order: number
  readonly from: number
  /** Index of its first piece. */
  readonly piece: number
}

/** The displayed author of a page: by `rel="author"`, class, or a line that starts with "By" below the heading. Linear time. */
export class Bylines {
  readonly #lines: Line[] = []
  /** Parts with other people's content, by the number of elements opened before them and before their end. */
  readonly #others: { readonly from: number; readonly to: number }[] = []
  readonly #open: Open[] = []
  /** Pieces of text and the bounds of elements between them, those of open lines and below the heading. */
  #pieces: string[] = []
  #waiting = 0
  #order = 0
  #links = 0
  #characters = 0
  /** Position of the first `h1`. */
  #heading: { readonly order: number; readonly from: number; readonly to: number } | null = null
  /** The first later heading that is a link: the title of another page. */
  #nextPage = Infinity
  #below: string[] | null = null

  open(name: string, attributes: Attributes): void {
    this.#order += 1
    if (!INLINE.has(name)) this.#add('|')
    if (name === 'a') this.#links += 1
    const isTitle = /^h[2-4]$/.test(name) || (name === 'a' && this.#open.at(-1)?.sort === 'heading')
    if (this.#heading !== null && this.#links > 0 && isTitle) this.#nextPage = Math.min(this.#nextPage, this.#order)
    const sort = this.#sortOf(name, attributes)
    if (sort === 'name' || sort === 'label') this.#waiting += 1
    this.#open.push({ sort, order: this.#order, from: this.#characters, piece: this.#pieces.length })
  }

  text(text: string): void {
    this.#characters += text.trim().length
    this.#add(text)
  }

  close(name: string): void {
    const { sort = null, order = 0, from = 0, piece = 0 } = this.#open.pop() ?? {}
    if (name === 'a') this.#links -= 1
    if (sort === 'name' || sort === 'label') {
      this.#waiting -= 1
      this.#line(sort, order, from, this.#pieces.slice(piece, piece + MOST_PIECES + 1))
    } else if (sort === 'others' && this.#others.length < MOST_PARTS) this.#others.push({ from: order, to: this.#order })
    else if (name === 'h1' && this.#heading === null) {
      this.#heading = { order, from, to: this.#characters }
      this.#below = []
    }
    if (!INLINE.has(name)) this.#add('|')
    if (this.#waiting === 0 && this.#pieces.length > 0) this.#pieces = []
  }

  /** The names, in order; empty when the page shows none, or different ones with different texts. */
  names(): readonly string[] {
    const lines = this.#lines.filter(
      ({ order }) => !this.#others.some((part) => part.from < order && order <= part.to && !this.#holdsHeading(part)),
    )
    const near = lines.filter((line) => this.#isNear(line))
    const [first] = [...runsOf(near, 'name'), ...runsOf(near, 'label')]
    if (first !== undefined) return first
    const below = namesInByline((this.#below ?? []).join(''), true)
    if (below.length > 0) return below
    const named = runsOf(lines, 'name')
    const [only = [], ...rest] = named.length > 0 ? named : runsOf(lines, 'label')
    return rest.every((names) => names.join('|') === only.join('|')) ? only : []
  }

  #sortOf(name: string, attributes: Attributes): Open['sort'] {
    if (/^h[2-4]$/.test(name)) return 'heading'
    const label = labelOf((attribute) => attributes[attribute])
    const rel = (attributes['rel'] ?? '').slice(0, 200).toLowerCase().split(/\s+/)
    if (rel.includes('author') && name !== 'link') return 'name'
    if (WHOLE.has(name)) return null
    if (attributes['itemprop']?.toLowerCase() === 'author' && attributes['itemscope'] === undefined) return 'name'
    if (name === 'aside' || name === 'nav' || OTHERS.test(label)) return 'others'
    if (NAME.test(label)) return 'name'
    const words = `${label} ${(attributes['data-testid'] ?? '').slice(0, 100)}`.replace(/([a-z])(?=[A-Z])/g, '$1-')
    return LABEL.test(words) && !NO_LABEL.test(words) ? 'label' : null
  }

  #add(piece: string): void {
    if (this.#waiting > 0) this.#pieces.push(piece)
    const below = this.#below
    if (
      below !== null &&
      below.length <= MOST_PIECES &&
      this.#characters - (this.#heading?.to ?? 0) <= BELOW &&
      this.#order < this.#nextPage
    )
      below.push(piece)
  }

  #line(sort: 'name' | 'label', order: number, from: number, pieces: readonly string[]): void {
    if (this.#lines.length >= MOST_LINES || this.#characters - from > LINE || pieces.length > MOST_PIECES) return
    const text = pieces.join('')
    const read = namesInByline(text)
    const given = sort === 'name' && read.length === 0 && !/\d/.test(text) ? nameIn(text.replaceAll('|', ' ')) : null
    const names = given !== null && given.length <= 80 ? [given] : read
    // The innermost element that names somebody is the name; its parents contain more.
    const inner = this.#lines.at(-1)
    if (names.length > 0 && !(sort === 'name' && inner?.sort === 'name' && inner.order > order))
      this.#lines.push({ sort, order, from, to: this.#characters, names })
  }

  #holdsHeading({ from, to }: { readonly from: number; readonly to: number }): boolean {
    return this.#heading !== null && from < this.#heading.order && this.#heading.order <= to
  }

  #isNear({ order, from, to }: Line): boolean {
    if (this.#heading === null) return false
    return order < this.#heading.order ? this.#heading.from - to <= ABOVE : from - this.#heading.to <= BELOW && order < this.#nextPage
  }
}

/** The names of the lines of a kind, with adjacent ones grouped. */
function runsOf(lines: readonly Line[], sort: Line['sort']): string[][] {
  const runs: Set<string>[] = []
  let end = -Infinity
  for (const { from, to, names } of lines.filter((line) => line.sort === sort)) {
    if (sort === 'label' || from - end > BESIDE) runs.push(new Set())
    for (const name of names) runs.at(-1)?.add(name)
    end = to
  }
  return runs.map((names) => [...names])
}
