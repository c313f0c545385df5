import { foreignJson, isRecord } from '../../../../core/sdk/json.js'
import { BOUNDS } from './bounds.js'
import type { Budget } from './budget.js'
import { lenientJson } from './lenient-json.js'

/**
 * The value of a JSON-LD block, or null when it is invalid. Errors tolerated by browsers and search engines are
 * tolerated (`lenientJson`), including HTML entities for quotes; several values in one block are a list.
 */
export function parseBlock(text: string): unknown {
  const bare = text.replace(/^\s*(?:<!--|\/\/<!\[CDATA\[|<!\[CDATA\[)/, '').replace(/(?:-->|\/\/\]\]>|\]\]>)\s*$/, '')
  // eslint-disable-next-line no-control-regex -- invalid inside JSON strings, but pages contain them
  const strict = parsed(bare) ?? parsed(bare.replace(/[\u0000-\u001f]+/g, ' '))
  if (strict !== null) return strict
  const values = lenientJson(QUOTED_BY_ENTITIES.test(bare) ? withoutEntities(bare) : bare).flatMap((json) => parsed(json) ?? [])
  return values.length > 1 ? values : (values[0] ?? null)
}

const QUOTED_BY_ENTITIES = /^[^"]{0,200}?[{[]\s{0,100}&(?:quot|#0{0,5}34|#x0{0,5}22);/i
const ENTITIES: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', apos: "'", nbsp: '\u00a0' }

function withoutEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi,
    (whole: string, decimal?: string, hex?: string, name?: string) => {
      const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal)
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
}

/** Number of non-empty blocks that cannot be parsed. */
export function unreadBlocks(blocks: readonly string[]): number {
  return blocks.filter((block) => block.trim() !== '' && parseBlock(block) === null).length
}

/** The objects of JSON-LD blocks, with lists and `@graph` flattened, copied within the budget. */
export function jsonLdItems(blocks: readonly string[], budget: Budget): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = []
  for (const block of blocks)
    for (const value of roots(parseBlock(block), 0)) {
      if (found.length >= BOUNDS.items) return found
      const copy = copied(value, 0, budget)
      if (isRecord(copy) && Object.keys(copy).length > 0) found.push(copy)
    }
  return found
}

function* roots(value: unknown, depth: number): Generator<Readonly<Record<string, unknown>>> {
  if (depth > BOUNDS.depth) return
  if (Array.isArray(value)) for (const each of value.slice(0, BOUNDS.items)) yield* roots(each, depth + 1)
  else if (isRecord(value) && Array.isArray(value['@graph'])) {
    const { '@graph': graph, '@context': _context, ...own } = value
    if (Object.keys(own).some((name) => !name.startsWith('@'))) yield own
    yield* roots(graph, depth + 1)
  } else if (isRecord(value)) yield value
}

/** Copies a value; anything beyond the bounds of depth, length and number is left out. */
function copied(value: unknown, depth: number, budget: Budget): unknown {
  if (typeof value === 'string') return budget.text(value)
  if (typeof value === 'number' || typeof value === 'boolean') return budget.take() ? value : undefined
  if (typeof value !== 'object' || value === null || depth >= BOUNDS.depth || !budget.take()) return undefined
  if (Array.isArray(value)) {
    const list: unknown[] = []
    for (const each of value) {
      if (budget.spent) break
      const copy = copied(each, depth + 1, budget)
      if (copy !== undefined) list.push(copy)
    }
    return list
  }
  const entries: [string, unknown][] = []
  for (const [name, each] of Object.entries(value)) {
    if (budget.spent) break
    if (name === '@context' || name === '__proto__' || name.length > BOUNDS.heading) continue
    const copy = copied(each, depth + 1, budget)
    if (copy !== undefined) entries.push([name, copy])
  }
  return Object.fromEntries(entries)
}

function parsed(text: string): unknown {
  try {
    return foreignJson(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
