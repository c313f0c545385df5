import { Parser } from 'htmlparser2'
import { Fault } from '../../../core/sdk/fault.js'
import { field } from './read.js'

const MAX_DEPTH = 1_000

/** Metadata and body of an HTML document. */
export interface Markup {
  readonly html: string
  readonly title: string | null
  readonly language: string | null
  /** Values of meta elements, by name in lower case. */
  readonly meta: ReadonlyMap<string, string>
  readonly links: readonly string[]
  /** Pictures that are not on the web, such as those in a book. */
  readonly pictures: number
}

/** Parses HTML in one pass. Throws Fault `invalid` for nesting deeper than 1,000, which the Markdown library does not support. */
export function bodyOf(html: string): Markup {
  const meta = new Map<string, string>()
  const links: string[] = []
  let [title, language, inTitle, start, end, depth, pictures] = ['', '', false, 0, html.length, 0, 0]
  const parser = new Parser({
    onopentag: (name, attributes) => {
      depth += 1
      if (depth > MAX_DEPTH) throw new Fault('invalid', 'The file is not read: it is nested too deeply.')
      if (name === 'title' && title === '') inTitle = true
      else if (name === 'html') language = attributes['lang'] ?? attributes['xml:lang'] ?? ''
      else if (name === 'body' && start === 0) start = parser.endIndex + 1
      else if (name === 'a' && links.length < 10_000 && attributes['href'] !== undefined) links.push(attributes['href'])
      else if (name === 'image' || (name === 'img' && !/^https?:/i.test(attributes['src'] ?? ''))) pictures += 1
      else if (name === 'meta' && meta.size < 100)
        meta.set((attributes['name'] ?? attributes['property'] ?? '').toLowerCase(), attributes['content'] ?? '')
    },
    ontext: (text) => {
      if (inTitle && title.length < 2_000) title += text
    },
    onclosetag: (name, isImplied) => {
      depth -= 1
      if (name === 'title') inTitle = false
      else if (name === 'body' && !isImplied) end = Math.max(start, parser.startIndex)
    },
  })
  parser.end(html)
  return { html: html.slice(start, end), title: field(title), language: field(language), meta, links, pictures }
}
