import type { FeaturedSnippet, KnowledgeGraph, Organic, Results } from './contract.js'
import { line, lineOrNull, link } from './text.js'

const TITLE = 300
const SNIPPET = 1000
const DESCRIPTION = 2000
const ATTRIBUTES = 50

/** A result as an engine gave it: nothing in it is trusted. */
export interface Hit {
  readonly url: string
  readonly title?: string | null | undefined
  readonly snippet?: string | null | undefined
}

export interface RawKnowledge {
  readonly title?: string | null | undefined
  readonly type?: string | null | undefined
  readonly description?: string | null | undefined
  readonly url?: string | null | undefined
  readonly image_url?: string | null | undefined
  /** Facts by name; values that are no text or number are left out. */
  readonly attributes?: readonly (readonly [string, unknown])[]
}

export interface RawFeatured {
  readonly title?: string | null | undefined
  readonly text?: string | null | undefined
  readonly url?: string | null | undefined
}

/** What nobody found. */
export const NOTHING: Results = { organic_results: [], knowledge_graph: null, featured_snippet: null }

/** Results in our form: http links only, each once, numbered from 1, cut to the wanted number, all text cleaned and bounded. */
export function resultsOf(
  hits: readonly Hit[],
  wanted: number,
  extras: { knowledge?: RawKnowledge | null; featured?: RawFeatured | null } = {},
): Results {
  return {
    organic_results: ranked(hits, wanted),
    knowledge_graph: knowledgeOf(extras.knowledge),
    featured_snippet: featuredOf(extras.featured),
  }
}

/** The list alone, cleaned and numbered anew. */
export function ranked(hits: readonly Hit[], wanted: number): Organic[] {
  const seen = new Set<string>()
  const list: Organic[] = []
  for (const hit of hits) {
    const url = link(hit.url)
    const key = url === null ? '' : pageKey(url)
    if (url === null || seen.has(key)) continue
    if (list.length === wanted) break
    seen.add(key)
    list.push({
      url,
      title: lineOrNull(hit.title, TITLE) ?? new URL(url).hostname,
      snippet: lineOrNull(hit.snippet, SNIPPET),
      position: list.length + 1,
    })
  }
  return list
}

/** What makes two links the same page: everything but the fragment and a slash at the end. */
export function pageKey(url: string): string {
  const bare = url.split('#', 1)[0] ?? url
  return bare.endsWith('/') ? bare.slice(0, -1) : bare
}

function knowledgeOf(raw: RawKnowledge | null | undefined): KnowledgeGraph | null {
  const title = lineOrNull(raw?.title, TITLE)
  if (raw === null || raw === undefined || title === null) return null
  const pairs = (raw.attributes ?? []).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[line(name, 100), line(String(value), 500)] as const] : [],
  )
  return {
    title,
    type: lineOrNull(raw.type, TITLE),
    description: lineOrNull(raw.description, DESCRIPTION),
    url: link(raw.url),
    image_url: link(raw.image_url),
    attributes: Object.fromEntries(pairs.filter(([name, value]) => name !== '' && value !== '').slice(0, ATTRIBUTES)),
  }
}

function featuredOf(raw: RawFeatured | null | undefined): FeaturedSnippet | null {
  const text = lineOrNull(raw?.text, DESCRIPTION)
  return text === null ? null : { title: lineOrNull(raw?.title, TITLE), text, url: link(raw?.url) }
}

/** The members of an object of unknown shape, none for anything else. */
export function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
}
