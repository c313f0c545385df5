import { Parser } from 'htmlparser2'
import { field } from './read.js'

/** What an HTML document says of itself, and its body. */
export interface Markup {
  readonly html: string
  readonly title: string | null
  readonly language: string | null
  /** Of meta elements, by name in small letters. */
  readonly meta: ReadonlyMap<string, string>
  readonly links: readonly string[]
}

/** Looks through HTML in one pass. Relative links are left out, since nobody knows to what. */
export function bodyOf(html: string): Markup {
  const meta = new Map<string, string>()
  const links: string[] = []
  let [title, language, inTitle, start, end] = ['', '', false, 0, html.length]
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (name === 'title' && title === '') inTitle = true
      else if (name === 'html') language = attributes['lang'] ?? attributes['xml:lang'] ?? ''
      else if (name === 'body' && start === 0) start = parser.endIndex + 1
      else if (name === 'a' && links.length < 10_000 && attributes['href'] !== undefined) links.push(attributes['href'])
      else if (name === 'meta' && meta.size < 100)
        meta.set((attributes['name'] ?? attributes['property'] ?? '').toLowerCase(), attributes['content'] ?? '')
    },
    ontext: (text) => {
      if (inTitle && title.length < 2_000) title += text
    },
    onclosetag: (name, isImplied) => {
      if (name === 'title') inTitle = false
      else if (name === 'body' && !isImplied) end = Math.max(start, parser.startIndex)
    },
  })
  parser.end(html)
  return { html: html.slice(start, end), title: field(title), language: field(language), meta, links }
}
