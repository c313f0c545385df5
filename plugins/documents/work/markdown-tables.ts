import type { TableRows } from './table-records.js'

const MOST_TABLES = 100
const MOST_ROWS = 5_000
const RULE = /^\|?(?:\s*:?-{1,200}:?\s*\|)*\s*:?-{1,200}:?\s*\|?$/

/** Markdown tables, each with the row above its rule as header. */
export function markdownTables(text: string): TableRows[] {
  const tables: TableRows[] = []
  const lines = text.split('\n')
  for (let at = 1; at < lines.length && tables.length < MOST_TABLES; at++) {
    const [above, rule] = [lines[at - 1]?.trim() ?? '', lines[at]?.trim() ?? '']
    if (!above.includes('|') || !rule.includes('-') || !rule.includes('|') || rule.length > 2_000 || !RULE.test(rule)) continue
    const rows: string[][] = []
    for (at++; at < lines.length && rows.length < MOST_ROWS; at++) {
      const line = lines[at]?.trim() ?? ''
      if (!line.includes('|')) break
      rows.push(cells(line))
    }
    tables.push({ header: cells(above), rows })
  }
  return tables
}

function cells(line: string): string[] {
  const inner = line.replace(/^\|/, '').replace(/\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) =>
    cell
      .replace(/\\(.)/g, '$1')
      .replace(/\*\*|__/g, '')
      .trim(),
  )
}
