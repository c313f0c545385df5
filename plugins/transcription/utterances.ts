import type { SpokenWord } from './contract.js'
import { meanConfidence, sentence } from './words.js'

/** A pause that ends an utterance, in seconds. */
const PAUSE_S = 0.8
/** Seconds after which an utterance ends with its sentence. */
const LONG_S = 20
const SENTENCE_END = /[.!?…。！？؟।]["'”’»)\]]*$/

/** Continuous speech of one speaker without a long pause. Times are in seconds. */
interface Utterance {
  readonly speaker: number
  readonly text: string
  readonly start: number
  readonly end: number
  readonly confidence: number | null
}

/**
 * Groups words in order of time into utterances. None has words of two speakers; words without a speaker are assigned
 * to speaker 0.
 */
export function utterances(words: readonly SpokenWord[]): Utterance[] {
  const groups: SpokenWord[][] = []
  for (const word of words) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (group === undefined || last === undefined || ends(group, last, word)) groups.push([word])
    else group.push(word)
  }
  return groups.map((group) => ({
    speaker: group[0]?.speaker ?? 0,
    text: sentence(group.map(({ text }) => text)),
    start: group[0]?.start ?? 0,
    end: group.reduce((latest, { end }) => Math.max(latest, end), 0),
    confidence: meanConfidence(group),
  }))
}

function ends(group: readonly SpokenWord[], last: SpokenWord, next: SpokenWord): boolean {
  if ((last.speaker ?? 0) !== (next.speaker ?? 0) || next.start - last.end >= PAUSE_S) return true
  return SENTENCE_END.test(last.text) && last.end - (group[0]?.start ?? 0) >= LONG_S
}
