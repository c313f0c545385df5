import { displayWidth, padTo, wrapped } from './display-width.js'
import { printable } from './printable.js'

const GAP = '  '
/** A column of text is made no narrower. */
const LEAST = 20

/**
 * Rows under their headings, columns lined up by spaces. In a terminal of `most` columns, longer texts go on in further lines of their cell;
 * words, ids and addresses stay whole, and where they do not fit beside each other each row is printed as a block of names and values.
 */
export function columns(headings: readonly string[], rows: readonly (readonly unknown[])[], most = Infinity): string {
  const cells = rows.map((row) => headings.map((_, column) => text(row[column])))
  const wanted = headings.map((heading, column) => Math.max(displayWidth(heading), ...cells.map((row) => displayWidth(row[column] ?? ''))))
  const least = headings.map((heading, column) =>
    Math.min(wanted[column] ?? 0, Math.max(LEAST, displayWidth(heading), ...cells.map((row) => longestWord(row[column] ?? '')))),
  )
  const widths = fitted(wanted, least, most - GAP.length * (headings.length - 1))
  if (widths === null) return blocks(headings, cells, most)
  return [headings, ...cells].flatMap((row) => lines(row, widths)).join('\n')
}

function longestWord(text: string): number {
  return Math.max(...text.split(' ').map((word) => displayWidth(word)))
}

/** The widths, with the widest made narrower down to their least until all fit; null where they never do. */
function fitted(wanted: readonly number[], least: readonly number[], room: number): readonly number[] | null {
  const sum = (widths: readonly number[]): number => widths.reduce((all, width) => all + width, 0)
  if (sum(wanted) <= room) return wanted
  for (let cap = Math.max(...wanted); cap >= LEAST; cap--) {
    const widths = wanted.map((width, column) => Math.min(width, Math.max(cap, least[column] ?? 0)))
    if (sum(widths) <= room) return widths
  }
  return null
}

/** The lines of one row. */
function lines(row: readonly string[], widths: readonly number[]): string[] {
  const cells = row.map((cell, column) => (displayWidth(cell) <= (widths[column] ?? 0) ? [cell] : wrapped(cell, widths[column] ?? 0)))
  return Array.from({ length: Math.max(...cells.map((cell) => cell.length)) }, (_, at) =>
    cells
      .map((cell, column) => padTo(cell[at] ?? '', widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  )
}

function blocks(headings: readonly string[], rows: readonly (readonly string[])[], most: number): string {
  return rows
    .map((row) =>
      named(
        headings.map((heading, column) => [heading, row[column] ?? '']),
        most,
      ),
    )
    .join('\n\n')
}

/** Names and values, one pair a line. */
export function pairs(document: Readonly<Record<string, unknown>>): string {
  return named(Object.entries(document).map(([name, value]) => [name, text(value)]))
}

/** Names and texts, one pair a line; in a terminal of `most` columns texts go on in further lines beside their name. */
export function named(entries: readonly (readonly [string, string])[], most = Infinity): string {
  const width = Math.max(...entries.map(([name]) => displayWidth(name)))
  const room = Math.max(LEAST, most - width - GAP.length)
  return entries
    .flatMap(([name, value]) =>
      (most === Infinity ? [value] : wrapped(value, room)).map((line, at) =>
        `${padTo(at === 0 ? name : '', width)}${GAP}${line}`.trimEnd(),
      ),
    )
    .join('\n')
}

function text(value: unknown): string {
  if (value === null || value === undefined) return '-'
  return typeof value === 'string' ? printable(value) : Array.isArray(value) ? value.map(text).join(', ') : JSON.stringify(value)
}
