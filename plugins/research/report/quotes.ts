import { bm25, terms, topic } from '../../search/contract.js'
import { inSet, joinedWords, type ScoredPassage, weightedShare, withParts } from '../rank/rank.js'
import { topicWords, wordsIn } from '../text/topic-words.js'
import { expectedIn } from './expected.js'
import { quotable, type Quotable } from './quotable.js'

/** Number of best passages whose sentences are compared. */
const MOST_PASSAGES = 60
/** Maximum length of a sentence with its explanation. */
const LONGEST = 420
/** Share of common terms above which two quotes count as the same. */
const SAME = 0.6
/** Score weights of a sentence: its passage, itself, and its quoted neighbours and headings. */
const WEIGHTS = { passage: 0.45, sentence: 0.35, near: 0.2 } as const
/**
 * Weights within a sentence: BM25, the share of the question's words, and the share of its pairs of adjacent words
 * (Metzler and Croft 2005).
 */
const WORDS = { frequency: 0.3, covered: 0.5, pairs: 0.2 } as const
/** Weight of a word of the question in another form, such as `found` for `founded`. */
const OTHER_FORM = 0.5
/** A sentence that refers to the previous one is less informative alone. */
const POINTING =
  /^(?:it|its|this|that|these|those|they|their|he|she|such|here|there|however|therefore|thus|also|but|and|so|then|otherwise)\b/i
const POINTING_FACTOR = 0.85
/** Factor for a sentence with the expected kind of answer, such as a figure. */
const FITTING_FACTOR = 1.25

/** A sentence that matches a question. */
export interface Quote {
  readonly sentence: string
  /** With the previous one it refers to, or the next one that refers to it. */
  readonly brief: readonly string[]
  /** Also with the following ones, which usually explain it. */
  readonly shown: readonly string[]
  readonly passage: ScoredPassage
  readonly terms: ReadonlySet<string>
  readonly score: number
}

/** Sentences of passages that match a question, best first, one per passage and without duplicates. */
export function quotesFor(question: string, passages: readonly ScoredPassage[]): Quote[] {
  const candidates = passages.slice(0, MOST_PASSAGES).flatMap(candidatesOf)
  const wanted = new Set(topic(question))
  const exact = new Set(topicWords(question))
  const joined = joinedWords(question)
  const own = candidates.map(({ sentence }) => withParts(terms(sentence), joined))
  const raw = bm25([...wanted], own)
  const highest = Math.max(Number.EPSILON, ...raw)
  const share = weightedShare(
    wanted,
    passages.map(({ passage }) => passage.terms),
  )
  const fits = expectedIn(question)
  const pairs = pairsOf(topic(question))
  const scored = candidates.map(({ sentence, around, at, scored: passage, above }, index): Quote => {
    const direct = new Set(own[index])
    const near = new Set(withParts([...above, ...terms(shownOf(around, at).join(' '))], joined))
    const written = new Set(wordsIn(sentence).flatMap((word) => (exact.has(word) ? terms(word) : [])))
    const covered = share((term) => (written.has(term) ? 1 : direct.has(term) ? OTHER_FORM : 0))
    const inPairs = pairs.size === 0 ? covered : [...pairsOf(own[index] ?? [])].filter((pair) => pairs.has(pair)).length / pairs.size
    const words = WORDS.frequency * ((raw[index] ?? 0) / highest) + WORDS.covered * covered + WORDS.pairs * inPairs
    const factor = (POINTING.test(sentence) ? POINTING_FACTOR : 1) * (fits(sentence, passage.passage.code) ? FITTING_FACTOR : 1)
    const score = (WEIGHTS.passage * passage.score + WEIGHTS.sentence * words + WEIGHTS.near * share(inSet(near))) * factor
    return {
      sentence,
      brief: shownOf(around, at, { explained: false }),
      shown: shownOf(around, at),
      passage,
      terms: direct,
      score: covered === 0 ? 0 : score,
    }
  })
  return distinct(bestOfEach(scored).sort((one, other) => other.score - one.score))
}

/** At most so many in total and per source. */
export function chosen(quotes: readonly Quote[], { most, perSource }: { readonly most: number; readonly perSource: number }): Quote[] {
  const taken: Quote[] = []
  for (const quote of quotes) {
    if (taken.length >= most) break
    if (taken.filter(({ passage }) => passage.source === quote.passage.source).length < perSource) taken.push(quote)
  }
  return taken
}

interface Candidate {
  readonly sentence: string
  readonly around: Quotable
  readonly at: number
  readonly scored: ScoredPassage
  /** Terms of the title and of the headings. */
  readonly above: readonly string[]
}

function candidatesOf(scored: ScoredPassage): Candidate[] {
  const around = quotable(scored.passage, { isCut: scored.source.text === null })
  const above = [...terms(scored.source.title), ...scored.passage.above]
  return around.flatMap((sentence, at) => (sentence === null ? [] : [{ sentence, around, at, scored, above }]))
}

function shownOf(around: Quotable, at: number, { explained = true } = {}): string[] {
  const shown = [around[at] ?? '']
  let room = LONGEST - (shown[0]?.length ?? 0)
  const fitting = (other: string | null | undefined): string[] => {
    if (other === null || other === undefined || other.length > room) return []
    room -= other.length
    return [other]
  }
  if (POINTING.test(shown[0] ?? '')) shown.unshift(...fitting(around[at - 1]))
  for (let next = at + 1; ; next++) {
    if (!explained && shown.length > 1) return shown
    const more = explained || POINTING.test(around[next] ?? '') ? fitting(around[next]) : []
    if (more.length === 0) return shown
    shown.push(...more)
  }
}

/** Adjacent terms. */
function pairsOf(own: readonly string[]): ReadonlySet<string> {
  return new Set(own.slice(1).map((second, at) => `${own[at] ?? ''} ${second}`))
}

function bestOfEach(quotes: readonly Quote[]): Quote[] {
  const best = new Map<ScoredPassage, Quote>()
  for (const quote of quotes) if (quote.score > (best.get(quote.passage)?.score ?? 0)) best.set(quote.passage, quote)
  return [...best.values()]
}

function distinct(quotes: readonly Quote[]): Quote[] {
  const kept: Quote[] = []
  for (const quote of quotes) if (!kept.some((other) => alike(quote.terms, other.terms) > SAME)) kept.push(quote)
  return kept
}

/** Share of common terms of two sets (Jaccard). */
function alike(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0
  for (const term of one) if (other.has(term)) common++
  return common / Math.max(1, one.size + other.size - common)
}
