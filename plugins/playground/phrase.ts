import type { EntityKind } from './entities.js'
import { isFormat } from './facts.js'
import type { Field, Kind } from './kinds.js'
import { isFiller, stemOf, type Token } from './words.js'

/** Synonyms, or a slot for a parameter, whose value contains one of the words of `holds` if there are any. */
type Part = { readonly stems: readonly string[] } | { readonly slot: string; readonly holds: readonly string[] }

/** A phrase of a capability, prepared for matching. */
export interface Phrase {
  readonly parts: readonly Part[]
  /** It is a complete question. */
  readonly isQuestion: boolean
  readonly params: Readonly<Record<string, unknown>>
  /** Its words may match in part and in any order: a title, not a phrase. */
  readonly isLoose: boolean
}

/** A match of a phrase. */
export interface Match {
  readonly phrase: Phrase
  readonly score: number
  /** Indexes of the tokens that are its words. */
  readonly words: readonly number[]
  /** Ranges of tokens by the parameter they fill. */
  readonly slots: ReadonlyMap<string, readonly [number, number]>
}

/** Weight of a word as evidence for a capability: high when few capabilities have it. */
export type Weights = ReadonlyMap<string, number>

/** Tokens searched for phrases: the intent comes early. */
const LOOKED_AT = 120
const FILLER_WEIGHT = 0.1
/** Other words allowed between two words of a phrase. */
const MOST_BETWEEN = 2
const QUESTION_SCORE = 1
const LOOSE = 0.6
/** Factor for a missing slot value. */
const ABSENT = 0.7
/** Kinds of entities accepted by a kind of parameter. */
export const TAKES: ReadonlyMap<Kind['of'], readonly EntityKind[]> = new Map<Kind['of'], readonly EntityKind[]>([
  ['url', ['url', 'domain']],
  ['email', ['email']],
  ['phone', ['phone']],
  ['domain', ['domain', 'url']],
  ['domains', ['domain']],
  ['endings', ['ending']],
])

/**
 * Parses a declared phrase: words, `|` between synonyms, parameters in braces (`{prompt:music|song}` contains one of
 * the words), `?` at the end.
 */
export function phraseOf(say: string, params: Readonly<Record<string, unknown>> = {}): Phrase {
  const isQuestion = say.endsWith('?')
  const parts = say
    .replace(/\?$/, '')
    .split(/\s+/)
    .map((word): Part => {
      const [, slot, holds] = /^\{(\w+)(?::([^}]+))?\}$/.exec(word) ?? []
      if (slot !== undefined) return { slot, holds: holds?.split('|').map(stemOf) ?? [] }
      return { stems: word.split('|').map(stemOf) }
    })
  return { parts, isQuestion, params, isLoose: false }
}

/** A title or a name, which may match in part. */
export function looseOf(text: string, params: Readonly<Record<string, unknown>> = {}): Phrase {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '' && !isFiller(word))
  return { parts: words.map((word) => ({ stems: [stemOf(word)] })), isQuestion: false, params, isLoose: true }
}

/** The best match of a phrase in a sentence; null without one. */
export function matchOf(phrase: Phrase, tokens: readonly Token[], fields: readonly Field[], weights: Weights): Match | null {
  const seen = tokens.slice(0, LOOKED_AT)
  if (phrase.isLoose) return looseMatch(phrase, seen, weights)
  const [first] = phrase.parts
  if (first === undefined) return null
  if (phrase.parts.length === 1 && 'slot' in first)
    return { phrase, score: QUESTION_SCORE, words: [], slots: new Map([[first.slot, [0, tokens.length]]]) }
  let best: Match | null = null
  for (let at = 0; at < seen.length; at++) {
    const begins = 'slot' in first ? at === 0 : hasStem(first.stems, seen[at])
    const match = begins ? new Attempt(phrase, tokens, fields, weights).from(at) : null
    if (match !== null && (best === null || match.score > best.score)) best = match
  }
  return best
}

function looseMatch(phrase: Phrase, tokens: readonly Token[], weights: Weights): Match | null {
  let [found, all] = [0, 0]
  const words: number[] = []
  for (const part of phrase.parts) {
    if ('slot' in part) continue
    const weight = weightOf(part.stems[0] ?? '', weights)
    all += weight
    const at = tokens.findIndex((token) => hasStem(part.stems, token))
    if (at === -1) continue
    found += weight
    words.push(at)
  }
  return all === 0 || found < all / 2 ? null : { phrase, score: (LOOSE * found * found) / all, words, slots: new Map() }
}

/** One attempt to match a phrase from one token on. */
class Attempt {
  readonly #phrase: Phrase
  readonly #tokens: readonly Token[]
  readonly #fields: readonly Field[]
  readonly #weights: Weights
  readonly #words: number[] = []
  readonly #slots = new Map<string, readonly [number, number]>()
  readonly #searched: number
  #score = 0
  #factor = 1

  constructor(phrase: Phrase, tokens: readonly Token[], fields: readonly Field[], weights: Weights) {
    this.#phrase = phrase
    this.#tokens = tokens
    this.#searched = Math.min(tokens.length, LOOKED_AT)
    this.#fields = fields
    this.#weights = weights
  }

