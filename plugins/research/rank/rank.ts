import { bm25, terms, topic } from '../../search/contract.js'
import type { Passage, Source } from '../run-state.js'
import { topicWords } from '../text/topic-words.js'

/** Weights of the parts of a score. */
const WEIGHTS = { passages: 0.55, title: 0.1, found: 0.15, read: 0.1, fresh: 0.05, kind: 0.05 } as const
/** Weight of the second best passage of a source. */
const SECOND = 0.25
/** Age at which freshness drops to 1 / e. */
const AGE_MS = 2 * 365 * 86_400_000
/** Factor on a source's score for each earlier source of the same domain. */
const SAME_DOMAIN = 0.93
/** Domain suffixes of institutions, whose pages are more reliable. */
const INSTITUTION = /\.(?:edu|gov|int|mil)(?:\.[a-z]{2})?$|\.ac\.[a-z]{2}$/
const FORUM = /(?:^|\.)(?:reddit|quora|facebook|twitter|x|tiktok|pinterest|instagram)\.com$/

const NONE: ReadonlySet<string> = new Set()

/** A passage of a source with its score for a question, 1 for the best. */
export interface ScoredPassage {
  readonly source: Source
  readonly passage: Passage
  readonly score: number
}

export interface RankOptions {
  /** Milliseconds since 1970. */
  readonly now: number
  /** The caller asked for recent content. */
  readonly wantsNew: boolean
}

/**
 * The passages of all sources that share a term with the question, best first: BM25 times the share of the question's
 * terms in a passage.
 */
