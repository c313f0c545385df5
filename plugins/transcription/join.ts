import type { Answer, SpokenWord } from './contract.js'
import { bareWord, sentence, tidied } from './words.js'

/** A part of a recording that was transcribed separately; words are timed from its start. Ranges are seconds of the recording. */
export interface Part {
  readonly from: number
  readonly to: number
  readonly answer: Answer
}

/** Maximum distance of the same word in two parts, in seconds. */
const SAME_WITHIN_S = 0.6

interface Placed {
  readonly from: number
  readonly to: number
  readonly words: readonly SpokenWord[]
}

/**
 * Joins the parts of a recording into one answer. Each word of an overlap is used once: the parts are joined at a
 * common word nearest to the middle of the overlap, or in the middle itself. Speaker numbers of different parts do
 * not match, so they are left out.
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

type Pair = readonly [SpokenWord, SpokenWord]

/** Joins two lists of words with an overlap. */
function spliced(before: readonly SpokenWord[], behind: readonly SpokenWord[], overlap: { from: number; to: number }): SpokenWord[] {
  const middle = (overlap.from + overlap.to) / 2
  const far = ([one, other]: Pair): number => Math.abs(centre(one) + centre(other) - 2 * middle)
  const pairs = aligned(
    before.filter(({ end }) => end >= overlap.from),
    behind.filter(({ start }) => start <= overlap.to),
  )
  const best = pairs.reduce<Pair | null>((nearest, pair) => (nearest === null || far(pair) < far(nearest) ? pair : nearest), null)
  if (best !== null) {
    const [one, other] = best
    return [...before.slice(0, before.indexOf(one) + 1), ...behind.slice(behind.indexOf(other) + 1)]
  }
  return [...before.filter((word) => centre(word) < middle), ...behind.filter((word) => centre(word) >= middle)]
}

/** Aligns two lists of words: as many equal words as possible in order, preferring the closest times (Needleman and Wunsch). */
function aligned(one: readonly SpokenWord[], other: readonly SpokenWord[]): Pair[] {
  const width = other.length + 1
  const scores = new Float64Array((one.length + 1) * width)
  const score = (at: number, to: number): number => scores[at * width + to] ?? 0
  const likeness = (at: number, to: number): number => {
    const [a, b] = [one[at], other[to]]
    if (a === undefined || b === undefined || bareWord(a.text) !== bareWord(b.text)) return 0
    const apart = Math.abs(centre(a) - centre(b))
    return apart > SAME_WITHIN_S ? 0 : 1 - apart / (2 * SAME_WITHIN_S)
  }
  for (let at = one.length - 1; at >= 0; at--)
    for (let to = other.length - 1; to >= 0; to--) {
      const like = likeness(at, to)
      const paired = like === 0 ? 0 : like + score(at + 1, to + 1)
      scores[at * width + to] = Math.max(paired, score(at + 1, to), score(at, to + 1))
    }
  const pairs: Pair[] = []
  for (let at = 0, to = 0; at < one.length && to < other.length;) {
    const [a, b] = [one[at], other[to]]
    const like = likeness(at, to)
    if (a !== undefined && b !== undefined && like > 0 && score(at, to) === like + score(at + 1, to + 1)) {
      pairs.push([a, b])
      at++
      to++
    } else if (score(at, to) === score(at + 1, to)) at++
    else to++
  }
  return pairs
}

const centre = ({ start, end }: SpokenWord): number => (start + end) / 2

function commonest(values: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return (
    [...counts].reduce<readonly [string, number] | null>((best, each) => (best === null || each[1] > best[1] ? each : best), null)?.[0] ??
    null
  )
}
