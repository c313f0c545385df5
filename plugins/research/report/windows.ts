import { sentences } from '../../_shared/sentences.js'
import { isAddress, terms, topic } from '../../search/contract.js'
import { joinedWords, type ScoredPassage, withParts } from '../rank/rank.js'

/** Characters of a window, and of one sentence in it. */
const LONGEST_WINDOW = 900
const LONGEST_SENTENCE = 600
/** A sentence that is shorter says little, but for other scripts. */
const SHORTEST = 25
const LATIN = /^[\u0020-\u024f\u2010-\u2030]*$/
/** Two windows with more terms in common than this say the same. */
const SAME = 0.6

/** What a sentence should have of a question. */
interface Wanted {
  readonly words: ReadonlySet<string>
  readonly joined: ReadonlyMap<string, readonly string[]>
}

/** Sentences of one passage that stand together, as they may be quoted. */
export interface Window {
  readonly sentences: readonly string[]
  readonly passage: ScoredPassage
  readonly terms: ReadonlySet<string>
}

interface WindowOptions {
  readonly most: number
  /** Windows of one source at most. */
  readonly perSource: number
  /** Characters of a window, but for a longer sentence. */
  readonly longest?: number
}

/** Of each passage the sentence that fits a question best, with what stands around it; the best passages first, each thing said once. */
export function windowsOf(
  question: string,
  passages: readonly ScoredPassage[],
  { most, perSource, longest = LONGEST_WINDOW }: WindowOptions,
): Window[] {
  const wanted = wantedIn(question)
  const chosen: Window[] = []
  for (const passage of passages) {
    if (chosen.length >= most) break
    if (chosen.filter((other) => other.passage.source === passage.source).length >= perSource) continue
    const window = windowIn(passage, wanted, longest)
    if (window !== null && !chosen.some((other) => alike(window.terms, other.terms) > SAME)) chosen.push(window)
  }
  return chosen
}

/** The single sentence of a window that holds most of a question. */
export function bestSentence({ sentences: own }: Window, question: string): string {
  const wanted = wantedIn(question)
  return own.reduce((best, sentence) => (held(sentence, wanted) > held(best, wanted) ? sentence : best), own[0] ?? '')
}

function wantedIn(question: string): Wanted {
  return { words: new Set(topic(question)), joined: joinedWords(question) }
}

function windowIn(scored: ScoredPassage, wanted: Wanted, longest: number): Window | null {
  const { text, isProse } = scored.passage
  const parts = (isProse ? sentences(text) : text.split('\n')).map(plain)
  const usable = parts.map((part) => (isQuotable(part, isProse) ? part : null))
  for (const [at, part] of usable.entries()) if (part?.endsWith(':') === true) withList(usable, parts, at)
  const scores = usable.map((part) => (part === null ? -1 : held(part, wanted)))
  // Where no sentence names what the headings do, the first says what it is about.
  const best = scores.reduce((top, score, at) => (score > (scores[top] ?? -1) ? at : top), 0)
  if ((scores[best] ?? -1) < 0) return null
  const taken = new Map<number, string>([[best, usable[best] ?? '']])
  let length = taken.get(best)?.length ?? 0
  // What comes after a sentence mostly explains it; what comes before it leads there.
  for (let from = best, to = best; ;) {
    const [after, before] = [usable[to + 1] ?? null, usable[from - 1] ?? null]
    const next = after !== null ? { at: ++to, part: after } : before !== null ? { at: --from, part: before } : null
    if (next === null || length + next.part.length > longest) break
    length += next.part.length
    taken.set(next.at, next.part)
  }
  const own = [...taken].sort(([one], [other]) => one - other).map(([, part]) => part)
  return { sentences: own, passage: scored, terms: new Set(own.flatMap((part) => terms(part))) }
}

/** Joins a line that announces a list with the items of it, which then stand nowhere else. */
function withList(usable: (string | null)[], parts: readonly string[], at: number): void {
  let joined = parts[at] ?? ''
  for (let next = at + 1; next < parts.length; next++) {
    const item = (parts[next] ?? '').replace(/[.;,]$/, '')
    if (joined.length + item.length + 2 > LONGEST_SENTENCE || !isHarmless(item)) break
    joined = `${joined}${next === at + 1 ? ' ' : '; '}${item}`
    usable[next] = null
  }
  usable[at] = joined
}

function plain(part: string): string {
  return part
    .replace(/\[[^[\]]{0,20}\]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Whether a sentence may stand in a report. */
function isQuotable(part: string, isProse: boolean): boolean {
  const isShort = part.length < (isProse && LATIN.test(part) ? SHORTEST : SHORTEST / 3)
  return !isShort && part.length <= LONGEST_SENTENCE && isHarmless(part) && !(isProse && part.endsWith('?'))
}

function isHarmless(part: string): boolean {
  return !part.split(' ').some((word) => isAddress(word))
}

/** Different terms of a question in a sentence, longer sentences counting a little less. */
function held(sentence: string, { words, joined }: Wanted): number {
  const own = new Set(withParts(terms(sentence), joined))
  const shared = [...words].filter((term) => own.has(term)).length
  return shared / (1 + own.size / 100)
}

/** Share of terms that two sets have in common (Jaccard). */
function alike(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0
  for (const term of one) if (other.has(term)) common++
  return common / Math.max(1, one.size + other.size - common)
}
