import type { Described } from '../../../core/http/discovery/described.js'
import { nearest } from '../../../core/sdk/nearest.js'
import { isRecord } from '../../../core/sdk/json.js'

/** What a word is worth to a capability that has it there; the greatest counts. */
const WEIGHT = { name: 3, phrase: 2, parameter: 1, description: 0.5 }
/** What each word of a phrase is worth besides, when the query has all of them. */
const WHOLE_PHRASE = 2
const MOST_FOUND = 5
/** Found capabilities have at least this share of the best score. */
const BESIDE = 0.25
/** Most words of a query that are searched. */
const MOST_WORDS = 40
/** Characters by which words are compared: "convert" and "conversion", "transcribe" and "transcription" are the same. */
const STEM = 5
/** Letters of a word that may be mistyped. */
const LEAST_MISTYPED = 4

interface Entry {
  readonly capability: Described
  readonly words: ReadonlyMap<string, number>
  /** The words of each phrase: one of each list has to be there. */
  readonly phrases: readonly (readonly (readonly string[])[])[]
}

interface Index {
  readonly entries: readonly Entry[]
  /** What a word is worth. */
  readonly rarity: ReadonlyMap<string, number>
  readonly names: readonly string[]
}

/** Ranks capabilities by the words of a query. A word counts more the fewer capabilities have it (Robertson and Spärck Jones). */
export class Finder {
  readonly #capabilities: readonly Described[]
  #index: Index | null = null

  constructor(capabilities: readonly Described[]) {
    this.#capabilities = capabilities
  }

  /** At most five of the offered capabilities, the best first; an id or the name of a tool finds that one alone. */
  find(query: string, offered: readonly Described[]): Described[] {
    const wanted = query.trim().toLowerCase()
    const named = offered.filter(({ id, tool, aliases }) => [id, tool, ...aliases].includes(wanted))
    if (named.length > 0) return named
    const ids = new Set(offered.map(({ id }) => id))
    const { entries, rarity } = this.#indexed()
    const words = this.#known(wanted)
    const ranked = entries
      .filter(({ capability: { id } }) => ids.has(id))
      .map((entry) => ({ capability: entry.capability, score: score(entry, words, rarity) }))
      .sort((one, other) => other.score - one.score)
    const least = BESIDE * (ranked[0]?.score ?? 0)
    return ranked
      .filter(({ score }) => score > 0 && score >= least)
      .slice(0, MOST_FOUND)
      .map(({ capability }) => capability)
  }

  /** The words of a query; one that no capability has counts as the name that it resembles. */
  #known(query: string): string[] {
    const { rarity, names } = this.#indexed()
    const words = query.split(NO_LETTERS).slice(0, MOST_WORDS)
    const known = words.flatMap((word) => {
      const stem = stemOf(word)
      if (stem === '' || rarity.has(stem)) return [stem]
      const near = word.length < LEAST_MISTYPED ? null : nearest(word.slice(0, 4 * STEM), names)
      return near === null ? [] : [stemOf(near)]
    })
    return [...new Set(known)]
  }

  /** Built at the first query, since most clients send none. */
  #indexed(): Index {
    if (this.#index !== null) return this.#index
    const entries = this.#capabilities.map((capability) => ({ capability, words: wordsOf(capability), phrases: phrasesOf(capability) }))
    const counts = new Map<string, number>()
    for (const { words } of entries) for (const word of words.keys()) counts.set(word, (counts.get(word) ?? 0) + 1)
    const rarity = new Map([...counts].map(([word, count]) => [word, Math.log(1 + (entries.length - count + 0.5) / (count + 0.5))]))
    const names = new Set(this.#capabilities.flatMap(({ id, title }) => `${id} ${title}`.toLowerCase().split(NO_LETTERS)))
    this.#index = { entries, rarity, names: [...names].filter((name) => name.length >= LEAST_MISTYPED) }
    return this.#index
  }
}

function score({ words: own, phrases }: Entry, words: readonly string[], rarity: ReadonlyMap<string, number>): number {
  const worth = (word: string): number => rarity.get(word) ?? 0
  const single = words.reduce((sum, word) => sum + (own.get(word) ?? 0) * worth(word), 0)
  const whole = phrases.map((phrase) => {
    const found = phrase.map((choices) => choices.find((choice) => words.includes(choice)))
    return found.reduce((sum, word) => (word === undefined ? NaN : sum + worth(word)), 0)
  })
  return single + WHOLE_PHRASE * Math.max(0, ...whole.filter((sum) => !Number.isNaN(sum)))
}

/** A parameter's place in a phrase, such as {prompt}, or {prompt:music|song} for one that holds one of these words. */
const PLACE = /\{\w+(?::([^}]*))?\}/g

/** Phrases as they are declared: words, `|` between words of one meaning; a list that begins with `*` is none. */
function phrasesOf({ phrases }: Described): string[][][] {
  return phrases
    .filter(({ say }) => !say.startsWith('*'))
    .map(({ say }) =>
      say
        .toLowerCase()
        .replace(PLACE, '$1')
        .split(/\s+/)
        .map((word) => word.split('|').flatMap((choice) => stemOf(choice.replace(/[^\p{L}\p{N}]/gu, '')) || []))
        .filter((choices) => choices.length > 0),
    )
    .filter((phrase) => phrase.length > 0)
}

function wordsOf({ id, title, aliases, phrases, description, input }: Described): Map<string, number> {
  const words = new Map<string, number>()
  const add = (text: string, weight: number): void => {
    for (const word of text.toLowerCase().split(NO_LETTERS)) {
      const stem = stemOf(word)
      if (stem !== '') words.set(stem, Math.max(weight, words.get(stem) ?? 0))
    }
  }
  add([id, title, ...aliases].join(' '), WEIGHT.name)
  for (const { say } of phrases) add(say.replace(PLACE, ' $1 '), WEIGHT.phrase)
  for (const [name, schema] of parametersOf(input)) add([name, ...valuesOf(schema)].join(' '), WEIGHT.parameter)
  add(description, WEIGHT.description)
  return words
}

function parametersOf(input: unknown): [string, unknown][] {
  return isRecord(input) && isRecord(input.properties) ? Object.entries(input.properties) : []
}

function valuesOf(schema: unknown): string[] {
  const { enum: values } = isRecord(schema) ? schema : {}
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : []
}

const NO_LETTERS = /[^\p{L}\p{N}]+/u

/** The beginning of a word without the ending of a plural; empty for one of a single character. */
function stemOf(word: string): string {
  if (word.length < 2) return ''
  return (word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word).slice(0, STEM)
}
