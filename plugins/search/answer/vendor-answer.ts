import { sentences } from '../../_shared/sentences.js'
import type { Answered, Question } from '../contract.js'
import { NOTHING, pageKey, ranked, type Hit } from '../result.js'
import { lines, link } from '../text.js'
import { marker, type Source } from './citing.js'
import { hostsOf, withoutLinks } from './links.js'
import { terms } from './words.js'

const MOST_SOURCES = 20
const LONGEST = 8000
/** Minimum share of a sentence's terms in a source for the sentence to be marked with it. */
const SUPPORT = 0.5
const MARKER = /\[(\d{1,3})\]/g

/**
 * A vendor's answer from its own sources. The citations are all its sources in its order; the text gets markers where
 * it links to a source, and otherwise each sentence is marked with the source that shares most of its words. Null
 * without answer or sources.
 */
export function vendorAnswer(text: string, hits: readonly Hit[], { num_results }: Question): Answered | null {
  const sources = ranked(hits, MOST_SOURCES)
  const numbers = new Map(sources.map(({ url }, at) => [pageKey(url), at + 1]))
  const numberOf = (url: string): number | undefined => numbers.get(pageKey(link(url) ?? ''))
  const linked = withoutLinks(text, {
    marker: (url) => (numberOf(url) === undefined ? null : `[${numberOf(url)}]`),
    hosts: hostsOf(sources.map(({ url }) => url)),
  }).replace(MARKER, (mark, n: string) => (Number(n) >= 1 && Number(n) <= sources.length ? mark : ''))
  const clean = lines(linked, LONGEST)
  if (clean === '' || sources.length === 0) return null
  return {
    ...NOTHING,
    answer: clean.search(MARKER) === -1 ? attributed(clean, sources) : clean,
    citations: sources.map(({ title, url, snippet }, at) => ({ index: at + 1, title, url, snippet })),
    organic_results: sources.slice(0, num_results),
    method: 'vendor',
  }
}

function attributed(answer: string, sources: readonly Source[]): string {
  const held = sources.map(({ title, snippet }) => new Set(terms(`${title} ${snippet ?? ''}`)))
  const marked = answer.split('\n').map((row) =>
    sentences(row)
      .map((sentence) => withSupport(sentence, held, SUPPORT))
      .join(' '),
  )
  const text = marked.join('\n')
  return text === answer || text.search(MARKER) === -1 ? withSupport(answer, held, 0) : text
}

/** The sentence with the marker of the source that contains most of its terms, if at least the required share. */
function withSupport(sentence: string, held: readonly ReadonlySet<string>[], least: number): string {
  const own = terms(sentence)
  const shares = held.map((source) => own.filter((term) => source.has(term)).length / Math.max(1, own.length))
  const best = shares.reduce((top, share, at) => (share > (shares[top] ?? 0) ? at : top), 0)
  return (shares[best] ?? 0) >= least && own.length > 0 ? marker(sentence, `[${best + 1}]`) : sentence
}
