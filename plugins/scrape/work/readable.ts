import { Readability } from '@mozilla/readability'
import { moreCommasThan } from './commas.js'
import { isElement, parseBody, type DomDocument, type DomElement } from './dom.js'
import { removeBeside } from './beside.js'
import { Outline } from './outline.js'
import { pieces } from './pieces.js'
import type { Scanned } from './scan.js'
import { judge } from './choice.js'

/** The part of a page that is its content. */
export interface Readable {
  readonly document: DomDocument
  readonly root: DomElement
}

/** Characters of text below which a choice is no article. */
const ENOUGH = 250
/** Elements beyond which Readability takes seconds. */
const MOST = 15_000
/** Commas beyond which a page is data: Readability makes a list of the parts between them, three times, of 20 bytes and more each. */
const MOST_COMMAS = 200_000
/** Share of text inside links beyond which a page without a heading is a list of links, of which Readability keeps next to nothing. */
const LISTING = 0.6

/** Finds the content of a page: Readability's choice, unless the part around the heading or the whole body is clearly better. */
export function readable(scanned: Scanned): Readable {
  const document = parseBody(scanned.html)
  if (scanned.text < ENOUGH || scanned.elements > MOST || isData(scanned)) return body(document, scanned)
  const outline = new Outline(document, scanned.head.title)
  if (outline.heading === null && scanned.linkText > scanned.mainText * LISTING) return body(document, scanned)
  const root = articleOf(document)
  const own = spacedLength(root?.textContent ?? '')
  const better = root === null || own < ENOUGH ? 'body' : judge(outline, root, own)
  if (root !== null && better === 'choice') return { document, root }
  // Readability has taken the document apart.
  const anew = parseBody(scanned.html)
  if (better === 'body' || better === 'choice') return body(anew, scanned)
  const part = new Outline(anew, scanned.head.title).around[better.level]?.element
  if (part === undefined) return body(anew, scanned)
  removeBeside(part)
  return { document: anew, root: part }
}

function isData(scanned: Scanned): boolean {
  return scanned.text > MOST_COMMAS && moreCommasThan(MOST_COMMAS, scanned.html)
}

/** The body without what frames it or stands beside it, as long as anything is left; its only `main`, where most of that is in it. */
function body(document: DomDocument, scanned: Scanned): Readable {
  if (scanned.mainText >= Math.min(scanned.text, 80)) removeBeside(document.body)
  const [main, ...others] = document.body.querySelectorAll('main, [role=main]')
  const most = main !== undefined && others.length === 0 && spacedLength(main.textContent ?? '') > scanned.mainText / 2
  return { document, root: most ? main : document.body }
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

/** Characters of a text without spaces around it, each run of spaces counted as one. */
function spacedLength(text: string): number {
  return pieces(text.trim(), /\S/).reduce((sum, piece) => sum + piece.replace(/\s+/g, ' ').length, 0)
}

/** The library's declared type is the DOM's, which is not part of this program. */
function untyped(document: DomDocument): ConstructorParameters<typeof Readability>[0] {
  return document
}
