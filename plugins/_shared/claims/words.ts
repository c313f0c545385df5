import { unmarked } from './months.js'

/** Words and rows of digits: letters and digits in one word only where it begins with a Latin letter, as in `A320`. */
const WORD = /\p{Nd}+|\p{Script=Latin}[\p{Script=Latin}\p{Nd}]*|\p{L}+/gu
const FOOTNOTE = /\[(?:\d{1,3}|[a-z]|citation needed)\]/g
/** The digit nought of scripts that have digits of their own: Arabic, Persian, Devanagari, Bengali, Thai. */
const NOUGHTS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50]

/** The words of a text and what is between them. */
export class Words {
  readonly text: string
  /** Each word in lower case and with Latin digits. */
  readonly folded: readonly string[]
  readonly #starts: readonly number[]
  readonly #ends: readonly number[]

  constructor(source: string) {
    const bare = unmarked(source)
    const text = /[^\S \n]/.test(bare) ? bare.replace(/[^\S\n]/g, ' ') : bare
    this.text = text.includes('[') ? text.replace(FOOTNOTE, ' ') : text
    const [folded, starts, ends]: [string[], number[], number[]] = [[], [], []]
    for (const { 0: word, index } of this.text.matchAll(WORD)) {
      folded.push(isDigits(word) ? latin(word) : word.toLowerCase())
      starts.push(index)
      ends.push(index + word.length)
    }
    this.folded = folded
    this.#starts = starts
    this.#ends = ends
  }

  /** A word as it is written; empty beyond the ends. */
  at(index: number): string {
    return this.text.slice(this.#starts[index] ?? 0, this.#ends[index] ?? 0)
  }

  /** Where a word begins in `text`. */
  startOf(index: number): number {
    return this.#starts[index] ?? this.text.length
  }

  /** What is between a word and the one before it, at most 8 characters of either end of it. */
  gap(index: number): string {
    const from = this.#ends[index - 1] ?? 0
    const to = this.#starts[index] ?? this.text.length
    return to - from <= 16 ? this.text.slice(from, to) : `${this.text.slice(from, from + 8)}${this.text.slice(to - 8, to)}`
  }

  isNumber(index: number): boolean {
    const code = this.folded[index]?.charCodeAt(0) ?? 0
    return code >= 48 && code <= 57
  }
}

function isDigits(word: string): boolean {
  const code = word.charCodeAt(0)
  return (code >= 48 && code <= 57) || (code >= 0x660 && /^\p{Nd}/u.test(word))
}

function latin(digits: string): string {
  return /^\d+$/.test(digits)
    ? digits
    : [...digits]
        .map((digit) => {
          const code = digit.codePointAt(0) ?? 0
          const nought = NOUGHTS.find((each) => code >= each && code <= each + 9)
          return nought === undefined ? digit : String(code - nought)
        })
        .join('')
}
