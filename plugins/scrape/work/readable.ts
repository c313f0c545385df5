import { Readability } from '@mozilla/readability'
import { moreCommasThan } from './commas.js'
import { isElement, parseBody, type DomDocument, type DomElement } from './dom.js'
import { removeBeside } from './beside.js'
import { headlineLists, judge } from './choice.js'
import { lossesOf, type Losses } from './losses.js'
import { Outline, plain, type Range } from './outline.js'
import { pieces } from './pieces.js'
import type { Scanned } from './scan.js'

/** The content part of a page. */
export interface Readable {
  readonly document: DomDocument
  readonly root: DomElement
  /** Notes for the caller on omissions. */
  readonly notes: readonly string[]
}

/** Characters of text below which a choice is not an article. */
const ENOUGH = 250
/** Characters outside links from which a page has a text beside its lists. */
const SHORT = 60
/** Elements above which Readability takes seconds. */
const MOST = 15_000
/** Commas above which a page is data: Readability splits the text at commas, three times, with 20 bytes and more per part. */
const MOST_COMMAS = 200_000
/**
 * Share of link text above which a page is a list of links, of which Readability keeps next to nothing: one without a
 * heading, or with more elements than an article beside the largest navigation.
 */
const LISTING = 0.6
const MOST_OF_LISTING = 3_000

/** Finds the content of a page: Readability's choice, unless the part around the heading or the whole body is clearly better. */
export function readable(scanned: Scanned): Readable {
  const page = prepared(scanned)
  const found = contentOf(page, scanned)
  const lists = page.lists + found.lists
  const notes =
    lists === 0
      ? []
      : [lists === 1 ? 'A list of links beside the text was left out.' : `${lists} lists of links beside the text were left out.`]
  return { document: found.document, root: found.root, notes }
}

interface Prepared {
  readonly document: DomDocument
  readonly outline: Outline
  /** Removed lists of links. */
  readonly lists: number
}

type Content = Pick<Readable, 'document' | 'root'> & Pick<Prepared, 'lists'>

/** The page as a document. For a short article, lists of headlines that outweigh its text are removed. */
function prepared(scanned: Scanned): Prepared {
  const document = parseBody(scanned.html)
  const outline = new Outline(document, scanned.head.title)
  if (!isArticle(scanned, outline)) return { document, outline, lists: 0 }
  const lists = headlineLists(outline)
  const links = lists.reduce((sum, list) => sum + outline.amount(list).links, 0)
  const text = plain(outline.amount({ from: 0, to: outline.size })) - lists.reduce((sum, list) => sum + plain(outline.amount(list)), 0)
  if (text < SHORT || links < text) return { document, outline, lists: 0 }
  for (const { element } of lists) element.remove()
  return { document, outline: new Outline(document, scanned.head.title), lists: lists.length }
}

/** The page declares itself an article. */
function isArticle({ head }: Scanned, { around }: Outline): boolean {
  return head.meta('og:type')?.toLowerCase() === 'article' || around.some(({ element }) => element.nodeName === 'ARTICLE')
}

function contentOf({ document, outline }: Prepared, scanned: Scanned): Content {
  const listing = scanned.linkText > scanned.mainText * LISTING
  if (
    scanned.text < ENOUGH ||
    scanned.elements > MOST ||
    isData(scanned) ||
    (listing && (scanned.elements > MOST_OF_LISTING || outline.heading === null))
  )
    return body(document, outline, scanned)
  const root = articleOf(document)
  const own = spacedLength(root?.textContent ?? '')
  const numbers = root === null ? [] : outline.numbersIn(root)
  if (own >= ENOUGH) outline.choose(numbers)
  const better = root === null ? 'body' : judge(outline, numbers, own)
  if (root !== null && better === 'choice') return complete({ document, root }, outline, numbers, scanned)
  // Readability has modified the document.
  const copy = prepared(scanned)
  if (own >= ENOUGH) copy.outline.choose(numbers)
  const part = better === 'body' || better === 'choice' ? undefined : copy.outline.around[better.level]
  if (part === undefined) return body(copy.document, copy.outline, scanned)
  removeBeside(copy.outline, part)
  return { document: copy.document, root: part.element, lists: 0 }
}

/** An article with the parts that Readability removed by mistake, extracted from the page again if there are any. */
function complete(article: Pick<Readable, 'document' | 'root'>, outline: Outline, numbers: readonly number[], scanned: Scanned): Content {
  const losses = lossesOf(outline, numbers)
  const { lists } = losses
  if (!losses.changed) return { ...article, lists }
  const images = new Set([...article.root.querySelectorAll('img')].map((image) => image.getAttribute('src')))
  const copy = prepared(scanned)
  removeLeftOut(copy.outline, losses, images)
  return { document: copy.document, root: copy.outline.parts[losses.top]?.element ?? copy.document.body, lists }
}

/** Removes everything outside the article from a fresh page; pictures without text are kept within it, and where Readability kept them. */
function removeLeftOut(outline: Outline, { leftOut, from, to, top }: Losses, images: ReadonlySet<string | null>): void {
  const { parts, texts } = outline
  const within: Range = parts[top] ?? { from: 0, to: 0 }
  for (const number of leftOut) parts[number]?.element.remove()
  for (let number = within.from; number < within.to; number += 1) {
    const text = texts[number]
    if ((number < from || number >= to) && text !== undefined) text.node.replaceWith('')
  }
  for (const part of parts.slice(top + 1, parts[top]?.behind)) {
    const isPicture = part.element.nodeName === 'IMG' && (part.from <= from || part.from >= to)
    if (isPicture && !images.has(part.element.getAttribute('src'))) part.element.remove()
  }
}

function isData(scanned: Scanned): boolean {
  return scanned.text > MOST_COMMAS && moreCommasThan(MOST_COMMAS, scanned.html)
}

/** The body without its frame and non-content parts, if anything is left; its only `main`, if that contains most of it. */
function body(document: DomDocument, outline: Outline, scanned: Scanned): Content {
  if (scanned.mainText >= Math.min(scanned.text, 80)) removeBeside(outline)
  const [main, ...others] = document.body.querySelectorAll('main, [role=main]')
  const most = main !== undefined && others.length === 0 && spacedLength(main.textContent ?? '') > scanned.mainText / 2
  return { document, root: most ? main : document.body, lists: 0 }
}

function articleOf(document: DomDocument): DomElement | null {
  const reader = new Readability<unknown>(untyped(document), {
    disableJSONLD: true,
    keepClasses: false,
    charThreshold: 300,
    serializer: (node: unknown) => node,
  })
  const root = reader.parse()?.content
  return isElement(root) ? root : null
}

/** Characters of a trimmed text, with runs of spaces counted as one. */
function spacedLength(text: string): number {
  return pieces(text.trim(), /\S/).reduce((sum, piece) => sum + piece.replace(/\s+/g, ' ').length, 0)
}

/** The library's declared type is the DOM's, which is not part of this program. */
function untyped(document: DomDocument): ConstructorParameters<typeof Readability>[0] {
  return document
}
