import { isRecord } from '../../../core/sdk/json.js'
import { fold } from './fold.js'

/** Identifying fields: two items with the same value are the same, even if they differ otherwise. */
const IDENTITY = ['id', '@id', 'sku', 'gtin', 'isbn', 'ean', 'doi', 'url', 'link', 'email', 'iban']
/** A truncated item of one part is searched among so many items of another. */
const NEAR = 30

/** Merges the answers for the parts of one text, and records contradictions. */
export class Merge {
  readonly #conflicts = new Set<string>()

  /** Positions at which parts have different values, as JSON pointers; the first part wins. */
  get conflicts(): readonly string[] {
    return [...this.#conflicts]
  }

  all(answers: readonly unknown[]): unknown {
    return answers.reduce((one, other) => this.#two(one, other, ''))
  }

  #two(one: unknown, other: unknown, at: string): unknown {
    if (isNothing(one)) return other
    if (isNothing(other)) return one
    if (Array.isArray(one) && Array.isArray(other)) return this.#lists(one, other, at)
    if (isRecord(one) && isRecord(other)) return this.#records(one, other, at)
    if (!same(one, other)) this.#conflicts.add(at)
    return one
  }

  #records(one: Record<string, unknown>, other: Record<string, unknown>, at: string): Record<string, unknown> {
    const [first, second] = [new Map(Object.entries(one)), new Map(Object.entries(other))]
    const names = [...new Set([...first.keys(), ...second.keys()])]
    return Object.fromEntries(names.map((name) => [name, this.#two(first.get(name), second.get(name), `${at}/${name}`)]))
  }

  /** Items only in the second list are appended; duplicates within one list are kept. */
  #lists(one: readonly unknown[], other: readonly unknown[], at: string): unknown[] {
    const result = [...one]
    const byValue = new Map(one.map((item, index) => [keyOf(item), index]))
    const byName = new Map(one.flatMap((item, index) => namesOf(item).map((name) => [name, index] as const)))
    const taken = new Set<number>()
    for (const item of other) {
      const found = byValue.get(keyOf(item)) ?? this.#alike(item, { one, byName, taken })
      if (found === undefined) result.push(item)
      else {
        taken.add(found)
        result[found] = this.#two(result[found], item, `${at}/${String(found)}`)
      }
    }
    return result
  }

  #alike(item: unknown, { one, byName, taken }: Alike): number | undefined {
    for (const name of namesOf(item)) {
      const index = byName.get(name)
      if (index !== undefined) return index
    }
    if (!isRecord(item)) return undefined
    for (let index = one.length - 1; index >= Math.max(0, one.length - NEAR); index--)
      if (!taken.has(index) && agree(one[index], item)) return index
    return undefined
  }
}

interface Alike {
  readonly one: readonly unknown[]
  readonly byName: ReadonlyMap<string, number>
  readonly taken: ReadonlySet<number>
}

/** True for two halves of one item: no values differ, and they share a text. */
function agree(one: unknown, other: Readonly<Record<string, unknown>>): boolean {
  if (!isRecord(one)) return false
  const first = new Map(Object.entries(one))
  const both = Object.entries(other).filter(([name, value]) => !isNothing(value) && !isNothing(first.get(name)))
  return both.every(([name, value]) => same(first.get(name), value)) && both.some(([, value]) => typeof value === 'string')
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
}

function same(one: unknown, other: unknown): boolean {
  return keyOf(one) === keyOf(other)
}

/** A key that is equal for equivalent values. */
function keyOf(value: unknown): string {
  if (typeof value === 'string') return `"${fold(value) || value}"`
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`
  if (!isRecord(value)) return String(value)
  const stated = Object.entries(value).filter(([, inner]) => !isNothing(inner))
  return `{${stated
    .map(([name, inner]) => `${JSON.stringify(name)}:${keyOf(inner)}`)
    .sort()
    .join()}}`
}

function namesOf(item: unknown): string[] {
  if (!isRecord(item)) return []
  return Object.entries(item).flatMap(([name, value]) =>
    IDENTITY.includes(name.toLowerCase()) && (typeof value === 'string' || typeof value === 'number') && String(value) !== ''
      ? [`${name.toLowerCase()} ${fold(String(value))}`]
      : [],
  )
}
