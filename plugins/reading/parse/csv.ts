import { parse } from 'csv-parse/sync'
import { Grids, gridHtml, gridMarkdown, MAX_ROWS } from './grid.js'
import { answer, type Read, type ReadArgs } from './read.js'

const DELIMITERS = [',', ';', '\t', '|'] as const
const SAMPLE = 64 * 1024
const SAMPLE_LINES = 50
/** Characters of one record. */
const MAX_RECORD = 2_000_000

/** Reads a text table (RFC 4180) with any delimiter. */
export function readCsv(text: string, args: ReadArgs): Read {
  const grids = new Grids()
  const records: unknown = parse(text, {
    delimiter: delimiterOf(text),
    to: MAX_ROWS + 1,
    max_record_size: MAX_RECORD,
    ...{ bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true },
  })
  const rows: readonly unknown[] = Array.isArray(records) ? records : []
  grids.add(
    null,
    rows.map((row) => (Array.isArray(row) ? row.map(String) : [])),
  )
  return answer('csv', {
    text: grids.all.map(gridMarkdown).join('\n'),
    html: args.html ? grids.all.map(gridHtml).join('\n') : null,
    tables: args.tables ? grids.all.map(({ name, rows: kept }) => ({ name, rows: kept })) : [],
    truncated: grids.cut,
    notes: grids.notes,
  })
}

/** The delimiter with the same count in the most lines of the start; a comma when there is none. */
export function delimiterOf(text: string): string {
  const lines = text
    .slice(0, SAMPLE)
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, SAMPLE_LINES)
  const scored = DELIMITERS.map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1)
    const [first = 0] = counts
    return { delimiter, score: first === 0 ? 0 : counts.filter((count) => count === first).length + Math.min(first, 20) / 100 }
  })
  return scored.reduce((best, each) => (each.score > best.score ? each : best), { delimiter: ',', score: 0 }).delimiter
}
