/** Average characters per token, for estimates. */
const CHARACTERS = 3.5
/** Most characters before a cut that are searched for a boundary. */
const WINDOW = 2_000
/** Characters after a cut that are read to confirm a boundary. */
const BEHIND = 100
const GAP = '\n\n[…]\n\n'

export interface CutText {
  readonly text: string
  /** A part is missing. */
  readonly truncated: boolean
}

/** Estimated tokens of a text by its length, for European languages; too low for scripts without an alphabet. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS)
}

/**
 * Cuts a text to a number of tokens, at the end of a sentence (Unicode UAX 29) or else of a word, if one is near.
 * `ends` omits the middle: two thirds are from the start, one third from the end, with `[…]` between. Constant time
 * for texts of any length.
 */
export function cutToTokens(text: string, tokens: number, { keep = 'start' }: { readonly keep?: 'start' | 'ends' } = {}): CutText {
  const most = charactersOf(tokens)
  if (text.length <= most) return { text, truncated: false }
  if (keep === 'start' || most <= 4 * GAP.length) return { text: text.slice(0, borderBefore(text, most)).trimEnd(), truncated: true }
  const first = borderBefore(text, Math.floor(((most - GAP.length) * 2) / 3))
  const last = borderAfter(text, text.length - (most - GAP.length - first))
  return { text: `${text.slice(0, first).trimEnd()}${GAP}${text.slice(last)}`, truncated: true }
}

/**
 * Splits a text into chunks of at most so many tokens, each ending with a sentence if one is near; each but the first
 * starts with about `overlap` tokens of the previous one. Without the overlaps the chunks concatenate to the text.
 * Generated one by one, each in constant time.
 */
export function* inChunks(text: string, tokens: number, overlap = 0): Generator<string, void> {
  const most = charactersOf(tokens)
  const again = Math.min(charactersOf(overlap), Math.floor(most / 2))
  if (most < 1) throw new RangeError('inChunks: a chunk has at least one token')
  for (let from = 0, fresh = 0; fresh < text.length;) {
    const end = text.length - from <= most ? text.length : Math.max(borderBefore(text, from + most, fresh), fresh + 1)
    yield text.slice(from, end)
    fresh = end
    from = again === 0 ? end : Math.min(end, borderAfter(text, Math.max(0, end - again), end))
  }
}

function charactersOf(tokens: number): number {
  return Math.max(0, Math.floor(tokens * CHARACTERS))
}

/** The best position to cut in `(least, most]`, the last of its kind. */
function borderBefore(text: string, most: number, least = 0): number {
  const from = Math.max(least, most - WINDOW)
  const found = borders(text, from, most + BEHIND).filter((at) => at > least && at <= most)
  return found.at(-1) ?? lastBlank(text, from, most) ?? whole(text, most)
}

/** The best position to start in `[least, most)`, the first of its kind. */
function borderAfter(text: string, least: number, most = text.length): number {
  const to = Math.min(most, least + WINDOW)
  const found = borders(text, Math.max(0, least - BEHIND), to).filter((at) => at >= least && at < to)
  if (found[0] !== undefined) return found[0]
  const blank = text.slice(least, to).search(/\s/)
  return blank === -1 ? whole(text, least, 1) : least + blank + 1
}

/** Starts of sentences in a part of a text; the start of the part is left out, since it may be inside a sentence. */
function borders(text: string, from: number, to: number): number[] {
  const segments = new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text.slice(from, to))
  return Array.from(segments, ({ index }) => from + index).slice(1)
}

/** The position after the last blank of a part. */
function lastBlank(text: string, from: number, to: number): number | null {
  const found = /\s\S*$/.exec(text.slice(from, to))
  return found === null ? null : from + found.index + 1
}

/** The position, moved by one when it would split a surrogate pair. */
function whole(text: string, at: number, step: 1 | -1 = -1): number {
  const code = text.charCodeAt(at)
  return at > 0 && code >= 0xdc00 && code <= 0xdfff ? at + step : at
}
