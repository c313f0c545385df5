import type { FeaturedSnippet, KnowledgeGraph, Organic, Results } from './contract.js'
import { parseUrl } from '../../core/sdk/index.js'
import { line, lineOrNull, link, linked } from './text.js'

const TITLE = 300
const SNIPPET = 1000
const DESCRIPTION = 2000
const ATTRIBUTES = 50

/** An untrusted result of an engine. */
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
  /** Facts by name; values other than text and numbers are left out. */
  readonly attributes?: readonly (readonly [string, unknown])[]
}

export interface RawFeatured {
  readonly title?: string | null | undefined
  readonly text?: string | null | undefined
  readonly url?: string | null | undefined
}

/** An empty result. */
export const NOTHING: Results = { organic_results: [], knowledge_graph: null, featured_snippet: null }

/** Results in the common form: only http links, distinct, numbered from 1, cut to the wanted number, all text cleaned and bounded. */
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

/** Only the list, cleaned and renumbered. */
export function ranked(hits: readonly Hit[], wanted: number): Organic[] {
  const places = new Map<string, number>()
  const list: Organic[] = []
  for (const hit of hits) {
    const address = linked(hit.url)
    if (address === null) continue
    const url = address.href
    const key = keyOf(address)
    const place = places.get(key)
    const before = place === undefined ? undefined : list[place]
    if (place !== undefined && before !== undefined) {
      if (before.url.startsWith('http:') && url.startsWith('https:')) list[place] = { ...before, url }
      continue
    }
    if (list.length === wanted) break
    places.set(key, list.length)
    list.push({
      url,
      title: lineOrNull(hit.title, TITLE) ?? address.hostname,
      snippet: lineOrNull(hit.snippet, SNIPPET),
      position: list.length + 1,
    })
  }
  return list
}

/** Tracking parameters, which do not affect the page. */
const TRACKING = new Set(
  (
    'fbclid gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid msclkid yclid ysclid twclid ttclid li_fat_id igshid igsh mc_cid mc_eid mkt_tok ' +
    '_ga _gl _hsenc _hsmi srsltid ref_src ref_url vero_id vero_conv oly_enc_id oly_anon_id _openstat wickedid spm cmpid'
  ).split(' '),
)
const ENCODED = /%[\da-f]{2}/gi
/** Characters equivalent with and without encoding (RFC 3986 2.3). */
const PLAIN = /[\w.~-]/
/** A fragment that client-side routers use as a route. */
const ROUTE = /^#!?\//

/**
 * The key by which two links are the same page: host without `www.`, normalised path without a trailing slash or
 * index file, sorted parameters without tracking ones, and a fragment that is a route; http and https are equal.
 */
export function pageKey(text: string): string {
  const url = parseUrl(text)
  return url === null ? text : keyOf(url)
}

function keyOf(url: URL): string {
  // Parsing the parameters takes longer than everything else.
  const named = url.search === '' ? [] : [...url.searchParams]
  const parameters = named
    .filter(([name]) => !TRACKING.has(name.toLowerCase()) && !/^utm_/i.test(name))
    .sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
  const host = url.host.replace(/^www\./, '')
  const path = url.pathname
    .replace(ENCODED, decodedIfPlain)
    .replace(/\/index\.(?:html?|php)$/, '/')
    .replace(/\/$/, '')
  // Neither a path nor a fragment of a parsed address contains quotes or the other's first character.
  return `${host}${path}${parameters.length === 0 ? '' : JSON.stringify(parameters)}${ROUTE.test(url.hash) ? url.hash : ''}`
}

/** A percent-encoded byte in the normal form of RFC 3986 6.2.2. */
function decodedIfPlain(encoded: string): string {
  const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
  return PLAIN.test(character) ? character : encoded.toUpperCase()
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

/** The entries of an untyped object, empty for anything else. */
export function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
}
