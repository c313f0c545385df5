import type { Candidate, Catalogue, Entry } from './catalogue.js'
import type { Proposal, Question } from './contract.js'
import { paramsOf } from './fill.js'
import { tokensOf } from './words.js'

/** Minimum score of the chosen capability, and of an alternative as a share of the best. */
const LEAST = 0.9
const BESIDE = 0.5
const MOST_BESIDE = 3
/** Minimum score of a sentence that starts a new request within a conversation. */
const ANEW = 4.5
/** Earlier sentences of the caller that are read, and characters of one. */
const TURNS = 8
const LONGEST = 4_000

/** The caller's sentences in a conversation, oldest first; replies are never read. */
export function callerSentences({ history }: Pick<Question, 'history'>): string[] {
  return history
    .flatMap(({ role, content }) => (role === 'user' && content !== undefined && content.trim() !== '' ? [content.slice(0, LONGEST)] : []))
    .slice(-TURNS)
}

/**
 * The meaning of a sentence, without a model. A sentence without an intent extends the last one that has one: it
 * answers the question for a parameter. Time grows with the number of phrases times words; the first 120 words of
 * each sentence are searched for an intent.
 */
export function matchedProposal(question: Question, catalogue: Catalogue): Proposal {
  const own = candidatesOf(question.message, catalogue)
  const [best] = own
  if (best !== undefined && (best.score >= ANEW || question.history.length === 0))
    return proposalOf(best, own, paramsIn(question.message, best))
  const earlier = callerSentences(question)
  for (let at = earlier.length - 1; at >= 0; at--) {
    const before = candidatesOf(earlier[at] ?? '', catalogue)
    const [meant] = before
    if (meant === undefined || !isClear(meant)) continue
    const params = [...earlier.slice(at + 1), question.message].reduce(
      (known, message) => ({ ...known, ...addedBy(message, meant.entry, known) }),
      paramsIn(earlier[at] ?? '', meant),
    )
    return proposalOf(meant, before, params)
  }
  if (best !== undefined) return proposalOf(best, own, paramsIn(question.message, best))
  return { capability: null, params: {}, alternatives: [] }
}

function candidatesOf(message: string, catalogue: Catalogue): Candidate[] {
  const found = catalogue.candidates(message, tokensOf(message))
  const least = Math.max(LEAST, (found[0]?.score ?? 0) * BESIDE)
  return found.filter(({ score }) => score >= least)
}

/** It is supported by words, not only by the form of a question. */
function isClear({ matches }: Candidate): boolean {
  return matches.every(({ words }) => words.length > 0)
}

function paramsIn(text: string, candidate: Pick<Candidate, 'entry' | 'matches'>): Record<string, unknown> {
  return paramsOf({ text, tokens: tokensOf(text) }, candidate)
}

/** Values that an answer adds to a call: its addresses and values, else the whole answer as the missing text. */
function addedBy(message: string, entry: Entry, known: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const found = paramsIn(message, { entry, matches: [] })
  const { text } = entry
  return Object.keys(found).length > 0 || text === null || text.name in known ? found : { [text.name]: message.trim() }
}

function proposalOf({ entry }: Candidate, all: readonly Candidate[], params: Record<string, unknown>): Proposal {
  const others = all.filter(({ entry: { id } }) => id !== entry.id).map(({ entry: { id } }) => id)
  return { capability: entry.id, params, alternatives: others.slice(0, MOST_BESIDE) }
}
