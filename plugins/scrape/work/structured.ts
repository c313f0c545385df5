import { isRecord } from '../../../core/sdk/json.js'
import { parseBlock } from './facts/json-ld.js'

/** The JSON-LD facts used as title and description. */
export interface Structured {
  title: string | null
  description: string | null
  /** Body text that some pages have only here. */
  body: string | null
}

const TITLES = ['headline', 'name', 'title']
const BODIES = ['articleBody', 'text', 'reviewBody']

/** Reads JSON-LD blocks; invalid JSON is skipped. */
export function readStructured(blocks: readonly string[]): Structured {
  const found: Structured = { title: null, description: null, body: null }
  for (const block of blocks) for (const item of items(parseBlock(block), 0)) take(found, item)
  return found
}

function* items(value: unknown, depth: number): Generator<Readonly<Record<string, unknown>>> {
  if (depth > 4 || typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const entry of value.slice(0, 100)) yield* items(entry, depth + 1)
    return
  }
  if (!isRecord(value)) return
  if (!/BreadcrumbList|WebSite|Organization|SearchAction|ImageObject/.test(String(value['@type']))) yield value
  yield* items(value['@graph'], depth + 1)
  yield* items(value['mainEntity'], depth + 1)
}

function take(found: Structured, item: Readonly<Record<string, unknown>>): void {
  found.title ??= first(item, TITLES)
  found.description ??= first(item, ['description', 'abstract'])
  found.body ??= first(item, BODIES)
}

function first(item: Readonly<Record<string, unknown>>, names: readonly string[]): string | null {
  for (const name of names) {
    const value = item[name]
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
  }
  return null
}
