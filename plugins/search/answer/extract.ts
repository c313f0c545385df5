import { sentences } from '../../_shared/sentences.js'
import { bm25 } from './bm25.js'
import { cited, marker, type Cited, type Source } from './citing.js'
import { isAddress } from './links.js'
import { terms, topic, UNSPACED } from './words.js'

/** Weight of relevance against novelty (MMR, Carbonell and Goldstein 1998). */
const RELEVANCE = 0.7
/** Share of common terms above which two sentences count as the same. */
const SAME = 0.6
const MOST_SENTENCES = 5
const MOST_CHARACTERS = 1200
/** Number of best sentences from which MMR selects. */
const POOL = 40
const SHORTEST = 30
const LONGEST = 400
const FEWEST_TERMS = 4
/** Minimum length of an informative sentence; other scripts need fewer characters. */
/** A single letter or digit, without meaning. */
const LONE = /^[a-z0-9]$/
const LATIN = /^[\u0020-\u024f\u2010-\u2030]*$/
/** Sentences read per source. */
const MOST_OF_A_SOURCE = 400

/** Minimum share of the query an answer must cover, with terms weighted by rarity: otherwise the sentences are about a related subject. */
const COVERED = 0.6
/** The same in scripts without spaces, where pairs of characters span words and include question words. */
const COVERED_PAIRS = 0.2

/** A source with the text for taking sentences. */
export interface ReadSource extends Source {
  readonly text: string
}

interface Candidate {
  readonly source: number
  readonly text: string
  readonly terms: ReadonlySet<string>
  readonly score: number
}

/**
 * An answer made of sentences of the sources, without a model. Each sentence scores by BM25 against the query,
 * slightly more for sources ranked higher (1 (1 + 0.1 rank)) and for an early position in its text (up to a fifth);
 * MMR then selects the best distinct ones, up to five. Each is followed by its marker. Null when they do not cover
 * enough of the query, which the results then do not answer.
 */
export function extracted(query: string, sources: readonly ReadSource[]): Cited | null {
  const wanted = topic(query).filter((term) => !LONE.test(term))
  const pool = candidates(wanted, sources)
  const chosen = diverse(pool)
  if (coverage(wanted, chosen, pool) < (wanted.some((term) => UNSPACED.test(term)) ? COVERED_PAIRS : COVERED)) return null
  return cited(chosen.map(({ text, source }) => marker(text, `[${source + 1}]`)).join(' '), sources)
}

function candidates(wanted: readonly string[], sources: readonly ReadSource[]): Candidate[] {
  const seen = new Set<string>()
  const found = sources.flatMap((source, at) => usable(source.text).map((text, place) => ({ source: at, place, text, terms: terms(text) })))
  const fresh = found.filter(({ text, terms: own }) => {
    const key = own.join(' ')
    if (own.length < FEWEST_TERMS || seen.has(key) || text.endsWith('?')) return false
    seen.add(key)
    return true
  })
  const scores = bm25(
    wanted,
    fresh.map((one) => one.terms),
  )
  return fresh
    .map((one, at) => ({ source: one.source, text: one.text, terms: new Set(one.terms), score: weighted(scores[at] ?? 0, one) }))
    .filter(({ score }) => score > 0)
    .sort((first, second) => second.score - first.score)
    .slice(0, POOL)
}

/**
 * How much of the query the chosen sentences cover, from 0 to 1. A term that few or no sentences of the pool have
 * weighs more (inverse document frequency).
 */
function coverage(wanted: readonly string[], chosen: readonly Candidate[], pool: readonly Candidate[]): number {
  let all = 0
  let held = 0
  for (const term of new Set(wanted)) {
    const holding = pool.filter(({ terms: own }) => own.has(term)).length
    const weight = Math.log(1 + (pool.length + 1) / (holding + 1))
    all += weight
    if (chosen.some(({ terms: own }) => own.has(term))) held += weight
  }
  return all === 0 ? 0 : held / all
}

function weighted(score: number, { source, place }: { source: number; place: number }): number {
  return (score / (1 + 0.1 * source)) * (1 + 0.2 * Math.exp(-place / 10))
}

/** Sentences suitable for an answer: of medium length and without addresses; footnote brackets are removed. */
function usable(text: string): string[] {
  return sentences(text)
    .slice(0, MOST_OF_A_SOURCE)
    .filter((sentence) => sentence.length <= LONGEST && !sentence.split(' ').some((word) => isAddress(word)))
    .map((sentence) =>
      sentence
        .replace(/\[[^[\]]{0,20}\]/g, '')
        .replace(/(?:\.{3}|…)$/, '.')
        .trim(),
    )
    .filter((sentence) => sentence.length >= (LATIN.test(sentence) ? SHORTEST : SHORTEST / 3))
}

function diverse(pool: readonly Candidate[]): Candidate[] {
  const best = pool[0]?.score ?? 1
  const left = new Set(pool)
  const chosen: Candidate[] = []
  let length = 0
  while (left.size > 0 && chosen.length < MOST_SENTENCES) {
    let next: Candidate | null = null
    let highest = -Infinity
    for (const candidate of left) {
      const likeness = Math.max(0, ...chosen.map((other) => alike(candidate.terms, other.terms)))
      if (likeness > SAME) left.delete(candidate)
      const value = likeness > SAME ? -Infinity : RELEVANCE * (candidate.score / best) - (1 - RELEVANCE) * likeness
      if (value > highest) [next, highest] = [candidate, value]
    }
    // Sentences with little relevance or nothing new make an answer longer, not better.
    if (next === null || next.score < best * 0.25 || highest <= 0) break
    left.delete(next)
    length += next.text.length
    if (chosen.length > 0 && length > MOST_CHARACTERS) break
    chosen.push(next)
  }
  return chosen
}

/** Share of common terms of two sentences (Jaccard). */
function alike(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0
  for (const term of one) if (other.has(term)) common++
  return common / (one.size + other.size - common)
}
