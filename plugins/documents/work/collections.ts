import { isRecord } from '../../../core/sdk/json.js'
import { keyOf } from './synonyms.js'
import { rowRecords, type TableRows } from './table-records.js'

/** Several items of one kind. */
export interface Collection {
  /** Their kind, such as the item type, in key form. */
  readonly name: string
  readonly items: readonly unknown[]
}

const MOST_ITEMS = 5_000

/** Every item of a source including nested ones, list entries without their wrapper. */
export function everyItem(items: readonly unknown[]): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = []
  const open: unknown[] = [...items].reverse()
  for (let next = open.pop(); next !== undefined && found.length < MOST_ITEMS; next = open.pop()) {
    if (Array.isArray(next)) open.push(...next.map((each: unknown) => each).reverse())
    if (!isRecord(next)) continue
    if (typesOf(next).length > 0) found.push(next)
    open.push(
      ...Object.values(next)
        .filter((value) => typeof value === 'object' && value !== null)
        .reverse(),
    )
  }
  return found
}

/** Items by type, and tables as lists of rows. */
export function collectionsOf(items: readonly Record<string, unknown>[], tables: readonly TableRows[]): Collection[] {
  const byType = new Map<string, unknown[]>()
  for (const item of items)
    for (const type of typesOf(item)) {
      const list = byType.get(type) ?? []
      list.push(item)
      byType.set(type, list)
    }
  return [...[...byType].map(([name, list]) => ({ name, items: list })), ...tables.map((table) => ({ name: '', items: rowRecords(table) }))]
}

/** The types of an item in key form; empty without one. */
export function typesOf(item: Readonly<Record<string, unknown>>): string[] {
  const type: unknown = new Map(Object.entries(item)).get('@type')
  const types: readonly unknown[] = Array.isArray(type) ? type : [type]
  return types.filter((each) => typeof each === 'string').map((each) => keyOf(each.split(/[/#]/).at(-1) ?? each))
}
