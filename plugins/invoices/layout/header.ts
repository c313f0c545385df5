import type { Column } from './lexicon/headers.js'
import { HEADINGS, type Paper, type Read } from './document.js'
import type { Meaning } from './lexicon.js'
import { around, segmentsOf } from './rows.js'
import type { Box, Language, Row } from './types.js'

/** A table column by its heading; `kind` is `skip` for an unknown heading. */
export interface Heading extends Box {
  readonly kind: Column
}

export interface Header {
  /** Its first row and the one after its last. */
  readonly from: number
  readonly to: number
  readonly columns: readonly Heading[]
}

interface Cell extends Box {
  readonly compact: string
  readonly meaning: Meaning<Column> | null
}

const MONEY: readonly Column[] = ['amount', 'net', 'gross', 'price', 'grossPrice']
/** Order of precedence for ambiguous headings. */
const ORDER: readonly Column[] = [
  ...(['amount', 'net', 'gross', 'quantity', 'price', 'grossPrice', 'description', 'rate', 'discount', 'unit', 'tax'] as const),
  ...(['position', 'code', 'date', 'skip'] as const),
]
const MAX_ROWS = 60
const MAX_COLUMNS = 14

/** The headings of item tables, from the first page on: the row that matches best, and its repetitions. */
export function headersOf(paper: Paper): Header[] {
  const likely = paper.rows
    .filter(({ headers, row, amounts }) => headers.length >= 2 && row.tokens.length < 40 && !amounts.some(({ decimals }) => decimals === 2))
    .slice(0, MAX_ROWS)
  const headers = likely.flatMap((read) => {
    const header = headerAt(paper, read)
    const score = scoreOf(header.columns)
    return score < 2.5 ? [] : [{ header, score }]
  })
  const best = headers.reduce<(typeof headers)[number] | null>(
    (most, each) => (most === null || each.score > most.score + 0.01 ? each : most),
    null,
  )
  if (best === null) return []
  const kinds = new Set(best.header.columns.map(({ kind }) => kind))
  return headers
    .filter(
      ({ header, score }) => score > 0.75 * best.score && header.columns.filter(({ kind }) => kinds.has(kind)).length >= 0.6 * kinds.size,
    )
    .map(({ header }) => header)
    .filter((header, at, all) => at === 0 || header.from >= (all[at - 1]?.to ?? 0))
}

function headerAt(paper: Paper, read: Read): Header {
  let cells = cellsOf(read)
  let [from, to] = [read.at, read.at + 1]
  for (let next = read.at + 1; next <= read.at + 2; next++) {
    const [lower, row] = [paper.rows[next], paper.rows[next - 1]?.row]
    if (lower === undefined || row === undefined || !isPartOf(row, lower)) break
    const joined = stacked(paper, cells, lower, false)
    if (joined === null) break
    cells = joined
    to = next + 1
  }
  const upper = paper.rows[read.at - 1]
  if (upper !== undefined && isPartOf(read.row, upper)) {
    const joined = stacked(paper, cells, upper, true)
    if (joined !== null) [cells, from] = [joined, read.at - 1]
  }
  return { from, to, columns: resolved(cells.sort((one, two) => one.left - two.left).slice(0, MAX_COLUMNS), paper.language) }
}

/** Adjacent, and without numbers. */
function isPartOf(row: Row, { row: other, amounts, dates }: Read): boolean {
  if (other.page !== row.page || amounts.length > 0 || dates.length > 0) return false
  const gap = Math.max(other.top - row.bottom, row.top - other.bottom)
  return gap < 0.8 * row.size && other.size < 1.3 * row.size
}

/** A known phrase is a cell, including adjacent words; other groups of words are unknown cells. */
function cellsOf({ row, headers }: Read): Cell[] {
  const cells: Cell[] = []
  for (let at = 0; at < row.tokens.length;) {
    const match = headers.find(({ from }) => from === at)
    const tokens = row.tokens.slice(at, match?.to ?? at + 1)
    at += tokens.length
    const compact = tokens.map(({ folded }) => folded).join('')
    const cell: Cell = { ...around(tokens), compact, meaning: match?.meaning ?? null }
    const before = cells.at(-1)
    const isClose = before !== undefined && cell.left - before.right < 0.8 * row.size
    if (before === undefined || !isClose || (before.meaning !== null && cell.meaning !== null)) cells.push(cell)
    else cells[cells.length - 1] = { ...around([before, cell]), compact: before.compact + compact, meaning: before.meaning ?? cell.meaning }
  }
  return cells
}

/** Cells with the words above or below them, or null when the row is not part of the header. */
function stacked(paper: Paper, cells: readonly Cell[], { row }: Read, isAbove: boolean): Cell[] | null {
  const joined = [...cells]
  let known = 0
  for (const segment of segmentsOf(row, 0.8)) {
    const compact = segment.tokens.map(({ folded }) => folded).join('')
    const at = joined.findIndex((cell) => Math.min(cell.right, segment.right) - Math.max(cell.left, segment.left) > 0)
    const cell = joined[at]
    const own = HEADINGS.find(compact, paper.recognised)?.meaning ?? null
    if (cell === undefined) {
      if (own !== null) known += 1
      joined.push({ ...around([segment]), compact, meaning: own })
      continue
    }
    const both = isAbove ? compact + cell.compact : cell.compact + compact
    const meaning = HEADINGS.find(both, paper.recognised)?.meaning ?? null
    if (meaning !== null || (cell.meaning === null && own !== null)) known += 1
    joined[at] = { ...around([cell, segment]), compact: both, meaning: meaning ?? cell.meaning ?? own }
  }
  return known === 0 ? null : joined
}

function resolved(cells: readonly Cell[], language: Language | null): Heading[] {
  const kinds = cells.map(({ meaning }): Column[] => {
    if (meaning === null) return ['skip']
    const own = ORDER.filter((kind) => language !== null && meaning.get(kind)?.has(language) === true)
    return own.length > 0 ? own : ORDER.filter((kind) => meaning.has(kind))
  })
  const taken = new Set<Column>(kinds.filter((each) => each.length === 1).flat())
  const chosen = kinds.map((each) => {
    if (each.length === 1) return each[0] ?? 'skip'
    const kind = each.find((one) => !taken.has(one)) ?? each[0] ?? 'skip'
    taken.add(kind)
    return kind
  })
  // An article column is the description unless there is another one.
  const described = chosen.includes('description')
  return cells.map(({ left, right, top, bottom }, at) => {
    const kind = chosen[at] ?? 'skip'
    const isFirstText = !described && at < 3 && at === chosen.findIndex((each) => each === 'code' || each === 'skip' || each === 'position')
    return { left, right, top, bottom, kind: isFirstText ? 'description' : kind }
  })
}

function scoreOf(columns: readonly Heading[]): number {
  const kinds = new Set(columns.map(({ kind }) => kind))
  const money = MONEY.filter((kind) => kinds.has(kind)).length
  if (money === 0 || !kinds.has('description')) return 0
  // A table with only totals is not a list of items.
  const isSum = !kinds.has('quantity') && !kinds.has('price') && !kinds.has('grossPrice')
  const unknown = columns.filter(({ kind }) => kind === 'skip').length
  const others = (['quantity', 'rate', 'unit', 'position', 'code', 'tax', 'discount'] as const).filter((kind) => kinds.has(kind)).length
  return (
    1.5 + Math.min(3, money) + others * 0.7 + (kinds.has('quantity') ? 0.6 : 0) - unknown * 0.3 - (isSum && columns.length > 2 ? 1.5 : 0)
  )
}
