import { isSpaced, isUnspaced, type SpokenWord } from '../transcription/contract.js'

/** A piece of text that is never split. */
export interface Token {
  readonly text: string
  /** Milliseconds. */
  readonly start: number
  readonly end: number
  readonly speaker: number | null
  /** Preceded by a space, unless it starts a line. */
  readonly spaced: boolean
  /** Visible characters. */
  readonly width: number
}

/** A part of a word that fits in a line. */
interface Chunk {
  readonly text: string
  readonly width: number
  /** It is not the first of its word. */
  readonly goesOn: boolean
}

/** Longer words, such as addresses, are split: a line holds 42 characters and a dash. */
const WIDEST = 40
/** Line ends and other control characters, direction marks and zero-width characters. */
const INVISIBLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b\ufeff]+/gu
/** A word of ASCII letters, the most common case. */
const PLAIN = /^[!-~]{1,40}$/

/**
 * Words as pieces of text for subtitles: without line ends and arrows, none wider than a line; scripts without spaces
 * are segmented by language.
 */
export function tokensOf(words: readonly SpokenWord[], language: string | null): Token[] {
  const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  const parts = new Intl.Segmenter(language ?? undefined, { granularity: 'word' })
  const chunked = (text: string): Chunk[] => chunks([...characters.segment(text)].map(({ segment }) => segment))
  const tokens: Token[] = []
  let before = ''
  for (const word of words) {
    const texts =
      PLAIN.test(word.text) && !word.text.includes('-->')
        ? [{ text: word.text, width: word.text.length, goesOn: false }]
        : cleaned(word.text)
            .split(' ')
            .filter((text) => text !== '')
            .flatMap((text) => (isUnspaced(text) ? partedAt(text, parts) : [text]))
            .flatMap(chunked)
    const total = texts.reduce((sum, { width }) => sum + width, 0)
    const at = (width: number): number => Math.round((word.start + ((word.end - word.start) * width) / total) * 1_000)
    let width = 0
    for (const [index, each] of texts.entries()) {
      const spaced = before !== '' && !each.goesOn && isSpaced(before, each.text)
      tokens.push({
        ...{ text: each.text, width: each.width, speaker: word.speaker, spaced },
        start: at(width),
        end: index === texts.length - 1 ? Math.round(word.end * 1_000) : at(width + each.width),
      })
      width += each.width
      before = each.text
    }
  }
  return tokens
}

function cleaned(text: string): string {
  return text.replace(INVISIBLE, ' ').replaceAll('-->', '→').replace(/\s+/g, ' ').trim()
}

/** Words of a script without spaces; punctuation stays with the preceding word. */
function partedAt(text: string, parts: Intl.Segmenter): string[] {
  const found: string[] = []
  for (const { segment, isWordLike } of parts.segment(text)) {
    const last = found.length - 1
    if (isWordLike === true || last < 0) found.push(segment)
    else found[last] = `${found[last] ?? ''}${segment}`
  }
  return found
}

function chunks(characters: readonly string[]): Chunk[] {
  const made: Chunk[] = []
  for (let from = 0; from < characters.length; from += WIDEST) {
    const part = characters.slice(from, from + WIDEST)
    made.push({ text: part.join(''), width: part.length, goesOn: from > 0 })
  }
  return made
}
