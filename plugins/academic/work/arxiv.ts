import { Parser } from 'htmlparser2'

/** A paper as described by arXiv; absent texts are empty. */
export interface ArxivEntry {
  readonly id: string
  readonly title: string
  readonly summary: string
  readonly published: string
  readonly authors: readonly string[]
  readonly doi: string
  readonly journal: string
  readonly page: string
  readonly pdf: string
}

export interface ArxivFeed {
  /** False when the document is not a feed or is truncated. */
  readonly understood: boolean
  /** Number of matching papers; the feed has some of them. */
  readonly total: number
  readonly entries: readonly ArxivEntry[]
}

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

/** Prefixes for the namespaces that are read; other elements have none. */
const SPACES = new Map([
  ['http://www.w3.org/2005/Atom', 'atom'],
  ['http://a9.com/-/spec/opensearch/1.1/', 'opensearch'],
  ['http://arxiv.org/schemas/atom', 'arxiv'],
])
const DEEPEST = 20

/** Reads a feed of arXiv's search. Elements are identified by their namespace, whatever prefix it has. */
export default function readFeed(xml: string): ArxivFeed {
  const feed = /<!(?:DOCTYPE|ENTITY)/i.test(xml) ? null : rootOf(xml)
  if (feed?.name !== 'atom feed') return { understood: false, total: 0, entries: [] }
  const total = Number(textOf(feed, 'opensearch totalResults'))
  return {
    understood: Number.isInteger(total),
    total: Number.isInteger(total) ? total : 0,
    entries: all(feed, 'atom entry').map(entryOf),
  }
}

function entryOf(entry: Element): ArxivEntry {
  const links = all(entry, 'atom link').map(({ attributes }) => attributes)
  return {
    id: textOf(entry, 'atom id'),
    title: textOf(entry, 'atom title'),
    summary: textOf(entry, 'atom summary'),
    published: textOf(entry, 'atom published'),
    authors: all(entry, 'atom author').map((author) => textOf(author, 'atom name')),
    doi: textOf(entry, 'arxiv doi'),
    journal: textOf(entry, 'arxiv journal_ref'),
    page: links.find(({ rel }) => rel === 'alternate')?.['href'] ?? '',
    pdf: links.find(({ title }) => title === 'pdf')?.['href'] ?? '',
  }
}

/** The root of a complete document; null for one that is truncated or nested too deeply. */
function rootOf(xml: string): Element | null {
  const document: Element = { name: '', attributes: {}, children: [], text: '' }
  const open: { readonly element: Element; readonly prefixes: ReadonlyMap<string, string> }[] = [{ element: document, prefixes: new Map() }]
  let whole = true
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        const around = open.at(-1)
        if (around === undefined || open.length > DEEPEST) return void (whole = false)
        const prefixes = prefixesOf(attributes, around.prefixes)
        const element = { name: qualified(name, prefixes), attributes, children: [], text: '' }
        around.element.children.push(element)
        open.push({ element, prefixes })
      },
      ontext: (text) => {
        const inside = open.at(-1)
        if (inside !== undefined) inside.element.text += text
      },
      onclosetag: () => void open.pop(),
    },
    { xmlMode: true },
  )
  parser.write(xml)
  // The parser closes elements that are still open at the end.
  if (open.length > 1) whole = false
  parser.end()
  return whole ? (document.children[0] ?? null) : null
}

function prefixesOf(attributes: Readonly<Record<string, string>>, around: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const own = Object.entries(attributes).filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'))
  return own.length === 0 ? around : new Map([...around, ...own.map(([name, uri]): [string, string] => [name.slice(6), uri])])
}

function qualified(name: string, prefixes: ReadonlyMap<string, string>): string {
  const colon = name.indexOf(':')
  const space = SPACES.get(prefixes.get(colon === -1 ? '' : name.slice(0, colon)) ?? '')
  return space === undefined ? '' : `${space} ${name.slice(colon + 1)}`
}

function all(element: Element, name: string): Element[] {
  return element.children.filter((child) => child.name === name)
}

function textOf(element: Element, name: string): string {
  return all(element, name)[0]?.text.trim() ?? ''
}
