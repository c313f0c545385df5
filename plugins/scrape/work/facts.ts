import { verdictOf, type Verdict } from './block-page.js'
import { authorOf } from './facts/author.js'
import { Budget } from './facts/budget.js'
import { datesOf } from './facts/dates-of.js'
import { jsonLdItems, unreadBlocks } from './facts/json-ld.js'
import { FactsReader } from './facts/reader.js'
import { LIMITS, OverLimit } from './limits.js'
import { textOf, type Source } from './source.js'
import { readStructured } from './structured.js'
import { summaryOf } from './summary.js'
import type { PageFacts } from '../facts-contract.js'

export interface FactsInput {
  readonly html: Source
  /** Address of the document, to resolve relative addresses. */
  readonly url: string
  /** The requested address. */
  readonly asked: string
}

export interface FactsRead {
  readonly facts: PageFacts
  /** What the page is instead of its content, or null. */
  readonly verdict: Verdict | null
}
export type FactsOutput = FactsRead | { readonly limit: string }

/** Reads the metadata of a page, in one pass over its markup. Runs in a worker thread, like the extraction of its content. */
export default function facts({ html, url, asked }: FactsInput): FactsOutput {
  const markup = textOf(html)
  if (markup.length > LIMITS.bytes) return { limit: `the page is larger than ${LIMITS.bytes} characters` }
  try {
    const reader = new FactsReader(url)
    reader.read(markup)
    const { head, text, hasPassword } = reader
    const seen = { html: markup, title: head.title, heading: head.firstHeading, text, mainText: text, hasPassword, asked, url }
    return { facts: factsOf(reader, url), verdict: verdictOf(seen) }
  } catch (error) {
    if (error instanceof OverLimit) return { limit: error.message }
    throw error
  }
}

function factsOf({ head, links, headings, bylines, tables, microdata, rdfa, times }: FactsReader, url: string): PageFacts {
  const budget = new Budget()
  const unread = unreadBlocks(head.jsonLd)
  const items = { json_ld: jsonLdItems(head.jsonLd, budget), microdata: microdata.result(budget), rdfa: rdfa.result(budget) }
  return {
    url,
    ...summaryOf(head, readStructured(head.jsonLd)),
    author: authorOf(head, [...items.json_ld, ...items.microdata, ...items.rdfa], bylines),
    site_name: head.meta('og:site_name', 'application-name', 'apple-mobile-web-app-title'),
    keywords: listOf(head.meta('keywords', 'news_keywords')),
    robots: listOf(head.meta('robots')?.toLowerCase() ?? null),
    generator: head.meta('generator'),
    language: head.lang ?? head.meta('content-language', 'dc.language', 'dcterms.language', 'og:locale'),
    theme_color: head.meta('theme-color', 'msapplication-tilecolor'),
    canonical: links.canonical,
    manifest: links.manifest,
    translations: links.translations,
    feeds: links.feeds,
    icons: links.icons,
    open_graph: head.metaBelow('og:'),
    twitter: head.metaBelow('twitter:'),
    dublin_core: { ...head.metaBelow('dc.'), ...head.metaBelow('dcterms.') },
    ...items,
    ...(unread === 0 ? {} : { json_ld_unread: unread }),
    ...datesOf(head, [...items.json_ld, ...items.microdata, ...items.rdfa], times),
    headings: headings.found,
    social: links.social,
    emails: links.emails,
    phones: links.phones,
    tables: tables.result(),
  }
}

function listOf(text: string | null): string[] {
  const parts = (text ?? '').split(',').map((part) => part.trim())
  return [...new Set(parts)].filter((part) => part !== '').slice(0, 100)
}
