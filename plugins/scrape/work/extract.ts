import { verdictOf, type Verdict } from './block-page.js'
import { cleanHtml } from './clean-html.js'
import { parseDocument, type DomDocument, type DomElement } from './dom.js'
import { tidy, type Head } from './head.js'
import { LIMITS, OverLimit } from './limits.js'
import { toMarkdown } from './markdown.js'
import { readable, type Readable } from './readable.js'
import { scan, type Scanned } from './scan.js'
import { textOf, type Source } from './source.js'
import { readStructured } from './structured.js'
import { summaryOf } from './summary.js'

export interface ExtractInput {
  readonly html: Source
  /** Address of the document, to resolve relative addresses. */
  readonly url: string
  /** The requested address, if different. */
  readonly asked?: string
  readonly output: 'markdown' | 'html'
  /** Selector that must match in the unmodified markup, or null. */
  readonly selector: string | null
  /** The markup was generated here: all of it is content. */
  readonly whole?: boolean
}

/** The content of a page; or only `limit` when it exceeded one. */
export interface Extracted {
  readonly content: string
  readonly title: string | null
  readonly description: string | null
  readonly links: readonly string[]
  readonly lang: string | null
  /** What the page is instead of its content, or null. */
  readonly verdict: Verdict | null
  readonly refresh: string | null
  /** False when the selector matched nothing, null when there was none or it is invalid. */
  readonly matched: boolean | null
  readonly badSelector: boolean
  /** Notes for the caller on content that was left out. */
  readonly notes: readonly string[]
}
export type ExtractOutput = Extracted | { readonly limit: string }

/**
 * Characters of visible text below which hidden text is the content of a page, unless the visible text is an article.
 */
const HIDDEN = 100
const SKELETON = 250
/** Characters of hidden text from which a note reports its omission. */
const NOTED = 200

/** The input with the document as text. */
type Decoded = ExtractInput & { readonly html: string }

/** Extracts one page. Runs in a worker thread: untrusted text, and steps that a hostile page could slow down. */
export default function extract(input: ExtractInput): ExtractOutput {
  try {
    return read({ ...input, html: textOf(input.html) })
  } catch (error) {
    if (error instanceof OverLimit) return { limit: error.message }
    throw error
  }
}

function read(input: Decoded): Extracted {
  const visible = scan(input.html, { url: input.url })
  let [scanned, found] = [visible, content(input, visible)]
  if (input.whole !== true && isSkeleton(visible)) {
    const full = scan(input.html, { url: input.url, keepHidden: 'text' })
    const text = content(input, full)
    if (text.content !== '') [scanned, found] = [full, text]
  }
  if (found.content === '' && scanned.hidden) {
    scanned = scan(input.html, { url: input.url, keepHidden: 'all' })
    found = content(input, scanned)
  }
  const { head } = scanned
  const structured = readStructured(head.jsonLd)
  const fallback = found.content === '' ? escapeFor(input.output, structured.body) || frames(head, input.output) : found.content
  return {
    content: fallback,
    ...summaryOf(head, structured),
    links: scanned.links,
    lang: head.lang,
    verdict: input.whole === true ? null : verdict(input, visible, scanned),
    refresh: head.refresh,
    notes: [...found.notes, ...hiddenNotes(scanned)],
    ...selected(input, scanned),
  }
}

/** Visible text is small compared to hidden text, which scripts were to show. */
function isSkeleton({ mainText, linkText, hiddenText: { characters } }: Scanned): boolean {
  return characters >= HIDDEN && characters > mainText - linkText && mainText - linkText < SKELETON
}

function hiddenNotes({ hiddenText: { parts, characters } }: Scanned): string[] {
  if (characters < NOTED) return []
  const size = characters.toLocaleString('en-US')
  return [
    `${parts === 1 ? 'A hidden part' : `${parts} hidden parts`} of the page with ${size} characters of text ${parts === 1 ? 'was' : 'were'} left out.`,
  ]
}

/** What the page is instead of its content. A page without visible text is not empty when its content is in hidden parts. */
function verdict({ html, url, asked = url }: Decoded, visible: Scanned, read: Scanned): Verdict | null {
  const of = ({ head, text, mainText, hasPassword }: Scanned): Verdict | null =>
    verdictOf({ html, title: head.title, heading: head.firstHeading, text, mainText, hasPassword, asked, url })
  const seen = of(visible)
  return read !== visible && seen?.kind === 'empty' ? of(read) : seen
}

function content(input: Decoded, scanned: Scanned): { readonly content: string; readonly notes: readonly string[] } {
  if (scanned.text === 0 && !scanned.html.includes('<img')) return { content: '', notes: [] }
  const { document, root, notes } = input.whole === true ? whole(scanned) : readable(scanned)
  restoreHeading(document, root, scanned.head)
  return { content: input.output === 'html' ? cleanHtml(root) : toMarkdown(document, root), notes }
}

function whole(scanned: Scanned): Readable {
  const document = parseDocument(`<!doctype html><html><head></head><body>${scanned.html}</body></html>`)
  return { document, root: document.body, notes: [] }
}

/** Puts the page's first heading, which Readability treats as the title, back at the top. */
function restoreHeading(document: DomDocument, root: DomElement, head: Head): void {
  const heading = head.firstHeading
  if (heading === null || root.querySelector('h1') !== null) return
  const same = [...root.querySelectorAll('h2')].find((candidate) => tidy(candidate.textContent ?? '', 500) === heading)
  if (same !== undefined) {
    const h1 = document.createElement('h1')
    h1.append(...[...same.childNodes])
    same.replaceWith(h1)
    return
  }
  const h1 = document.createElement('h1')
  h1.append(heading)
  root.prepend(h1)
}

function frames(head: Head, output: 'markdown' | 'html'): string {
  if (head.frames.length === 0) return ''
  if (output === 'html')
    return `<ul>${head.frames.map(({ url, name }) => `<li><a href="${escape(url)}">${escape(name)}</a></li>`).join('')}</ul>`
  return head.frames.map(({ url, name }) => `- [${name}](${url})`).join('\n')
}

function escapeFor(output: 'markdown' | 'html', body: string | null): string {
  if (body === null) return ''
  const text = body
    .replace(/<[^>]{0,1000}>/g, '')
    .trim()
    .slice(0, LIMITS.bytes)
  return output === 'html'
    ? text
        .split(/\n+/)
        .map((line) => `<p>${escape(line)}</p>`)
        .join('')
    : text.replace(/\n{3,}/g, '\n\n')
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

function selected(input: Decoded, scanned: Scanned): { matched: boolean | null; badSelector: boolean } {
  if (input.selector === null) return { matched: null, badSelector: false }
  if (scanned.deepest > LIMITS.depth) return { matched: false, badSelector: false }
  const document = parseDocument(
    /<html[\s>]/i.test(input.html) ? input.html : `<!doctype html><html><head></head><body>${input.html}</body></html>`,
  )
  try {
    return { matched: document.querySelector(input.selector) !== null, badSelector: false }
  } catch (error) {
    if (error instanceof Error) return { matched: null, badSelector: true }
    throw error
  }
}
