import { unmarked } from './months.js'

/**
 * Words and groups of digits: a word mixes letters and digits only when it starts with a Latin letter, as in `A320`.
 */
const WORD = /\p{Nd}+|\p{Script=Latin}[\p{Script=Latin}\p{Nd}]*|\p{L}+/uy
const FOOTNOTE = /\[(?:\d{1,3}|[a-z]|citation needed)\]/g
const CAPITAL = /^\p{Lu}/u
/** The digit zero of scripts with their own digits: Arabic, Persian, Devanagari, Bengali, Thai. */
const NOUGHTS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50]
const [NOTHING, LETTER, DIGIT] = [0, 1, 2]
const LAST_ASCII = 127

/** The words of a text and the separators between them. */
export class Words {
  readonly text: string
  /** Each word in lower case and with Latin digits. */
  readonly folded: readonly string[]
  readonly #starts: readonly number[]
  readonly #ends: readonly number[]

  constructor(source: string) {
    const bare = unmarked(source)
    const clean = /[^\S \n]/.test(bare) ? bare.replace(/[^\S\n]/g, ' ') : bare
    const text = clean.includes('[') ? clean.replace(FOOTNOTE, ' ') : clean
    const [folded, starts, ends]: [string[], number[], number[]] = [[], [], []]
    const pattern = new RegExp(WORD)
    for (let at = 0; at < text.length;) {
      const end = wordEnd(text, at, pattern)
      if (end > at) {
        folded.push(foldedWord(text.slice(at, end)))
        starts.push(at)
        ends.push(end)
      }
      at = Math.max(end, at + 1)
    }
    this.text = text
    this.folded = folded
    this.#starts = starts
    this.#ends = ends
  }

  /** A word as written; empty out of range. */
  at(index: number): string {
    return this.text.slice(this.#starts[index] ?? 0, this.#ends[index] ?? 0)
  }

  /** Start of a word in `text`. */
  startOf(index: number): number {
    return this.#starts[index] ?? this.text.length
  }

  /** The text between a word and the previous one, at most 8 characters from either end. */
  gap(index: number): string {
    const from = this.#ends[index - 1] ?? 0
    const to = this.#starts[index] ?? this.text.length
    return to - from <= 16 ? this.text.slice(from, to) : `${this.text.slice(from, from + 8)}${this.text.slice(to - 8, to)}`
  }

  /** Whether exactly one blank or hyphen separates a word from the previous one. */
  follows(index: number): boolean {
    const from = this.#ends[index - 1] ?? 0
    if ((this.#starts[index] ?? this.text.length) - from !== 1) return false
    const between = this.text.charAt(from)
    return between === ' ' || between === '-'
  }

  isNumber(index: number): boolean {
    const code = this.folded[index]?.charCodeAt(0) ?? 0
    return code >= 48 && code <= 57
  }

  /** Whether a word starts with a capital. */
  isCapital(index: number): boolean {
    const start = this.startOf(index)
    const code = this.text.charCodeAt(start)
    return code <= LAST_ASCII ? code >= 65 && code <= 90 : CAPITAL.test(this.text.slice(start, start + 2))
  }
}

/**
 * End of the word that starts at a position; the position itself when there is none. ASCII words are read without the
 * pattern, which is ten times slower.
 */
function wordEnd(text: string, from: number, pattern: RegExp): number {
  const kind = kindOf(text.charCodeAt(from))
  if (kind === NOTHING) return from
  let to = from + 1
  if (kind === DIGIT) while (kindOf(text.charCodeAt(to)) === DIGIT) to++
  else if (kind === LETTER)
    for (let next = kindOf(text.charCodeAt(to)); next === LETTER || next === DIGIT; next = kindOf(text.charCodeAt(to))) to++
  if (kind !== null && kindOf(text.charCodeAt(to)) !== null) return to
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : from
}

/** The class of an ASCII code unit (0 past the end of a text); null for any other. */
function kindOf(code: number): number | null {
  if (code > LAST_ASCII) return null
  if (code >= 48 && code <= 57) return DIGIT
  const lower = code | 32
  return lower >= 97 && lower <= 122 ? LETTER : NOTHING
}

function foldedWord(word: string): string {
  const code = word.charCodeAt(0)
  if (code >= 48 && code <= 57) return /^\d+$/.test(word) ? word : latin(word)
  return code >= 0x660 && /^\p{Nd}/u.test(word) ? latin(word) : word.toLowerCase()
}

function latin(digits: string): string {
  return [...digits]
    .map((digit) => {
      const code = digit.codePointAt(0) ?? 0
      const nought = NOUGHTS.find((each) => code >= each && code <= each + 9)
      return nought === undefined ? digit : String(code - nought)
    })
    .join('')
}
