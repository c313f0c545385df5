import type { Answer, SpokenWord } from './contract.js'
import { bareWord, sentence, tidied } from './words.js'

/** A part of a recording that was transcribed by itself; words are timed from its beginning. Ranges are seconds of the recording. */
export interface Part {
  readonly from: number
  readonly to: number
  readonly answer: Answer
}

/** How far the same word may be apart in two parts, in seconds. */
const SAME_WITHIN_S = 0.6

interface Placed {
  readonly from: number
  readonly to: number
  readonly words: readonly SpokenWord[]
}

/**
 * The parts of a recording as one answer. Where two parts overlap each word of the overlap is taken once: the parts are joined at a word that both have, the
 * nearest to the middle of the overlap, or in the middle itself. Speakers of different parts are not the same people, so they are left out.
 */
export function joined(parts: readonly Part[], duration: number): Answer {
  const placed = parts.map(({ from, to, answer }): Placed => ({ from, to, words: shifted(answer.words, from, to) }))
  let words: SpokenWord[] = []
  let overlapping = false
  placed.forEach((part, at) => {
    const before = placed[at - 1]
    if (before === undefined || before.to <= part.from) {
      words.push(...part.words)
      return
    }
    overlapping = true
    words = spliced(words, part.words, { from: part.from, to: before.to })
  })
  const texts = parts.map(({ answer }) => answer.text.trim()).filter((text) => text !== '')
  const language = commonest(parts.flatMap(({ answer }) => answer.language ?? []))
  return {
    text: overlapping && words.length > 0 ? sentence(words.map(({ text }) => text)) : sentence(texts),
    language,
    words: tidied(parts.length === 1 ? words : words.map((word) => ({ ...word, speaker: null })), duration),
  }
}

function shifted(words: readonly SpokenWord[], from: number, to: number): SpokenWord[] {
  return tidied(words, to - from).map((word) => ({ ...word, start: word.start + from, end: word.end + from }))
}

/** Two lists of words that tell the same within an overlap. */
function spliced(before: readonly SpokenWord[], behind: readonly SpokenWord[], overlap: { from: number; to: number }): SpokenWord[] {
  const middle = (overlap.from + overlap.to) / 2
  const centre = ({ start, end }: SpokenWord): number => (start + end) / 2
  const far = ([one, other]: readonly [SpokenWord, SpokenWord]): number => Math.abs(centre(one) + centre(other) - 2 * middle)
  const pairs = before
    .filter(({ end }) => end >= overlap.from)
    .flatMap((one) => {
      const other = twin(one, behind, centre)
      return other === undefined ? [] : [[one, other] as const]
    })
  const best = pairs.reduce<(typeof pairs)[number] | null>(
    (nearest, pair) => (nearest === null || far(pair) < far(nearest) ? pair : nearest),
    null,
  )
  if (best !== null) {
    const [one, other] = best
    return [...before.slice(0, before.indexOf(one) + 1), ...behind.slice(behind.indexOf(other) + 1)]
  }
  return [...before.filter((word) => centre(word) < middle), ...behind.filter((word) => centre(word) >= middle)]
}

/** The same word at the same time in the other list: of several the nearest. */
function twin(word: SpokenWord, others: readonly SpokenWord[], centre: (word: SpokenWord) => number): SpokenWord | undefined {
  const name = bareWord(word.text)
  let best: SpokenWord | undefined
  for (const other of others) {
    if (other.start > word.end + SAME_WITHIN_S) break
    const apart = Math.abs(centre(other) - centre(word))
    if (apart <= SAME_WITHIN_S && bareWord(other.text) === name && (best === undefined || apart < Math.abs(centre(best) - centre(word))))
      best = other
  }
  return best
}

function commonest(values: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return (
    [...counts].reduce<readonly [string, number] | null>((best, each) => (best === null || each[1] > best[1] ? each : best), null)?.[0] ??
    null
  )
}
