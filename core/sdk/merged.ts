import type { Disagreement, Merged, MergeSpec } from './merged-types.js'
import { isPlain, says } from './says.js'

/** What one vendor said. */
interface Word {
  readonly provider: string
  readonly value: unknown
}

/** Where in the answers something stands. */
interface Place {
  /** As the specification of a merge names it. */
  readonly path: string
  /** The same with the key of each item on the way. */
  readonly shown: string
}

type Key = string | readonly string[] | ((item: unknown) => unknown)

/** What is being merged, and what was found so far. */
interface Work {
  readonly keys: ReadonlyMap<string, Key>
  readonly whole: ReadonlySet<string>
  readonly sources: Map<string, readonly string[]>
  readonly disagreements: Disagreement[]
}

/**
 * One answer out of those of several vendors, field by field: the first in order that says something wins; null, undefined, the empty string and
 * what is empty itself say nothing. Objects are merged inside. Lists are united, and items with the same key merged like objects; items whose key
 * says nothing are the same when they are equal. Null when there are no answers. Changes none of them.
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
  const work: Work = {
    keys: new Map(Object.entries<Key | undefined>({ ...spec.lists }).flatMap(([path, key]) => (key === undefined ? [] : [[path, key]]))),
    whole: new Set(spec.whole),
    sources: new Map(),
    disagreements: [],
  }
  const words = answers.map(({ provider, data }): Word => ({ provider, value: data }))
  const data = mergeAt(words, { path: '', shown: '' }, work) as T
  return { data, sources: Object.fromEntries(work.sources) as Merged<T>['sources'], disagreements: work.disagreements }
}

/** One value out of several words about it. */
function mergeAt(words: readonly Word[], place: Place, work: Work): unknown {
  const said = words.filter(({ value }) => says(value))
  // Of what says nothing, the fields of an object are kept.
  const first = said[0] ?? words.find(({ value }) => value !== undefined)
  if (first === undefined) return undefined
  if (!work.whole.has(place.path)) {
    if (isPlain(first.value)) return record(words, said, place, work)
    if (Array.isArray(first.value)) return list(said, place, work, first.value)
  }
  if (said.length > 0) work.sources.set(place.shown, [first.provider])
  disagree(said, place, work)
  return first.value
}

function record(words: readonly Word[], said: readonly Word[], place: Place, work: Work): Record<string, unknown> {
  const records = words.flatMap(({ provider, value }) => (isPlain(value) ? [{ provider, value }] : []))
  if (said.some(({ value }) => !isPlain(value))) disagree(said, place, work)
  const names = new Set(records.flatMap(({ value }) => Object.keys(value)))
  const fields = [...names].flatMap((name): [string, unknown][] => {
    const of = records.flatMap(({ provider, value }) => (Object.hasOwn(value, name) ? [{ provider, value: value[name] }] : []))
    const field = mergeAt(of, { path: joined(place.path, name), shown: joined(place.shown, name) }, work)
    return field === undefined ? [] : [[name, field]]
  })
  // A field may have any name a vendor chose, `__proto__` too.
  return Object.fromEntries(fields)
}

function list(said: readonly Word[], place: Place, work: Work, empty: readonly unknown[]): readonly unknown[] {
  if (said.length === 0) return empty
  if (said.some(({ value }) => !Array.isArray(value))) disagree(said, place, work)
  const groups = new Map<string, { readonly name: string | null; readonly words: Word[] }>()
  for (const { provider, value } of said)
    for (const item of Array.isArray(value) ? (value as unknown[]) : []) {
      const { id, name } = identity(item, work.keys.get(place.path))
      const group = groups.get(id) ?? { name, words: [] }
      group.words.push({ provider, value: item })
      groups.set(id, group)
    }
  const added = new Set<string>()
  const items = [...groups.values()].map(({ name, words }) => {
    const [first] = words
    if (first !== undefined) added.add(first.provider)
    if (name === null || !isPlain(first?.value)) return first?.value
    const inside = new Map<string, readonly string[]>()
    const item = mergeAt(words, { path: place.path, shown: `${place.shown}[${name}]` }, { ...work, sources: inside })
    for (const provider of [...inside.values()].flat()) added.add(provider)
    return item
  })
  work.sources.set(
    place.shown,
    [...new Set(said.map(({ provider }) => provider))].filter((provider) => added.has(provider)),
  )
  return items
}

/** What an item of a list is the same as; `name` is its key in words, null where it has none. */
function identity(item: unknown, key: Key | undefined): { readonly id: string; readonly name: string | null } {
  const parts = key === undefined ? [] : typeof key === 'function' ? [key(item)] : [key].flat().map((name) => fieldOf(item, name))
  if (!parts.some(says)) return { id: `item ${canonical(item)}`, name: null }
  return { id: `key ${canonical(parts)}`, name: parts.map((part) => (typeof part === 'string' ? part : canonical(part))).join(', ') }
}

/** Notes that vendors said different things, with the first word of each. */
function disagree(said: readonly Word[], { shown }: Place, { disagreements }: Work): void {
  const [first] = said
  if (first === undefined || said.every(({ value }) => value === first.value)) return
  const values = said.filter(({ provider }, at) => said.findIndex((other) => other.provider === provider) === at)
  if (new Set(values.map(({ value }) => canonical(value))).size > 1) disagreements.push({ field: shown, values })
}

function fieldOf(item: unknown, name: string): unknown {
  return isPlain(item) && Object.hasOwn(item, name) ? item[name] : undefined
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** The same text for values that are equal, whatever the order of their fields. */
function canonical(value: unknown): string {
  const text: string | undefined = JSON.stringify(value, (_name, part: unknown) =>
    isPlain(part) ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1))) : part,
  )
  return text ?? 'undefined'
}
