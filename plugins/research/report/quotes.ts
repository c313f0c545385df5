import { bm25, terms, topic } from '../../search/contract.js'
import { joinedWords, type ScoredPassage, weightedShare, withParts } from '../rank/rank.js'
import { quotable, type Quotable } from './quotable.js'

/** Passages whose sentences are compared, the best ones. */
const MOST_PASSAGES = 60
/** Characters of a sentence with the one that explains it. */
const LONGEST = 420
/** Two quotes with more terms in common than this say the same. */
const SAME = 0.6
/** Weight of a term that is not in a sentence but in a heading above it. */
const ABOVE = 0.5
/** A sentence that refers to the one before it says less by itself. */
const POINTING = /^(?:it|its|this|that|these|those|they|their|he|she|such|here|there|however|therefore|thus|also|but|and|so|then|otherwise)\b/i
const POINTING_FACTOR = 0.85
/** A sentence with what the question asks for, such as a figure. */
const FITTING_FACTOR = 1.15

/** A sentence that fits a question, and as it is quoted: with the one before it that it points to, or the one behind it that explains it. */
export interface Quote {
  readonly sentence: string
  readonly shown: readonly string[]
  readonly passage: ScoredPassage
  readonly terms: ReadonlySet<string>
  /** 1 for a sentence that fits best in all. */
  readonly score: number
  /** Share of the question that the sentence and its headings hold. */
  readonly covered: number
}

/** The sentences of passages that fit a question, the best first, at most one of each passage; those that say the same come once. */
export function quotesFor(question: string, passages: readonly ScoredPassage[]): Quote[] {
  const candidates = passages.slice(0, MOST_PASSAGES).flatMap(candidatesOf)
  const wanted = new Set(topic(question))
  const joined = joinedWords(question)
  const own = candidates.map(({ sentence }) => withParts(terms(sentence), joined))
  const raw = bm25([...wanted], own)
  const highest = Math.max(Number.EPSILON, ...raw)
  const share = weightedShare(wanted, own)
  const fits = fittingWord(question)
  const scored = candidates.map(({ sentence, around, at, passage }, index): Quote => {
    const [direct, above] = [new Set(own[index]), new Set(withParts(passage.above, joined))]
    const covered = share((term) => (direct.has(term) ? 1 : above.has(term) ? ABOVE : 0))
    const words = (0.5 * (raw[index] ?? 0)) / highest + 0.5 * covered
    const factor = (POINTING.test(sentence) ? POINTING_FACTOR : 1) * (fits.test(sentence) ? FITTING_FACTOR : 1)
    const score = words * (0.7 + 0.3 * passage.scored.score) * factor
    return { sentence, shown: shownOf(around, at), passage: passage.scored, terms: direct, score, covered }
  })
  return distinct(bestOfEach(scored.filter(({ score }) => score > 0)).sort((one, other) => other.score - one.score))
}

/** At most so many, and so many of one source. */
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
  readonly passage: { readonly scored: ScoredPassage; readonly above: readonly string[] }
}

function candidatesOf(scored: ScoredPassage): Candidate[] {
  const around = quotable(scored.passage, { isCut: scored.source.text === null })
  const above = [...terms(scored.source.title), ...scored.passage.above]
  const passage = { scored, above }
  return around.flatMap((sentence, at) => (sentence === null ? [] : [{ sentence, around, at, passage }]))
}

function shownOf(around: Quotable, at: number): string[] {
  const sentence = around[at] ?? ''
  const [before, behind] = [around[at - 1] ?? null, around[at + 1] ?? null]
  const fits = (other: string): boolean => sentence.length + other.length <= LONGEST
  if (POINTING.test(sentence) && before !== null && fits(before)) return [before, sentence]
  return behind !== null && fits(behind) && POINTING.test(behind) ? [sentence, behind] : [sentence]
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

/** Share of terms that two sets have in common (Jaccard). */
function alike(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0
  for (const term of one) if (other.has(term)) common++
  return common / Math.max(1, one.size + other.size - common)
}

/** What an answer to a question of who, when, how many or which file mostly has: a name, a date, a figure, a path. Everything fits other questions. */
function fittingWord(question: string): RegExp {
  const lower = question.toLowerCase()
  if (/\b(?:how (?:many|much|long|often|large|big|old|far|high)|what (?:percentage|share|size|number))\b/.test(lower)) return /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|none)\b/i
  if (/\b(?:when|which year|what year)\b/.test(lower)) return /\b(?:1[5-9]|20)\d\d\b/
  if (/\b(?:which|what) (?:[a-z]+ )?(?:file|directory|folder|path)\b/.test(lower)) return /(?:^|[\s"'(])[~/.]?[\w.-]*\/[\w./-]+/
  return /\bwho\b/.test(lower) ? /\p{Lu}\p{L}+ \p{Lu}\p{L}+/u : /(?:)/
}
