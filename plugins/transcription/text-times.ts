import type { SpokenWord } from './contract.js'
import { bareWord, isUnspaced } from './words.js'

/** A word or a part of one with a vendor's times, without the punctuation and case of the text. */
export interface TimedPiece {
  readonly text: string
  /** Seconds. */
  readonly start: number
  readonly end: number
  readonly confidence: number | null
}

interface TextSpan {
  readonly text: string
  /** Start of the text in seconds. */
  readonly start: number
  readonly end: number
  /** For the whole text, used for words without their own. */
  readonly confidence: number | null
}

/** Maximum characters after the previous piece that are searched. */
const WITHIN = 120

interface Place {
  /** Characters of the text. */
  readonly from: number
  readonly to: number
}

interface Found extends Place {
  readonly piece: TimedPiece
}

/**
 * The words of a text as written, with the times and confidences of a vendor's pieces. Pieces are matched to the text
 * in order, case-insensitive; unmatched ones are dropped. Words without a piece get times spread evenly over the
 * characters.
 */
export function wordsOfText(span: TextSpan, pieces: readonly TimedPiece[], language: string | null): SpokenWord[] {
  const found = placesOf(span.text, pieces)
  const timeAt = timeline(span, found)
  let at = 0
  return writtenWords(span.text, language).map(({ from, to }) => {
    while (at > 0 && (found[at]?.from ?? Infinity) > from) at--
    while (at < found.length && (found[at]?.to ?? 0) <= from) at++
    const own = []
    for (let next = at; next < found.length && (found[next]?.from ?? Infinity) < to; next++) {
      const each = found[next]
      if (each !== undefined) own.push(each)
    }
    const [first, last] = [own[0], own.at(-1)]
    return {
      text: span.text.slice(from, to),
      start: first !== undefined && first.from >= from ? first.piece.start : timeAt(from),
      end: last !== undefined && last.to <= to ? last.piece.end : timeAt(to),
      confidence: meanOf(own) ?? span.confidence,
      speaker: null,
    }
  })
}

function placesOf(text: string, pieces: readonly TimedPiece[]): Found[] {
  const folded = text.toLowerCase()
  // A letter whose lower case has another length would shift all later positions.
  const searched = folded.length === text.length ? folded : text
  const found: Found[] = []
  let at = 0
  for (const piece of pieces) {
    const wanted = bareWord(piece.text.trim())
    const from = wanted === '' ? -1 : searched.slice(at, at + WITHIN + wanted.length).indexOf(wanted)
    if (from === -1) continue
    const place = { from: at + from, to: at + from + wanted.length }
    found.push({ ...place, piece })
    at = place.to
  }
  return found
}

/** The time of a position in the text, interpolated by characters between the surrounding pieces. */
function timeline({ text, start, end }: TextSpan, found: readonly Found[]): (place: number) => number {
  const anchors = [
    { at: 0, time: start },
    ...found.flatMap(({ from, to, piece }) => [
      { at: from, time: piece.start },
      { at: to, time: piece.end },
    ]),
    { at: text.length, time: end },
  ]
  let index = 0
  return (place) => {
    while (index > 0 && (anchors[index]?.at ?? 0) > place) index--
    while (index < anchors.length - 2 && (anchors[index + 1]?.at ?? Infinity) < place) index++
    const [before, after] = [anchors[index], anchors[index + 1]]
    if (before === undefined || after === undefined) return start
    const share = after.at === before.at ? 0 : (place - before.at) / (after.at - before.at)
    return before.time + Math.min(1, Math.max(0, share)) * Math.max(0, after.time - before.time)
  }
}

/** Words as written, with their punctuation; scripts without spaces are segmented by language. */
function writtenWords(text: string, language: string | null): Place[] {
  const places: Place[] = []
  for (const match of text.matchAll(/\S+/g)) {
    const from = match.index
    if (!isUnspaced(match[0])) places.push({ from, to: from + match[0].length })
    else places.push(...partsOf(match[0], language).map((part) => ({ from: from + part.from, to: from + part.to })))
  }
  return places
}

/** Punctuation belongs to the preceding word, at the start to the following one. */
function partsOf(text: string, language: string | null): Place[] {
  const places: { from: number; to: number; word: boolean }[] = []
  for (const { segment, index, isWordLike } of new Intl.Segmenter(language ?? undefined, { granularity: 'word' }).segment(text)) {
    const last = places.at(-1)
    const word = isWordLike === true
    if (last !== undefined && (!word || !last.word)) {
      last.to = index + segment.length
      last.word ||= word
    } else places.push({ from: index, to: index + segment.length, word })
  }
  return places
}

function meanOf(found: readonly Found[]): number | null {
  const known = found.flatMap(({ piece }) => piece.confidence ?? [])
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0) / known.length
}
