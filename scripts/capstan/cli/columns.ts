import { printable } from './printable.js'

/** Rows under their headings, columns lined up by spaces. */
export function columns(headings: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const cells = [headings, ...rows].map((row) => row.map((cell) => text(cell)))
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)))
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Names and values, one pair a line. */
export function pairs(document: Readonly<Record<string, unknown>>): string {
  const width = Math.max(...Object.keys(document).map((name) => name.length))
  return Object.entries(document)
    .map(([name, value]) => `${name.padEnd(width)}  ${text(value)}`.trimEnd())
    .join('\n')
}

function text(value: unknown): string {
  if (value === null || value === undefined) return '-'
  return typeof value === 'string' ? printable(value) : Array.isArray(value) ? value.map(text).join(', ') : JSON.stringify(value)
}
