import { sentences } from '../../_shared/sentences.js'
import { isAddress, terms, topic } from '../../search/contract.js'
import type { ScoredPassage } from '../rank/rank.js'

/** Characters of a window, and of one sentence in it. */
const LONGEST_WINDOW = 420
const LONGEST_SENTENCE = 400
/** A sentence that is shorter says little, but for other scripts. */
const SHORTEST = 25
const LATIN = /^[\u0020-\u024f\u2010-\u2030]*$/
/** Two windows with more terms in common than this say the same. */
const SAME = 0.6

/** Sentences of one passage that stand together, as they may be quoted. */
export interface Window {
  readonly sentences: readonly string[]
  readonly passage: ScoredPassage
  readonly terms: ReadonlySet<string>
}

/** Of each passage the sentence that fits a question best, with what stands around it; the best passages first, each thing said once, at most `perSource` of a source. */
export function windowsOf(
  question: string,
  passages: readonly ScoredPassage[],
  { most, perSource }: { readonly most: number; readonly perSource: number },
): Window[] {
  const wanted = new Set(topic(question))
  const chosen: Window[] = []
  for (const passage of passages) {
    if (chosen.length >= most) break
    if (chosen.filter((other) => other.passage.source === passage.source).length >= perSource) continue
    const window = windowIn(passage, wanted)
    if (window !== null && !chosen.some((other) => alike(window.terms, other.terms) > SAME)) chosen.push(window)
  }
  return chosen
}

/** The single sentence of a window that holds most of a question. */
export function bestSentence({ sentences: own }: Window, question: string): string {
  const wanted = new Set(topic(question))
  return own.reduce((best, sentence) => (held(sentence, wanted) > held(best, wanted) ? sentence : best), own[0] ?? '')
}

function windowIn(scored: ScoredPassage, wanted: ReadonlySet<string>): Window | null {
  const { text, isProse } = scored.passage
  const parts = isProse ? sentences(text) : text.split('\n')
  const usable = parts.map((part) => quotable(part, isProse))
  const scores = usable.map((part) => (part === null ? -1 : held(part, wanted)))
  const best = scores.reduce((top, score, at) => (score > (scores[top] ?? -1) ? at : top), 0)
  if ((scores[best] ?? 0) <= 0) return null
  const taken = new Map<number, string>([[best, usable[best] ?? '']])
  // What comes after a sentence mostly explains it; what comes before it leads there.
  for (const at of [best + 1, best - 1, best + 2]) {
    const part = usable[at] ?? null
    const length = [...taken.values()].reduce((sum, one) => sum + one.length, 0)
    if (part !== null && length + part.length <= LONGEST_WINDOW && (taken.has(at - 1) || taken.has(at + 1))) taken.set(at, part)
  }
  const own = [...taken].sort(([one], [other]) => one - other).map(([, part]) => part)
  return { sentences: own, passage: scored, terms: new Set(own.flatMap((part) => terms(part))) }
}

/** A sentence as it may stand in a report; null for one that may not. */
function quotable(part: string, isProse: boolean): string | null {
  const words = part
    .replace(/\[[^[\]]{0,20}\]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  const isShort = words.length < (isProse && LATIN.test(words) ? SHORTEST : SHORTEST / 3)
  if (isShort || words.length > LONGEST_SENTENCE || words.split(' ').some((word) => isAddress(word))) return null
  return isProse && words.endsWith('?') ? null : words
}

/** Different terms of a question in a sentence, longer sentences counting a little less. */
function held(sentence: string, wanted: ReadonlySet<string>): number {
  const own = new Set(terms(sentence))
  const shared = [...wanted].filter((term) => own.has(term)).length
  return shared / (1 + own.size / 100)
}

/** Share of terms that two sets have in common (Jaccard). */
function alike(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0
  for (const term of one) if (other.has(term)) common++
  return common / Math.max(1, one.size + other.size - common)
}
