import { answerOf } from '../../core/sdk/index.js'
import { listAt } from './value-at.js'
import type { Disagreement, Merged, MergeSpec } from './merged-types.js'

/** The value of one vendor. */
interface Stated {
  readonly provider: string
  readonly value: unknown
}

/** A position in the answers. */
interface Place {
  /** The path as in the merge specification. */
  readonly path: string
  /** The path with the key of each list item, as in `sources` and `disagreements`. */
  readonly label: string
}

type Key = string | readonly string[] | ((item: unknown) => unknown)

/** The state of a merge. */
interface Merging {
  readonly keys: ReadonlyMap<string, Key>
  readonly whole: ReadonlySet<string>
  readonly sources: Map<string, readonly string[]>
  readonly disagreements: Disagreement[]
}

/**
 * Merges the answers of several vendors field by field: the first non-empty value in order wins; null, undefined,
 * empty strings, empty lists and empty objects are skipped. Objects are merged recursively. Lists are united, and
 * items with the same key are merged like objects; items with an empty key are the same when they are equal. Null
 * when there are no answers. Changes none of them.
 */
export function merged<T extends object>(
  answers: readonly [{ readonly provider: string; readonly data: T }, ...{ readonly provider: string; readonly data: T }[]],
  spec?: MergeSpec<T>,
): Merged<T>
export function merged<T extends object>(
  answers: readonly { readonly provider: string; readonly data: T }[],
  spec?: MergeSpec<T>,
): Merged<T> | null
export function merged<T extends object>(
  answers: readonly { readonly provider: string; readonly data: T }[],
  spec: MergeSpec<T> = {},
): Merged<T> | null {
  if (answers.length === 0) return null
  const work: Merging = {
    keys: new Map(Object.entries<Key | undefined>({ ...spec.lists }).flatMap(([path, key]) => (key === undefined ? [] : [[path, key]]))),
    whole: new Set(spec.whole),
    sources: new Map(),
    disagreements: [],
  }
  const values = answers.map(({ provider, data }): Stated => ({ provider, value: data }))
  const data = answerOf<T>(mergeAt(values, { path: '', label: '' }, work))
  return { data, sources: answerOf(Object.fromEntries(work.sources)), disagreements: work.disagreements }
}

/** Merges the values of one position. */
function mergeAt(values: readonly Stated[], place: Place, work: Merging): unknown {
  const stated = values.filter(({ value }) => hasValue(value))
  // The fields of an empty object are kept.
  const first = stated[0] ?? values.find(({ value }) => value !== undefined)
  if (first === undefined) return undefined
  if (!work.whole.has(place.path)) {
    if (isPlain(first.value)) return record(values, stated, place, work)
    if (Array.isArray(first.value)) return list(stated, place, work, first.value)
  }
  if (stated.length > 0) work.sources.set(place.label, [first.provider])
  disagree(stated, place, work)
  return first.value
}

function record(values: readonly Stated[], stated: readonly Stated[], place: Place, work: Merging): Record<string, unknown> {
  const records = values.flatMap(({ provider, value }) => (isPlain(value) ? [{ provider, value }] : []))
  if (stated.some(({ value }) => !isPlain(value))) disagree(stated, place, work)
  const names = new Set(records.flatMap(({ value }) => Object.keys(value)))
  const fields = [...names].flatMap((name): [string, unknown][] => {
    const of = records.flatMap(({ provider, value }) => (Object.hasOwn(value, name) ? [{ provider, value: value[name] }] : []))
    const field = mergeAt(of, { path: joined(place.path, name), label: joined(place.label, name) }, work)
    return field === undefined ? [] : [[name, field]]
  })
  // A vendor may name a field `__proto__`.
  return Object.fromEntries(fields)
}

function list(stated: readonly Stated[], place: Place, work: Merging, empty: readonly unknown[]): readonly unknown[] {
  if (stated.length === 0) return empty
  if (stated.some(({ value }) => !Array.isArray(value))) disagree(stated, place, work)
  const groups = new Map<string, { readonly name: string | null; readonly values: Stated[] }>()
  for (const { provider, value } of stated)
    for (const item of listAt(value)) {
      const { id, name } = identity(item, work.keys.get(place.path))
      const group = groups.get(id) ?? { name, values: [] }
      group.values.push({ provider, value: item })
      groups.set(id, group)
    }
  const added = new Set<string>()
  const items = [...groups.values()].map(({ name, values }) => {
    const [first] = values
    if (first !== undefined) added.add(first.provider)
    if (name === null || !isPlain(first?.value)) return first?.value
    const inside = new Map<string, readonly string[]>()
    const item = mergeAt(values, { path: place.path, label: `${place.label}[${name}]` }, { ...work, sources: inside })
    for (const provider of [...inside.values()].flat()) added.add(provider)
    return item
  })
  work.sources.set(
    place.label,
    [...new Set(stated.map(({ provider }) => provider))].filter((provider) => added.has(provider)),
  )
  return items
}

/** The identity of a list item; `name` is its key as text, null when it has none. */
function identity(item: unknown, key: Key | undefined): { readonly id: string; readonly name: string | null } {
  const parts = key === undefined ? [] : typeof key === 'function' ? [key(item)] : [key].flat().map((name) => fieldOf(item, name))
  if (!parts.some(hasValue)) return { id: `item ${canonical(item)}`, name: null }
  return { id: `key ${canonical(parts)}`, name: parts.map((part) => (typeof part === 'string' ? part : canonical(part))).join(', ') }
}

/** Records a disagreement, with the first value of each vendor. */
function disagree(stated: readonly Stated[], { label }: Place, { disagreements }: Merging): void {
  const [first] = stated
  if (first === undefined || stated.every(({ value }) => value === first.value)) return
  const values = stated.filter(({ provider }, at) => stated.findIndex((other) => other.provider === provider) === at)
  if (new Set(values.map(({ value }) => canonical(value))).size > 1) disagreements.push({ field: label, values })
}

function fieldOf(item: unknown, name: string): unknown {
  return isPlain(item) && Object.hasOwn(item, name) ? item[name] : undefined
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** The same text for equal values, regardless of the order of their fields. */
function canonical(value: unknown): string {
  const text: string | undefined = JSON.stringify(value, (_name, part: unknown) =>
    isPlain(part) ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1))) : part,
  )
  return text ?? 'undefined'
}

/** False for null, undefined, an empty string, an empty list, and an object with only such fields. */
function hasValue(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false
  if (Array.isArray(value)) return value.length > 0
  return isPlain(value) ? Object.values(value).some(hasValue) : true
}

/** True for a plain object. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
