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
  const places = new Map<string, number>()
  const list: Organic[] = []
  for (const hit of hits) {
    const url = link(hit.url)
    if (url === null) continue
    const key = pageKey(url)
    const place = places.get(key)
    const known = place === undefined ? undefined : list[place]
    if (known !== undefined && place !== undefined) {
      // One page by both schemes: the safe one.
      if (known.url.startsWith('http:') && url.startsWith('https:')) list[place] = { ...known, url }
      continue
    }
    if (list.length === wanted) continue
    places.set(key, list.length)
    list.push({
      url,
      title: lineOrNull(hit.title, TITLE) ?? new URL(url).hostname,
      snippet: lineOrNull(hit.snippet, SNIPPET),
      position: list.length + 1,
    })
  }
  return list
}

/** Parameters by which advertisers and senders of mail count visits; none of them changes the page. */
const TRACKING =
  /^(?:utm_[a-z_]+|fbclid|gclid|gclsrc|gbraid|wbraid|dclid|msclkid|yclid|ysclid|twclid|ttclid|igshid|li_fat_id|mc_cid|mc_eid|_hsenc|_hsmi|mkt_tok|srsltid|_ga|_gl|vero_id|oly_enc_id|oly_anon_id)$/i

/**
 * What makes two links the same page: everything but the scheme, parameters that count visits, a slash at the end, and a fragment that is no
 * route of the page (`#/…`, `#!…`).
 */
export function pageKey(url: string): string {
  const [address = '', fragment = ''] = url.split(/#(.*)/s, 2)
  const [path = '', query = ''] = address.split(/\?(.*)/s, 2)
  const kept = query.split('&').filter((pair) => pair !== '' && !TRACKING.test(pair.split('=', 1)[0] ?? ''))
  const bare = path.replace(/^https?:/, '')
  const route = /^!?\//.test(fragment) || /^!./.test(fragment) ? `#${fragment}` : ''
  return `${bare.endsWith('/') ? bare.slice(0, -1) : bare}${kept.length === 0 ? '' : `?${kept.join('&')}`}${route}`
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
