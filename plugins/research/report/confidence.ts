import { sentences } from '../../_shared/sentences.js'
import { terms, topic } from '../../search/contract.js'
import { inSet, joinedWords, type ScoredPassage, weightedShare, withParts } from '../rank/rank.js'
import type { NumberedSource } from '../run-state.js'
import { topicWords, wordsIn } from '../text/topic-words.js'
import { expectedIn } from './expected.js'

/** Weights of the signs, tuned on the questions of the benchmark. */
const WEIGHTS = { answered: 0.5, passage: 0.2, agreement: 0.3 } as const
/** Weight of a sentence without the expected kind of answer, such as a figure. */
const UNEXPECTED = 0.6
/** Weight of a word of the question in another form, such as `found` for `founded`. */
const OTHER_FORM = 0.5
/** Number of passages searched for agreement with the answer. */
const LOOKED_AT = 40
/** Number of agreeing sites, beside that of the answer, from which more add nothing. */
const ENOUGH_SITES = 2
/** Share of the question that a passage must cover to be about it, and share of the answer's added words for agreement. */
const SPEAKS_OF_IT = 0.5
const SAYS_THE_SAME = 0.4
/** Factor when no page was read. */
const FROM_SNIPPETS = 0.4

interface Answered {
  readonly query: string
  /** The summary of a report. */
  readonly answer: string
  /** For the query, best first. */
  readonly passages: readonly ScoredPassage[]
  readonly cited: readonly NumberedSource[]
}

/** Signs in favour of an answer, from 0 to 1 each. */
interface Signs {
  /** Share of the question covered by the best sentence. */
  readonly answered: number
  /** Share of the question covered by the best passage. */
  readonly passage: number
  /** Agreement of independent sites with the answer's added words: 0 for one alone, 1 for two others. */
  readonly agreement: number
}

/**
 * How likely a report answers a question, from 0 to 1, by these signs; lower when no page was read, and 0 for a
 * report without citations.
 */
export function confidenceOf(answered: Answered): number {
  if (answered.cited.length === 0) return 0
  const signs = signsOf(answered)
  const factor = answered.cited.some(({ text }) => text !== null) ? 1 : FROM_SNIPPETS
  const sum = WEIGHTS.answered * signs.answered + WEIGHTS.passage * signs.passage + WEIGHTS.agreement * signs.agreement
  return Math.round(100 * factor * sum) / 100
}

export function signsOf({ query, answer, passages, cited }: Answered): Signs {
  const questionTerms = new Set(topic(query))
  const joined = joinedWords(query)
  const share = weightedShare(
    questionTerms,
    cited.flatMap((source) => source.passages.map((passage) => passage.terms)),
  )
  const candidates = passages.slice(0, LOOKED_AT).map(({ passage, source }) => ({
    domain: source.domain,
    terms: new Set(passage.terms),
    share: share(inSet(new Set(withParts([...terms(source.title), ...passage.terms], joined)))),
  }))
  const bare = answer.replace(/ ?\[Source \d{1,4}\]/g, '')
  const exact = new Set(topicWords(query))
  const isExpected = expectedIn(query)
  const code = [...new Set(passages.slice(0, LOOKED_AT).flatMap(({ passage }) => passage.code))]
  const answered = sentences(bare).map((sentence) => {
    const held = new Set(withParts(terms(sentence), joined))
    const written = new Set(wordsIn(sentence).flatMap((word) => (exact.has(word) ? terms(word) : [])))
    return (isExpected(sentence, code) ? 1 : UNEXPECTED) * share((term) => (written.has(term) ? 1 : held.has(term) ? OTHER_FORM : 0))
  })
  const added = topic(bare).filter((term, at, all) => !questionTerms.has(term) && all.indexOf(term) === at)
  const agreeing = candidates.filter(
    (each) => each.share >= SPEAKS_OF_IT && added.filter((term) => each.terms.has(term)).length >= SAYS_THE_SAME * added.length,
  )
  const sites = new Set(agreeing.map(({ domain }) => domain)).size
  return {
    answered: Math.max(0, ...answered),
    passage: candidates[0]?.share ?? 0,
    agreement: Math.min(1, Math.max(0, sites - 1) / ENOUGH_SITES),
  }
}
