import { Readability } from '@mozilla/readability'
import { moreCommasThan } from './commas.js'
import { isElement, parseBody, type DomDocument, type DomElement } from './dom.js'
import { pieces } from './pieces.js'
import { scan, type Scanned, type ScanOptions } from './scan.js'

/** The part of a page that is its content. */
export interface Readable {
  readonly document: DomDocument
  readonly root: DomElement
}

const ENOUGH = 250
const SHARE = 0.3
/** Elements beyond which Readability takes seconds. */
const MOST = 15_000
/** Commas beyond which a page is data: Readability makes a list of the parts between them, three times, of 20 bytes and more each. */
const MOST_COMMAS = 200_000
/** Share of text inside links beyond which a page is a list of links, of which Readability keeps next to nothing. */
const LISTING = 0.6

/**
 * Finds the content of a page: Readability's choice when it kept a fair share of the text beside navigation, else the whole
 * body without what frames it.
 */
export function readable(html: string, scanned: Scanned, options: ScanOptions): Readable {
  const article = choose(scanned)
  if (article !== null) return article
  const bare = scan(html, { ...options, bare: true })
  const body = parseBody(bare.text >= Math.min(scanned.text, 80) ? bare.html : scanned.html)
  return { document: body, root: body.body }
}

function choose(scanned: Scanned): Readable | null {
  if (scanned.text < ENOUGH || scanned.elements > MOST || scanned.linkText > scanned.mainText * LISTING) return null
  if (scanned.text > MOST_COMMAS && moreCommasThan(MOST_COMMAS, scanned.html)) return null
  const document = parseBody(scanned.html)
  const reader = new Readability<unknown>(untyped(document), {
    disableJSONLD: true,
    keepClasses: false,
    charThreshold: 300,
    serializer: (node: unknown) => node,
  })
  const root = reader.parse()?.content
  if (!isElement(root)) return null
  const size = spacedLength(root.textContent ?? '')
  return size >= ENOUGH && size >= scanned.mainText * SHARE ? { document, root } : null
}

/** Characters of a text without spaces around it, each run of spaces counted as one. */
function spacedLength(text: string): number {
  return pieces(text.trim(), /\S/).reduce((sum, piece) => sum + piece.replace(/\s+/g, ' ').length, 0)
}

/** The library's declared type is the DOM's, which is not part of this program. */
function untyped(document: DomDocument): ConstructorParameters<typeof Readability>[0] {
  return document
}
