import { isRecord } from '../../../core/sdk/json.js'
import { words } from './fold.js'
import type { Place, SchemaPlaces } from './schema-places.js'
import { isChoice, type SourceWords } from './source-words.js'

/** A name chosen by a model: a few plain words. */
const PLAIN_NAME = /^[A-Za-z]{1,30}(?:[ _-]?[A-Za-z]{1,30}){0,5}$/
const LONGEST_NAME = 60
/** Deeper values are left out. */
const DEEPEST = 40

/** Removes from a model's answer what the schema does not name and the source does not contain. */
export class Cleaning {
  readonly #places: SchemaPlaces
  readonly #source: SourceWords
  readonly #promptWords: ReadonlySet<string>
  readonly #struck = new Set<string>()

  constructor(places: SchemaPlaces, source: SourceWords, prompt: string | null) {
    this.#places = places
    this.#source = source
    this.#promptWords = new Set(words(prompt ?? ''))
  }

  get struck(): readonly string[] {
    return [...this.#struck]
  }

  /** The answer with null in place of each text that is not in the source. */
  cleaned(answer: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return this.#record(answer, { place: this.#places.top(), at: '', depth: 0 })
  }

  #value(value: unknown, where: Where): unknown {
    if (where.depth > DEEPEST) return null
    if (typeof value === 'string') return this.#text(value, where)
    if (Array.isArray(value)) return this.#list(value, where)
    return isRecord(value) ? this.#record(value, where) : value
  }

  #text(value: string, { place, at }: Where): string | null {
    if (isChoice(value, place.nodes)) return value
    if (value.trim() === '') return null
    if (this.#source.has(value)) return value
    this.#struck.add(at)
    return null
  }

  /** A list text that is not in the source is dropped without a gap, and so is an item that becomes empty. */
  #list(list: readonly unknown[], { place, at, depth }: Where): unknown[] {
    return list.flatMap((item, index) => {
      const kept = this.#value(item, { place: this.#places.item(place, index), at: `${at}/${String(index)}`, depth: depth + 1 })
      return kept === null || (isRecord(kept) && isRecord(item) && !hasValue(kept) && hasValue(item)) ? [] : [kept]
    })
  }

  #record(record: Readonly<Record<string, unknown>>, { place, at, depth }: Where): Record<string, unknown> {
    const kept = Object.entries(record).flatMap(([name, value]) => {
      const property = this.#places.property(place, name)
      if (name === '__proto__' || property === null) return []
      if (property.by !== 'name' && !this.#isName(name, property.by)) return []
      return [[name, this.#value(value, { place: property.place, at: `${at}/${name}`, depth: depth + 1 })] as const]
    })
    return Object.fromEntries(kept)
  }

  /** The keys of a map are texts of the source; names outside the schema may be plain words or those of the prompt. */
  #isName(name: string, by: 'map' | 'nothing'): boolean {
    if (name.length > LONGEST_NAME) return false
    if (this.#source.has(name) || (words(name).length > 0 && words(name).every((word) => this.#promptWords.has(word)))) return true
    return by === 'nothing' && PLAIN_NAME.test(name)
  }
}

interface Where {
  readonly place: Place
  readonly at: string
  readonly depth: number
}

function hasValue(record: Readonly<Record<string, unknown>>): boolean {
  return Object.values(record).some((value) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0))
}
