import { isRecord } from '../../../core/sdk/json.js'
import { columns } from './columns.js'
import type { Fields } from './record.js'

/** What could drive a terminal: control characters but line breaks and tabs. */
const CONTROL = /(?![\n\t])\p{Cc}/gu

/**
 * The data of an answer for people: a text unchanged, lists of records as tables in a terminal of `most` columns, everything else as YAML,
 * without fields that are null.
 */
export async function present(data: unknown, most = Infinity): Promise<string> {
  if (typeof data === 'string') return cleaned(data)
  const { stringify } = await import('yaml')
  const shown = withoutNulls(data)
  const text = (value: unknown): string => stringify(value, { lineWidth: 0 }).trimEnd()
  if (isTable(shown)) return table(shown, most)
  if (!isRecord(shown)) return shown === undefined ? 'nothing' : text(shown)
  const parts = Object.entries(shown).map(([name, value]) =>
    isTable(value) ? `\n${name}\n${table(value, most)}\n` : text({ [name]: value }),
  )
  return parts
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

/** A value without null fields and control characters; undefined where nothing is left. */
function withoutNulls(value: unknown): unknown {
  if (value === null) return undefined
  if (typeof value === 'string') return cleaned(value)
  if (Array.isArray(value)) return value.map((each) => withoutNulls(each) ?? null)
  if (!isRecord(value)) return value
  const kept = Object.entries(value).flatMap(([name, each]) => {
    const rest = withoutNulls(each)
    return rest === undefined ? [] : [[name, rest] as const]
  })
  return kept.length === 0 && Object.keys(value).length > 0 ? undefined : Object.fromEntries(kept)
}

function cleaned(text: string): string {
  return text.replaceAll(CONTROL, ' ')
}

/** True for several records of plain values: numbers, texts of one line, lists of such. */
function isTable(value: unknown): value is readonly Fields[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => isRecord(each) && Object.values(each).every(isCell))
}

function isCell(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((each) => !Array.isArray(each) && isCell(each))
  return value === null || typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && !value.includes('\n'))
}

function table(rows: readonly Fields[], most: number): string {
  const headings = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return columns(
    headings,
    rows.map((row) => headings.map((heading) => row[heading])),
    most,
  )
}
