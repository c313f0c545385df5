import { gridOf, type SpanningCell } from '../grid.js'
import { BOUNDS } from './bounds.js'
import type { Texts } from './texts.js'

type Attributes = Readonly<Record<string, string>>

interface TableFacts {
  readonly caption: string | null
  readonly header: string[] | null
  readonly rows: string[][]
  readonly cut: boolean
}

interface Cell extends SpanningCell {
  readonly heads: boolean
}
interface Table {
  caption: string | null
  readonly rows: Cell[][]
  /** Rows that are in a thead. */
  readonly headRows: Set<Cell[]>
  /** A layout table, or one that contains another. */
  layout: boolean
  cut: boolean
  inHead: boolean
  pending: { readonly attributes: Attributes; readonly heads: boolean; readonly mark: number } | null
  captionMark: number | null
}

/** The remaining limits for tables of a page. */
interface Left {
  places: number
  characters: number
}

const MOST_SPAN = 1_000

/** Collects data tables while a page is read; end tags may be omitted. */
export class Tables {
  readonly #texts: Texts
  readonly #open: Table[] = []
  readonly #done: Table[] = []
  #cells = 0

  constructor(texts: Texts) {
    this.#texts = texts
  }

  open(name: string, attributes: Attributes): void {
    const table = this.#open.at(-1)
    if (name === 'table') {
      if (table !== undefined) table.layout = true
      this.#open.push({ caption: null, rows: [], headRows: new Set(), layout: attributes['role'] === 'presentation' || attributes['role'] === 'none', cut: false, inHead: false, pending: null, captionMark: null }) // prettier-ignore
    } else if (table === undefined) return
    else if (name === 'caption') table.captionMark = this.#texts.mark
    else if (name === 'thead' || name === 'tbody' || name === 'tfoot') {
      this.#endCell(table)
      table.inHead = name === 'thead'
    } else if (name === 'tr') {
      this.#endCell(table)
      this.#row(table)
    } else if (name === 'td' || name === 'th') {
      this.#endCell(table)
      if (table.rows.length === 0) this.#row(table)
      table.pending = { attributes, heads: name === 'th', mark: this.#texts.mark }
    }
  }

  close(name: string): void {
    const table = this.#open.at(-1)
    if (table === undefined) return
    if (name === 'caption' && table.captionMark !== null) {
      table.caption ??= this.#texts.since(table.captionMark, BOUNDS.cell)
      table.captionMark = null
    } else if (name === 'td' || name === 'th' || name === 'tr') this.#endCell(table)
    else if (name === 'thead') table.inHead = false
    else if (name === 'table') {
      this.#endCell(table)
      this.#open.pop()
      if (this.#done.length < BOUNDS.tables && isData(table)) this.#done.push(table)
    }
  }

  result(): TableFacts[] {
    const left: Left = { places: BOUNDS.cells, characters: BOUNDS.tableCharacters }
    return this.#done.map((table) => writtenTable(table, left))
  }

  #row(table: Table): void {
    if (table.rows.length >= BOUNDS.rows) table.cut = true
    else {
      const row: Cell[] = []
      table.rows.push(row)
      if (table.inHead) table.headRows.add(row)
    }
  }

  #endCell(table: Table): void {
    const { pending } = table
    table.pending = null
    if (pending === null) return
    const row = table.rows.at(-1)
    if (row === undefined || table.cut || row.length >= BOUNDS.columns || this.#cells >= BOUNDS.cells) {
      table.cut = true
      return
    }
    this.#cells += 1
    const { attributes, heads, mark } = pending
    row.push({
      value: this.#texts.since(mark, BOUNDS.cell) ?? '',
      heads,
      across: span(attributes['colspan']),
      down: span(attributes['rowspan']),
    })
  }
}

/** A table as rows of equal length, within the remaining limits of the page. */
function writtenTable(table: Table, left: Left): TableFacts {
  const grid = gridOf(table.rows, { columns: BOUNDS.columns, places: left.places, covered: 'repeat' })
  const width = Math.max(...grid.map((row) => row.length))
  const rows: string[][] = []
  for (const row of grid) {
    left.places = Math.max(0, left.places - width)
    left.characters -= row.reduce((sum, text) => sum + text.length, width)
    if (left.characters < 0) break
    rows.push([...row, ...new Array<string>(width - row.length).fill('')])
  }
  const heads = Math.min(headRows(table), rows.length)
  const cut = table.cut || rows.length < grid.length
  return { caption: table.caption, header: heads === 0 ? null : joined(rows.slice(0, heads)), rows: rows.slice(heads), cut }
}

function isData({ layout, rows }: Table): boolean {
  return !layout && rows.length > 1 && rows.some((row) => row.length > 1)
}

/** The number of header rows. */
function headRows({ rows, headRows: marked }: Table): number {
  const first = rows.findIndex((row) => row.length > 0 && !marked.has(row) && !row.every(({ heads }) => heads))
  return first < 0 ? 0 : first
}

/** Joins several header rows into one, each text once. */
function joined(rows: readonly (readonly string[])[]): string[] {
  const [first = []] = rows
  return first.map((_, column) => [...new Set(rows.map((row) => row[column] ?? ''))].filter((text) => text !== '').join(' '))
}

function span(text: string | undefined): number {
  const value = Number(text ?? '1')
  return Number.isInteger(value) && value > 0 ? Math.min(value, MOST_SPAN) : 1
}
