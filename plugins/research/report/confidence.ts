import { sentences } from '../../_shared/sentences.js'
import { terms, topic } from '../../search/contract.js'
import { inSet, joinedWords, type ScoredPassage, weightedShare, withParts } from '../rank/rank.js'
import type { NumberedSource } from '../run-state.js'
import { topicWords, wordsIn } from '../text/topic-words.js'
import { expectedIn } from './expected.js'

/** What each sign weighs; they were set on the questions of the bench. */
const WEIGHTS = { answered: 0.5, passage: 0.2, agreement: 0.3 } as const
/** Weight of a sentence without what the question asks for, such as a figure. */
const UNEXPECTED = 0.6
/** Weight of a word of the question in another form, as `found` for `founded`. */
const OTHER_FORM = 0.5
/** Passages in which others are looked for that say what the answer says. */
const LOOKED_AT = 40
/** Sites that say the same beside that of the answer, beyond which more add nothing. */
const ENOUGH_SITES = 2
/** A passage speaks of the question when it holds so much of it, and says what the answer says when it holds so much of what the answer adds. */
const SPEAKS_OF_IT = 0.5
const SAYS_THE_SAME = 0.4
/** Where no page was read. */
const FROM_SNIPPETS = 0.4

interface Answered {
  readonly query: string
  /** The summary of a report. */
  readonly answer: string
  /** For the query, the best first. */
  readonly passages: readonly ScoredPassage[]
  readonly cited: readonly NumberedSource[]
}

/** What speaks for an answer, from 0 to 1 each. */
interface Signs {
  /** Share of the question that its best sentence takes up. */
  readonly answered: number
  /** Share of the question that the best passage holds. */
  readonly passage: number
  /** How many independent sites say what the answer adds to the question: 0 for one alone, 1 for two others. */
  readonly agreement: number
}

/** How likely a report answers a question, from 0 to 1, by these signs; less where no page was read, and 0 for a report that cites nothing. */
export function confidenceOf(answered: Answered): number {
  if (answered.cited.length === 0) return 0
  const signs = signsOf(answered)
  const factor = answered.cited.some(({ text }) => text !== null) ? 1 : FROM_SNIPPETS
  const sum = WEIGHTS.answered * signs.answered + WEIGHTS.passage * signs.passage + WEIGHTS.agreement * signs.agreement
  return Math.round(100 * factor * sum) / 100
}

export function signsOf({ query, answer, passages, cited }: Answered): Signs {
  const asked = new Set(topic(query))
  const joined = joinedWords(query)
  const share = weightedShare(
    asked,
    cited.flatMap((source) => source.passages.map((passage) => passage.terms)),
  )
  const looked = passages.slice(0, LOOKED_AT).map(({ passage, source }) => ({
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
  const added = topic(bare).filter((term, at, all) => !asked.has(term) && all.indexOf(term) === at)
  const agreeing = looked.filter(
    (each) => each.share >= SPEAKS_OF_IT && added.filter((term) => each.terms.has(term)).length >= SAYS_THE_SAME * added.length,
  )
  const sites = new Set(agreeing.map(({ domain }) => domain)).size
  return {
    answered: Math.max(0, ...answered),
    passage: looked[0]?.share ?? 0,
    agreement: Math.min(1, Math.max(0, sites - 1) / ENOUGH_SITES),
  }
}
