import { termsOf } from './claims.js'
import { isFunctionWord, nameForm } from './common-words.js'
import { isSpelledNumber } from './figures.js'
import { monthOf } from './months.js'

/** Words whose keys are kept; a text with more different ones is hostile. */
const MOST_KEPT = 50_000

/** What a word of a source means for the wanted keys. */
export interface WordKeys {
  /** Of its topic. */
  readonly terms: readonly number[]
  /** As a part of a name, as initials where it is all capitals, and as a word written without a capital; null where nobody wants them. */
  readonly name: number | null
  readonly initials: number | null
  readonly plain: number | null
  readonly month: number | null
  readonly isFunctionWord: boolean
  /** A date or a figure may begin with it: the name of a month, or a number in words. */
  readonly mayCount: boolean
}

/** The keys that some claims need, numbered from 0, and which of them each word has: sources repeat their words, so that each word is read once for all of them. */
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

  /** Whether the first letters of words that follow each other are wanted. */
  get wantsInitials(): boolean {
    return this.#wantsInitials
  }

  /** The number of a key; null for one that nobody wants. */
  numberOf(key: string): number | null {
    return this.#numbers.get(key) ?? null
  }

  /** Of a folded word. */
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
