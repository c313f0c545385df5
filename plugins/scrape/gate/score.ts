import { Readability } from '@mozilla/readability'
import { parseDocument } from '../work/dom.js'
import extract from '../work/extract.js'
import type { GatePage } from './corpus.js'
import { textOfElement, textOfMarkdown } from './plain.js'
import { tokenF1 } from './words.js'

/** Tolerance below the score of plain Readability. */
export const SLACK = 0.01

export interface Score {
  readonly page: GatePage
  readonly ours: number
  readonly readability: number
}

/** Token F1 against the reference text, of our Markdown and of Readability with its defaults. */
export function scoreOf(page: GatePage): Score {
  const read = extract({ html: page.html, url: 'https://a.example/docs/page.html', output: 'markdown', selector: null })
  const markdown = 'limit' in read ? '' : read.content
  return { page, ours: tokenF1(textOfMarkdown(markdown), page.gold), readability: tokenF1(readabilityText(page.html), page.gold) }
}

/** Readability's choice, with a space at the borders of elements, which its own `textContent` lacks; empty when it found no article. */
function readabilityText(html: string): string {
  const document: unknown = parseDocument(html)
  const content = new Readability<string>(untyped(document)).parse()?.content
  return typeof content === 'string' ? textOfElement(parseDocument(`<!doctype html><html><body>${content}</body></html>`).body) : ''
}

function untyped(document: unknown): ConstructorParameters<typeof Readability>[0] {
  return document
}
