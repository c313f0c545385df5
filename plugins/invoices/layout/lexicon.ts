import { deletions, folded, skeleton } from './fold.js'
import { LANGUAGES, type Language, type Token } from './types.js'

/** Possible meanings of a phrase in one vocabulary, with the languages in which it has them. */
export type Meaning<K> = ReadonlyMap<K, ReadonlySet<Language>>

export interface Match<K> {
  readonly meaning: Meaning<K>
  /** Letters of the phrase; a Chinese or Japanese character counts as three. */
  readonly length: number
  /** Tokens from `from` to before `to`. */
  readonly from: number
  readonly to: number
  /** Below 1 when it matched with a wrong letter. */
  readonly exact: number
}

const MAX_TOKENS = 7
const MAX_LENGTH = 44
/** Shorter phrases must match exactly. */
const MIN_FUZZY = 6
const SIGNS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu

/** A vocabulary whose phrases match regardless of spaces; with `fuzzy` also with one misread letter. */
export class Lexicon<K extends string> {
  readonly #exact = new Map<string, Map<K, Set<Language>>>()
  /** Phrases by their variants with one letter removed. Built on first use, since that takes as long as reading ten invoices. */
  #near: ReadonlyMap<string, Meaning<K>> | null = null

  constructor(words: (language: Language) => Partial<Record<K, string>>, kinds: readonly K[]) {
    for (const kind of kinds)
      for (const language of LANGUAGES)
        for (const phrase of (words(language)[kind] ?? '').split('|')) {
          const compact = folded(phrase)
          if (compact === '') continue
          const meaning = this.#exact.get(compact) ?? new Map<K, Set<Language>>()
          this.#exact.set(compact, meaning.set(kind, (meaning.get(kind) ?? new Set()).add(language)))
        }
  }

  /** The meaning of a compact text, and its certainty. */
  find(compact: string, fuzzy: boolean): { meaning: Meaning<K>; exact: number } | null {
    const exact = this.#exact.get(compact)
    if (exact !== undefined) return { meaning: exact, exact: 1 }
    if (!fuzzy || compact.length < MIN_FUZZY - 1) return null
    this.#near ??= nearOf(this.#exact)
    const bare = skeleton(compact)
    for (const key of [bare, ...deletions(bare)]) {
      const near = this.#near.get(key)
      if (near !== undefined) return { meaning: near, exact: 0.8 }
    }
    return null
  }

  /** The phrases in a row, from left to right, each as long as possible. `maxGap` is the maximum gap between words of one phrase. */
  matches(tokens: readonly Token[], maxGap: number, fuzzy: boolean): Match<K>[] {
    const found: Match<K>[] = []
    for (let from = 0; from < tokens.length;) {
      const match = this.#longest(tokens, { from, maxGap, fuzzy })
      if (match !== null) found.push(match)
      from = match?.to ?? from + 1
    }
    return found
  }

  #longest(tokens: readonly Token[], { from, maxGap, fuzzy }: { from: number; maxGap: number; fuzzy: boolean }): Match<K> | null {
    let compact = ''
    let best: Match<K> | null = null
    for (let to = from; to < Math.min(tokens.length, from + MAX_TOKENS); to++) {
      const [token, before] = [tokens[to], tokens[to - 1]]
      if (token === undefined) break
      if (to > from && before !== undefined && (token.left - before.right > maxGap || /[:|]$/.test(before.text))) break
      if (compact.length + token.folded.length > MAX_LENGTH) break
      compact += token.folded
      if (compact === '' || token.folded === '') continue
      // A rate may follow the label without a space, as in VAT(20%).
      const known =
        this.find(compact, fuzzy) ?? (/\p{L}\d{1,4}%$/u.test(token.folded) ? this.find(compact.replace(/\d{1,4}%$/, ''), fuzzy) : null)
      if (known !== null && (best === null || known.exact >= best.exact))
        best = { ...known, length: compact.length + 2 * (compact.match(SIGNS)?.length ?? 0), from, to: to + 1 }
    }
    return best
  }
}

function nearOf<K>(exact: ReadonlyMap<string, Meaning<K>>): ReadonlyMap<string, Meaning<K>> {
  const near = new Map<string, Meaning<K>>()
  for (const [compact, meaning] of exact) {
    if (compact.length < MIN_FUZZY) continue
    const bare = skeleton(compact)
    for (const key of new Set([bare, ...deletions(bare)])) {
      const other = near.get(key)
      near.set(key, other === undefined ? meaning : both(other, meaning))
    }
  }
  return near
}

function both<K>(one: Meaning<K>, other: Meaning<K>): Meaning<K> {
  const union = new Map<K, ReadonlySet<Language>>(one)
  for (const [kind, languages] of other) union.set(kind, new Set([...(one.get(kind) ?? []), ...languages]))
  return union
}
