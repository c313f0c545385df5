import { termsOf } from './claims.js'
import { isFunctionWord, nameForm } from './common-words.js'
import { isSpelledNumber } from './figures.js'
import { monthOf } from './months.js'

/** Most words whose keys are cached; a text with more distinct words is adversarial. */
const MOST_KEPT = 50_000

/** The wanted keys of a word of a source. */
export interface WordKeys {
  /** As a topic word. */
  readonly terms: readonly number[]
  /** As a part of a name, as initials when all capitals, and as a word without a capital; null when not wanted. */
  readonly name: number | null
  readonly initials: number | null
  readonly plain: number | null
  readonly month: number | null
  readonly isFunctionWord: boolean
  /** A date or a figure may start with it: a month name or a number word. */
  readonly mayCount: boolean
}

/**
 * The keys needed by a set of claims, numbered from 0, and the keys of each word: sources repeat words, so each word
 * is read once for all of them.
 */
export class WantedKeys {
  readonly #numbers = new Map<string, number>()
  readonly #words = new Map<string, WordKeys>()
  #wantsInitials = false

  constructor(keys: Iterable<string>) {
    for (const key of keys) {
      if (!this.#numbers.has(key)) this.#numbers.set(key, this.#numbers.size)
      if (key.startsWith('i:')) this.#wantsInitials = true
    }
  }

  get size(): number {
    return this.#numbers.size
  }

  /** Whether initials of consecutive words are wanted. */
  get wantsInitials(): boolean {
    return this.#wantsInitials
  }

  /** The number of a key; null when it is not wanted. */
  numberOf(key: string): number | null {
    return this.#numbers.get(key) ?? null
  }

  /** The keys of a folded word. */
  ofWord(word: string): WordKeys {
    const known = this.#words.get(word)
    if (known !== undefined) return known
    const keys = this.#read(word)
    if (this.#words.size < MOST_KEPT) this.#words.set(word, keys)
    return keys
  }

  #read(word: string): WordKeys {
    const form = nameForm(word)
    const month = monthOf(word)
    return {
      terms: termsOf(word).flatMap((term) => this.numberOf(term) ?? []),
      name: this.numberOf(`w:${form}`),
      initials: this.numberOf(`u:${word}`),
      plain: this.numberOf(`l:${form}`),
      month: month === undefined ? null : this.numberOf(`m:${month}`),
      isFunctionWord: isFunctionWord(word),
      mayCount: month !== undefined || isSpelledNumber(word),
    }
  }
}