export function scoredPassages(question: string, sources: readonly Source[]): ScoredPassage[] {
  const wanted = new Set(topic(question))
  const joined = joinedWords(question)
  const all = sources.flatMap((source) => {
    const title = terms(source.title)
    return source.passages.map((passage) => {
      const own = withParts(passage.terms, joined)
      return { source, passage, own, terms: [...title, ...own] }
    })
  })
  const raw = bm25(
    [...wanted],
    all.map((one) => one.terms),
  )
  const held = all.map(({ own }) => heldOf(own, wanted))
  const weights = rarities(wanted, held)
  const scores = raw.map((score, at) => score * (0.4 + 0.6 * share(weights, inSet(held[at] ?? NONE))))
  const best = Math.max(0, ...scores)
  return all
    .map(({ source, passage }, at) => ({ source, passage, score: best === 0 ? 0 : (scores[at] ?? 0) / best }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
}

/** How much of a question the terms cover, from 0 to 1; terms that are rare in the passages weigh more. */
export function coverage(question: string, terms: ReadonlySet<string>, sources: readonly Source[]): number {
  const wanted = new Set(topic(question))
  const documents = sources.flatMap(({ passages }) => passages.map((passage) => passage.terms))
  return weightedShare(wanted, documents)(inSet(new Set(withParts([...terms], joinedWords(question)))))
}

/**
 * How much of the terms a text covers, from 0 to 1, by the value of each in it, from 0 to 1; terms that are rare in
 * the documents weigh more.
 */
export function weightedShare(
  wanted: ReadonlySet<string>,
  documents: readonly (readonly string[])[],
): (valueOf: (term: string) => number) => number {
  const weights = rarities(
    wanted,
    documents.map((document) => heldOf(document, wanted)),
  )
  return (valueOf) => share(weights, valueOf)
}

/** 1 for each term of a set. */
export function inSet(held: ReadonlySet<string>): (term: string) => number {
  return (term) => (held.has(term) ? 1 : 0)
}

/** Sources by relevance, title, search ranks, freshness and kind; further sources of the same domain come later. */
export function ranked(question: string, sources: readonly Source[], passages: readonly ScoredPassage[], options: RankOptions): Source[] {
  const relevance = relevanceOf(passages)
  const wanted = new Set(topic(question))
  const mostFound = Math.max(...sources.map(({ found }) => found), Number.EPSILON)
  const scored = sources.map((source) => ({
    source,
    score:
      WEIGHTS.passages * (relevance.get(source) ?? 0) +
      WEIGHTS.title * overlap(wanted, terms(source.title)) +
      (WEIGHTS.found * source.found) / mostFound +
      (source.text === null ? 0 : WEIGHTS.read) +
      WEIGHTS.fresh * (options.wantsNew ? 2 : 1) * freshness(source, options) +
      WEIGHTS.kind * kind(source),
  }))
  return diverse(scored)
}

/** The best passage of each source and a part of its second best, 1 for the best of all. */
function relevanceOf(passages: readonly ScoredPassage[]): ReadonlyMap<Source, number> {
  const scores = new Map<Source, number[]>()
  for (const { source, score } of passages) scores.set(source, [...(scores.get(source) ?? []), score])
  const sums = [...scores].map(([source, [first = 0, second = 0]]): [Source, number] => [source, first + SECOND * second])
  const best = Math.max(...sums.map(([, sum]) => sum), Number.EPSILON)
  return new Map(sums.map(([source, sum]) => [source, sum / best]))
}

function overlap(wanted: ReadonlySet<string>, held: readonly string[]): number {
  const own = new Set(held)
  return [...wanted].filter((term) => own.has(term)).length / Math.max(1, wanted.size)
}

/** 1 for now, 0 for long ago; a source without a date counts as several years old. */
function freshness({ published }: Source, { now }: RankOptions): number {
  return published === null ? 0.25 : Math.exp(-Math.max(0, now - published) / AGE_MS)
}

function kind({ type, domain }: Source): number {
  if (type === 'academic' || INSTITUTION.test(domain)) return 1
  return FORUM.test(domain) ? 0 : 0.5
}

/** Selects the best one by one; each lowers the score of the remaining ones of its domain. */
function diverse(scored: readonly { readonly source: Source; readonly score: number }[]): Source[] {
  const left = [...scored].sort((one, other) => other.score - one.score)
  const taken = new Map<string, number>()
  const order: Source[] = []
  while (left.length > 0) {
    const lowered = left.map(({ source, score }) => score * SAME_DOMAIN ** (taken.get(source.domain) ?? 0))
    const best = lowered.reduce((top, score, at) => (score > (lowered[top] ?? 0) ? at : top), 0)
    const [next] = left.splice(best, 1)
    if (next === undefined) break
    taken.set(next.source.domain, (taken.get(next.source.domain) ?? 0) + 1)
    order.push(next.source)
  }
  return order
}

/** Pairs of adjacent words of a question by the term of their compound: `hostname` for `host name`. */
export function joinedWords(question: string): ReadonlyMap<string, readonly string[]> {
  const words = topicWords(question)
  const pairs = words.slice(1).map((second, at): [string, string[]] => {
    const first = words[at] ?? ''
    return [terms(`${first}${second}`)[0] ?? '', [...terms(first), ...terms(second)]]
  })
  return new Map(pairs)
}

/** Terms, with the parts of compounds of the question's words. */
export function withParts(own: readonly string[], joined: ReadonlyMap<string, readonly string[]>): readonly string[] {
  return own.some((term) => joined.has(term)) ? own.flatMap((term) => [term, ...(joined.get(term) ?? [])]) : own
}

function heldOf(terms: readonly string[], wanted: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(terms.filter((term) => wanted.has(term)))
}

/** Weight of each term by rarity among the passages (inverse document frequency). */
function rarities(wanted: ReadonlySet<string>, held: readonly ReadonlySet<string>[]): ReadonlyMap<string, number> {
  return new Map([...wanted].map((term) => [term, Math.log(1 + (held.length + 1) / (1 + held.filter((set) => set.has(term)).length))]))
}

function share(weights: ReadonlyMap<string, number>, valueOf: (term: string) => number): number {
  let all = 0
  let own = 0
  for (const [term, weight] of weights) {
    all += weight
    own += weight * valueOf(term)
  }
  return all === 0 ? 0 : own / all
}
