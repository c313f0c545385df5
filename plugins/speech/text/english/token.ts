/** A word of a text, without surrounding punctuation. */
export interface Token {
  /** Brackets and quotes before it. */
  readonly lead: string
  readonly core: string
  /** Punctuation after it, such as `."`. */
  readonly trail: string
}

/**
 * The result of a rule for one or more tokens: how many, and the words in place of their cores. The punctuation of
 * the last one is kept.
 */
export interface Spoken {
  readonly words: string
  readonly used: number
}

/** Converts the tokens from a position on to words; null when it does not apply. */
export type Rule = (tokens: readonly Token[], at: number) => Spoken | null

const LEAD = '"\'“”‘’«»([{¿¡*_`'
const TRAIL = '"\'“”‘’«»)]}.,;:!?…*_`'

/** A placeholder for positions after the last token. */
export const NONE: Token = { lead: '', core: '', trail: '' }

/** Splits a word into punctuation and core. An apostrophe before digits belongs to the core, as in ’90s. */
export function token(word: string): Token {
  let [start, end] = [0, word.length]
  while (start < end && LEAD.includes(word.charAt(start)) && !isShortYear(word, start)) start++
  while (end > start && TRAIL.includes(word.charAt(end - 1))) end--
  return { lead: word.slice(0, start), core: word.slice(start, end), trail: word.slice(end) }
}

/** True when no punctuation separates a token from the next. */
export function isOpen({ trail }: Token): boolean {
  return trail === ''
}

/** One token in words. */
export function one(words: string | null): Spoken | null {
  return words === null ? null : { words, used: 1 }
}

/** Whether a text is digits alone, at least one. */
export function isDigits(text: string): boolean {
  return /^\d+$/.test(text)
}

function isShortYear(word: string, at: number): boolean {
  return "'’‘".includes(word.charAt(at)) && /^\d\ds$/.test(word.slice(at + 1, at + 4))
}
