import { line, pageKey } from '../../search/contract.js'
import { domainOf, type DomainRules } from '../rank/domains.js'
import type { Source } from '../run-state.js'
import { MOST_CHARACTERS, passagesOf } from '../text/passages.js'
import { publishedAt } from '../text/published.js'
import { isNearDuplicate, sketch } from '../text/sketch.js'
import type { Hit } from './searching.js'

/** Constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009). */
const FUSION = 60
const LONGEST_TITLE = 300

interface Entry {
  source: Source
  sketch: readonly number[] | null
  /** Reading was attempted. */
  isTried: boolean
  /** Its text is a near-duplicate of an earlier source. */
  isDuplicate: boolean
}

/** Search results of one research, each page once. */
export class Candidates {
  readonly #entries = new Map<string, Entry>()
  readonly #rules: DomainRules
  readonly #now: number
  /** Keys of pages whose domain the caller excludes. */
  readonly #refused = new Set<string>()

  /** `now` in milliseconds since 1970. */
  constructor(rules: DomainRules, now: number) {
    this.#rules = rules
    this.#now = now
  }

  /** Adds results; a repeated one counts as found again. */
  add(hits: readonly Hit[]): void {
    for (const hit of hits) {
      const key = pageKey(hit.url)
      const known = this.#entries.get(key)
      const found = 1 / (FUSION + hit.place)
      if (known !== undefined) known.source = { ...known.source, found: known.source.found + found }
      else this.#addNew(key, hit, found)
    }
  }

  /** Number of distinct addresses found, of all domains. */
  get found(): number {
    return this.#entries.size + this.#refused.size
  }

  /** All sources without near-duplicates. */
  get sources(): Source[] {
    return [...this.#entries.values()].filter(({ isDuplicate }) => !isDuplicate).map(({ source }) => source)
  }

  /** Sources not tried yet. */
  get unread(): Source[] {
    return [...this.#entries.values()].filter(({ isTried }) => !isTried).map(({ source }) => source)
  }

  tried(url: string): void {
    const entry = this.#entries.get(pageKey(url))
    if (entry !== undefined) entry.isTried = true
  }

  /** Sets the text read at a source's address. False when it has no text, or is a near-duplicate. */
  read(url: string, content: string, title: string | null): boolean {
    const entry = this.#entries.get(pageKey(url))
    const text = content.slice(0, MOST_CHARACTERS)
    const passages = passagesOf(text)
    if (entry === undefined || passages.length === 0) return false
    const own = sketch(passages.flatMap(({ above, terms }) => terms.slice(above.length)))
    entry.isDuplicate = [...this.#entries.values()].some(
      (other) => other !== entry && !other.isDuplicate && other.sketch !== null && isNearDuplicate(own, other.sketch),
    )
    entry.sketch = own
    const { source } = entry
    const named = source.title === source.domain && title !== null ? line(title, LONGEST_TITLE) : source.title
    const published = source.published ?? publishedAt(url, this.#now, source.snippet, text)
    entry.source = { ...source, title: named === '' ? source.title : named, text, passages, published }
    return !entry.isDuplicate
  }

  #addNew(key: string, hit: Hit, found: number): void {
    const domain = domainOf(hit.url)
    if (!this.#rules.allow(domain)) {
      this.#refused.add(key)
      return
    }
    const published = publishedAt(hit.url, this.#now, hit.published, hit.snippet)
    const source: Source = {
      url: hit.url,
      title: hit.title,
      domain,
      snippet: hit.snippet,
      type: hit.type,
      published,
      found,
      text: null,
      passages: passagesOf(hit.snippet ?? ''),
    }
    this.#entries.set(key, { source, sketch: null, isTried: hit.abstract !== null, isDuplicate: false })
    if (hit.abstract !== null) this.read(hit.url, hit.abstract, null)
  }
}
