import { escaped } from './xml.js'

/** A table as text, within the limits. */
export interface Grid {
  readonly name: string | null
  readonly rows: string[][]
  /** Rows or columns were left out. */
  readonly cut: boolean
}

export const MAX_ROWS = 10_000
export const MAX_COLUMNS = 256
/** Cells of all tables of a file. */
export const MAX_CELLS = 200_000
const MAX_CELL = 10_000

/** Collects rows within the limits of one table and of the file, without trailing empty rows and columns. */
export class Grids {
  readonly all: Grid[] = []
  #cells = 0

  add(name: string | null, rows: Iterable<readonly string[]>): void {
    const kept: string[][] = []
    let cut = false
    for (const row of rows) {
      if (kept.length >= MAX_ROWS || this.#cells >= MAX_CELLS) {
        cut = true
        break
      }
      if (row.length > MAX_COLUMNS || row.some((cell) => cell.length > MAX_CELL)) cut = true
      const cells = row.slice(0, MAX_COLUMNS).map((cell) => cell.trim().slice(0, MAX_CELL))
      this.#cells += cells.length
      kept.push(cells)
    }
    this.all.push({ name, rows: trimmed(kept), cut })
  }

  get cut(): boolean {
    return this.all.some((grid) => grid.cut)
  }

  /** Notes on content that was left out. */
  get notes(): string[] {
    if (!this.cut) return []
    return [`A table was cut: at most ${MAX_ROWS} rows of ${MAX_COLUMNS} columns each, and ${MAX_CELLS} cells of a file, are read.`]
  }
}

/** A pipe table with its first row as header, below its name. */
export function gridMarkdown({ name, rows }: Grid): string {
  const [head = [], ...body] = rows
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replace(/(?<!\s)\s*\n\s*/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`
  const table = rows.length === 0 ? [] : [line(head), `|${' --- |'.repeat(head.length)}`, ...body.map(line)]
  return [...(name === null ? [] : [`## ${name}`, '']), ...table].join('\n').trim()
}

export function gridHtml({ name, rows }: Grid): string {
  return `${name === null ? '' : `<h2>${escaped(name)}</h2>`}${tableHtml(rows)}`
}

/** A table with its first row as header. */
export function tableHtml(rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[], tag: string): string =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`
  return `<table>${rows.map((cells, at) => row(cells, at === 0 && rows.length > 1 ? 'th' : 'td')).join('')}</table>`
}

function trimmed(rows: readonly string[][]): string[][] {
  const last = rows.findLastIndex((row) => row.some((cell) => cell !== ''))
  const kept = rows.slice(0, last + 1)
  const width = kept.reduce((most, row) => Math.max(most, row.findLastIndex((cell) => cell !== '') + 1), 0)
  return kept.map((row) => Array.from({ length: width }, (_, at) => row[at] ?? ''))
}