  from(start: number): Match | null {
    const { parts } = this.#phrase
    let at = start
    for (const [index, part] of parts.entries()) {
      if ('slot' in part) {
        const behind = this.#slot(part.slot, at, parts[index + 1])
        if (!this.#holds(part.holds, at, behind)) return null
        at = behind
        continue
      }
      const isBehindSlot = index > 0 && 'slot' in (parts[index - 1] ?? {})
      const found = this.#word(part.stems, at, isBehindSlot)
      // Function words may differ, except those that end a value.
      if (found === -1 && !isBehindSlot && part.stems.every(isFiller)) continue
      if (found === -1) return null
      this.#words.push(found)
      this.#score += weightOf(this.#tokens[found]?.stem ?? '', this.#weights)
      at = found + 1
    }
    const before = this.#tokens.slice(0, this.#words[0] ?? 0).filter(({ isFiller: filler, entity }) => !filler && entity === null).length
    const early = before === 0 ? 1.2 : before <= 2 ? 1 : 0.8
    return { phrase: this.#phrase, score: this.#score * this.#factor * early, words: this.#words, slots: this.#slots }
  }

  /** The next token with one of the stems; after a slot it may be anywhere, otherwise words in between lower the score. */
  #word(stems: readonly string[], from: number, behindSlot: boolean): number {
    let between = 0
    for (let at = from; at < this.#searched; at++) {
      const token = this.#tokens[at]
      if (hasStem(stems, token)) {
        this.#factor *= 0.85 ** (behindSlot ? 0 : between)
        return at
      }
      // Names of people and companies may be of any length.
      if (token !== undefined && !token.isFiller && token.entity === null && !/^\p{Lu}/u.test(token.text)) between++
      if (between > MOST_BETWEEN && !behindSlot) return -1
    }
    return -1
  }

  /** Consumes the value of a slot; returns the index after it. A missing value lowers the score. */
  #slot(name: string, from: number, next: Part | undefined): number {
    const kind = this.#fields.find((field) => field.name === name)?.kind
    const takes = kind === undefined ? undefined : TAKES.get(kind.of)
    if (takes !== undefined) {
      let at = from
      let between = 0
      for (; at < this.#tokens.length && between <= MOST_BETWEEN; at++) {
        const token = this.#tokens[at]
        if (token?.entity !== null && token?.entity !== undefined && takes.includes(token.entity.kind)) {
          this.#score += 0.4
          // Words in between belong to the phrase: `the page https://…`.
          return next === undefined || 'slot' in next ? at + 1 : this.#behindAll(at, takes)
        }
        if (token !== undefined && !token.isFiller) between++
      }
      this.#factor *= ABSENT
      return from
    }
    const end = next === undefined || 'slot' in next ? this.#ownEnd(kind, from) : this.#beforeWord(next.stems, from)
    const isFormatKind = kind?.of === 'format' || kind?.of === 'source-format'
    if (end <= from || (isFormatKind && !this.#tokens.slice(from, end).some(isFormat))) this.#factor *= ABSENT
    else {
      this.#slots.set(name, [from, end])
      this.#score += 0.3
    }
    return end
  }

  #holds(stems: readonly string[], from: number, to: number): boolean {
    const found = this.#tokens.slice(from, to).find((token) => hasStem(stems, token))
    if (found !== undefined) this.#score += weightOf(found.stem, this.#weights)
    return found !== undefined || stems.length === 0
  }

  /** Adjacent values: `a.example and b.example`. */
  #behindAll(at: number, takes: readonly EntityKind[]): number {
    let end = at + 1
    for (let next = end; next < this.#tokens.length; next++) {
      const token = this.#tokens[next]
      if (token?.entity !== null && token?.entity !== undefined && takes.includes(token.entity.kind)) end = next + 1
      else if (token?.stem !== 'and' && token?.stem !== 'or') break
    }
    return end
  }

  #ownEnd(kind: Kind | undefined, from: number): number {
    const isOneWord = kind?.of === 'format' || kind?.of === 'source-format'
    return isOneWord ? Math.min(from + 2, this.#tokens.length) : this.#tokens.length
  }

  /** The last position of a word that ends a value when an address follows it, else the first. */
  #beforeWord(stems: readonly string[], from: number): number {
    let first = -1
    let followed = -1
    for (let at = from; at < this.#searched; at++) {
      if (!hasStem(stems, this.#tokens[at])) continue
      if (first === -1) first = at
      if (this.#tokens.slice(at + 1, at + 4).some(({ entity }) => entity !== null && entity.kind !== 'quoted')) followed = at
    }
    return followed !== -1 ? followed : first === -1 ? this.#tokens.length : first
  }
}

function hasStem(stems: readonly string[], token: Token | undefined): boolean {
  return token !== undefined && token.entity === null && stems.includes(token.stem)
}

function weightOf(stem: string, weights: Weights): number {
  return isFiller(stem) ? FILLER_WEIGHT : (weights.get(stem) ?? 1)
}
