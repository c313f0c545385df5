import { isRecord } from '../../../core/sdk/json.js'
import { coerced } from './coerce.js'
import { hasValue } from './complete.js'
import type { Collection } from './collections.js'
import type { Place, SchemaPlaces } from './schema-places.js'
import { keyOf, propertiesFor, singular } from './synonyms.js'

type Fields = ReadonlyMap<string, unknown>

/** Levels below an item that are searched for a value: the price of a product is in its offer. */
const DEEPEST = 2
/** Maximum nesting of requested objects. */
const DEEPEST_WANTED = 12
/** Maximum entries of one list. */
export const MOST_ITEMS = 1_000
/** General names that say nothing about the parent item. */
const GENERAL = new Set([
  'name',
  'title',
  'headline',
  'description',
  'url',
  'image',
  'id',
  '@id',
  'type',
  '@type',
  'text',
  'value',
  'email',
  'telephone',
])

/** Fills a schema from records of a source: by property names, then by synonyms, then by the words of their descriptions. */
export class Filling {
  readonly #places: SchemaPlaces
  readonly #collections: readonly Collection[]
  readonly #fields = new Map<unknown, Fields>()

  constructor(places: SchemaPlaces, collections: readonly Collection[]) {
    this.#places = places
    this.#collections = collections
  }

  /** The object's values in the records; earlier records take precedence for each property. */
  object(place: Place, records: readonly unknown[], depth = 0): Record<string, unknown> {
    if (depth > DEEPEST_WANTED) return {}
    return Object.fromEntries(
      this.#places.names(place).flatMap((name) => {
        const inner = this.#places.property(place, name)?.place
        const value = inner === undefined ? undefined : this.#property(name, inner, { records, depth })
        return value === undefined ? [] : [[name, value] as const]
      }),
    )
  }

  #property(name: string, place: Place, where: Where): unknown {
    const found = this.#values(name, place, where.records)
    if (this.#places.isList(place)) return this.#list(name, place, { found, where })
    if (this.#places.names(place).length > 0) {
      for (const value of found) {
        const filled = this.object(place, listOf(value).slice(0, 1), where.depth + 1)
        if (hasValue(filled)) return filled
      }
      return undefined
    }
    for (const value of found) {
      const single = coerced(value, place)
      if (single !== undefined) return single
    }
    return undefined
  }

  #list(name: string, place: Place, { found, where }: { found: readonly unknown[]; where: Where }): unknown[] | undefined {
    const item = this.#places.item(place, 0)
    const wanted = this.#places.names(item)
    if (wanted.length === 0) {
      const columns = this.#collectionsFor(where).map(({ items }) =>
        items.flatMap((each) => this.#direct(this.#fieldsOf(each), [singular(keyOf(name))])),
      )
      for (const value of [...found, ...columns]) {
        const list = partsOf(value).map((each) => coerced(each, item))
        const kept = list.filter((each) => each !== undefined).slice(0, MOST_ITEMS)
        if (kept.length > 0) return kept
      }
      return undefined
    }
    const lists = [...found.map((value) => ({ name: keyOf(name), items: listOf(value) })), ...this.#collectionsFor(where)]
    const filled = lists.map(({ name: called, items }) => {
      const objects = items.slice(0, MOST_ITEMS).map((each) => this.object(item, [each], where.depth + 1))
      const kept = objects.filter((each) => this.#isWhole(each, item))
      const names = new Set(kept.flatMap((each) => Object.keys(each)))
      return { kept, score: names.size * 4 + (singular(called) === singular(keyOf(name)) ? 3 : 0) + (kept.length > 1 ? 1 : 0) }
    })
    const best = filled.filter(({ kept }) => kept.length > 0).sort((one, other) => other.score - one.score)[0]
    return best?.kept
  }

  /** Lists of the whole source are only for the top level; an item has its own. */
  #collectionsFor({ depth }: Where): readonly Collection[] {
    return depth === 0 ? this.#collections : []
  }

  /** An item that has its required properties, and at least one value. */
  #isWhole(item: Readonly<Record<string, unknown>>, place: Place): boolean {
    return hasValue(item) && this.#places.required(place).every((name) => Object.hasOwn(item, name) || this.#mayLack(place, name))
  }

  #mayLack(place: Place, name: string): boolean {
    const property = this.#places.property(place, name)
    return property !== null && (this.#places.allowsNull(property.place) || this.#places.isList(property.place))
  }

  /** The records' values under a name, the most likely first. */
  #values(name: string, place: Place, records: readonly unknown[]): unknown[] {
    const byName = propertiesFor(name)
    const described = place.nodes.flatMap(({ title, description }) => [title, description]).filter((text) => typeof text === 'string')
    const byWords = described.flatMap((text) => text.slice(0, 200).split(/[^\p{L}\p{N}]+/u)).flatMap((word) => propertiesFor(word))
    const telling = byWords.filter((key) => key.length > 2 && !GENERAL.has(key))
    return [byName, telling].flatMap((keys) => records.flatMap((record) => this.#inRecord(record, keys)))
  }

  #inRecord(record: unknown, keys: readonly string[]): unknown[] {
    const inner = keys.filter((key) => !GENERAL.has(key))
    let level: readonly unknown[] = [record]
    const found: unknown[] = []
    for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
      for (const each of level) found.push(...this.#direct(this.#fieldsOf(each), depth === 0 ? keys : inner))
      level = level.flatMap((each) => [...this.#fieldsOf(each).values()].flatMap(listOf).filter(isRecord)).slice(0, 200)
    }
    return found
  }

  #direct(fields: Fields, keys: readonly string[]): unknown[] {
    return keys.map((key) => fields.get(key)).filter((value) => value !== undefined && value !== null && value !== '')
  }

  #fieldsOf(record: unknown): Fields {
    const kept = this.#fields.get(record)
    if (kept !== undefined) return kept
    const fields = new Map<string, unknown>()
    if (isRecord(record)) for (const [name, value] of Object.entries(record)) if (!fields.has(keyOf(name))) fields.set(keyOf(name), value)
    this.#fields.set(record, fields)
    return fields
  }
}

interface Where {
  readonly records: readonly unknown[]
  readonly depth: number
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

/** A comma- or semicolon-separated text is several values. */
function partsOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'string') return listOf(value)
  return value.split(value.includes(';') ? ';' : ',').map((part) => part.trim())
}
