import { absolute, LINKS } from '../urls.js'
import { BOUNDS } from './bounds.js'
import type { Budget } from './budget.js'
import type { Texts } from './texts.js'

type Attributes = Readonly<Record<string, string>>

/** Markup syntax of items. */
export interface Dialect {
  /** The types of an item that the element starts, full or short; null when it starts none. */
  readonly types: (attributes: Attributes, vocabulary: string) => string[] | null
  readonly names: (attributes: Attributes) => string[]
  readonly id: (attributes: Attributes) => string | undefined
  /** Ids of other elements whose properties also belong to the item. */
  readonly references: (attributes: Attributes) => string[]
}

type Value = string | Item
interface Property {
  readonly names: readonly string[]
  value: Value
}
/** A target of properties: an item, or a part of the page with an id that items may reference. */
interface Holder {
  readonly properties: Property[]
}
interface Item extends Holder {
  readonly types: readonly string[]
  readonly id: string | null
  readonly references: readonly string[]
}
interface Open {
  readonly item: Item | null
  readonly part: Holder | null
  /** A property whose value is the text of its element. */
  readonly pending: { readonly property: Property; readonly mark: number } | null
  readonly vocabulary: string
}

const MOST_REFERENCES = 20
/** Maximum parts with an id around one property. */
const MOST_PARTS = 8

/** Collects the items of one syntax while a page is read, in linear time. */
export class Items {
  readonly #dialect: Dialect
  readonly #texts: Texts
  readonly #base: () => string
  readonly #stack: Open[] = []
  readonly #roots: Item[] = []
  readonly #parts = new Map<string, Holder>()
  #count = 0

  constructor(dialect: Dialect, texts: Texts, base: () => string) {
    this.#dialect = dialect
    this.#texts = texts
    this.#base = base
  }

  open(name: string, attributes: Attributes): void {
    const vocabulary = attributes['vocab'] ?? this.#stack.at(-1)?.vocabulary ?? ''
    const room = this.#count < BOUNDS.values
    const types = room ? this.#dialect.types(attributes, vocabulary) : null
    const names = room ? this.#dialect.names(attributes) : []
    const part = this.#partOf(attributes)
    const item = types === null ? null : this.#itemOf(types, attributes)
    const given = item ?? valueOf(name, attributes, this.#base())
    const property: Property | null = names.length === 0 ? null : { names, value: given ?? '' }
    const isTaken = property !== null && this.#give(property, part)
    if (item !== null && property === null && this.#roots.length < BOUNDS.items) this.#roots.push(item)
    const pending = isTaken && given === null ? { property, mark: this.#texts.mark } : null
    this.#stack.push({ item, part, pending, vocabulary })
  }

  close(): void {
    const pending = this.#stack.pop()?.pending ?? null
    if (pending !== null) pending.property.value = this.#texts.since(pending.mark, BOUNDS.value) ?? ''
  }

  /** The top-level items, in the form of JSON-LD. */
  result(budget: Budget): Record<string, unknown>[] {
    return this.#roots.map((item) => this.#written(item, [], budget)).filter((item) => item !== null)
  }

  #itemOf(types: string[], attributes: Attributes): Item {
    this.#count += 1
    const references = this.#dialect.references(attributes).slice(0, MOST_REFERENCES)
    return { types, id: this.#dialect.id(attributes)?.slice(0, BOUNDS.heading) ?? null, references, properties: [] }
  }

  #partOf({ id }: Attributes): Holder | null {
    if (id === undefined || id === '' || this.#parts.has(id) || this.#parts.size >= BOUNDS.values) return null
    const part = { properties: [] }
    this.#parts.set(id, part)
    return part
  }

  /** Assigns a property to the enclosing item and to the parts in between; true when one accepted it. */
  #give(property: Property, own: Holder | null): boolean {
    const holders: Holder[] = own === null ? [] : [own]
    for (let at = this.#stack.length - 1; at >= 0 && holders.length < MOST_PARTS; at -= 1) {
      const { item = null, part = null } = this.#stack[at] ?? {}
      if (item !== null) holders.push(item)
      if (item !== null) break
      if (part !== null) holders.push(part)
    }
    for (const { properties } of holders) {
      this.#count += 1
      properties.push(property)
    }
    return holders.length > 0
  }

  /** A reference to an enclosing item is left out. */
  #written(item: Item, above: readonly Item[], budget: Budget): Record<string, unknown> | null {
    if (above.length >= BOUNDS.depth || above.includes(item) || !budget.take()) return null
    const found = new Map<string, unknown[]>()
    const referred = item.references.flatMap((id) => this.#parts.get(id)?.properties ?? [])
    for (const { names, value } of [...item.properties, ...referred]) {
      if (budget.spent) break
      const written = typeof value === 'string' ? budget.text(value) : this.#written(value, [...above, item], budget)
      if (written === null || written === undefined || written === '') continue
      for (const name of names) found.set(name, [...(found.get(name) ?? []), written].slice(0, BOUNDS.perName))
    }
    const entries = [...found].map(([name, values]): [string, unknown] => [name, values.length === 1 ? values[0] : values])
    const head: [string, unknown][] = []
    if (item.types.length > 0) head.push(['@type', item.types.length === 1 ? item.types[0] : item.types])
    if (item.id !== null) head.push(['@id', item.id])
    return Object.fromEntries([...head, ...entries])
  }
}

const SOURCES: Readonly<Record<string, string>> = {
  audio: 'src', embed: 'src', iframe: 'src', img: 'src', source: 'src', track: 'src', video: 'src',
  a: 'href', area: 'href', link: 'href', object: 'data',
} // prettier-ignore

/** The attribute value of an element's property (HTML, 5.2.4); null when it is the text. */
function valueOf(name: string, attributes: Attributes, base: string): string | null {
  const content = attributes['content']
  if (content !== undefined) return content
  const source = SOURCES[name]
  if (source !== undefined) return absolute(attributes[source], base, LINKS) ?? (name === 'a' ? null : '')
  if (name === 'meta') return ''
  if ((name === 'data' || name === 'meter') && attributes['value'] !== undefined) return attributes['value']
  return name === 'time' ? (attributes['datetime'] ?? null) : null
}
