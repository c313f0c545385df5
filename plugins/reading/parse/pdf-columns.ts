import type { Run } from './pdf-runs.js'

/** Runs on roughly one baseline, from left to right. */
type Row = readonly Run[]

/** Adjacent runs of a row without a wide gap. */
interface Piece {
  readonly runs: readonly Run[]
  readonly left: number
  readonly right: number
  readonly text: string
}

/** Minimum lines of columns: of one, and of all together. Fewer are more likely a heading, an address or a table row. */
const LEAST_LINES = 5
const LEAST_TOGETHER = 10
/** Width of a gap between columns, in letter sizes. */
const GUTTER = 0.9
/** Maximum share of rows crossing two columns, such as headings. */
const ACROSS = 0.35
/** Width of a line of running text relative to its column; most lines of a column reach it. */
const FULL = 0.65
const MOST_FULL = 0.65
/** Minimum characters of such a line, and of one in a script with wide letters. */
const LEAST_TEXT = 16
const LEAST_WIDE = 8
/** Minimum share of lines that continue a sentence, in scripts with lower case. */
const GOES_ON = 0.25

/** Size of heading letters relative to most. */
const HEADING = 1.15

const WIDE = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]/

/**
 * Rows of a page with columns of running text, in reading order: full-width rows in place, and between them one
 * column after the other. Null for a page without columns. Tables have gaps too, but their cells are short, or start
 * with capitals and digits.
 */
export function columnsOf(rows: readonly Row[]): Run[][] | null {
  if (rows.some((row) => row.some(({ upright, filled }) => upright || filled))) return null
  const pieces = rows.map(piecesOf)
  const gutters = guttersOf(pieces)
  if (gutters.length === 0) return null
  const body = sizeOf(pieces.flat())
  const ordered: Run[][] = []
  let [found, group]: [boolean, Piece[][]] = [false, []]
  const close = (): void => {
    const columns = divided(group, gutters)
    if (columns !== null) found = true
    ordered.push(...(columns ?? group.map(runsOf)))
    group = []
  }
  for (const row of pieces) {
    const isAcross = row.some(({ left, right }) => gutters.some((at) => left < at && right > at))
    // A heading above all columns may end before the first gap.
    const isAbove = group.length === 0 && row.length === 1 && sizeOf(row) > HEADING * body
    if (isAcross || isAbove) {
      close()
      ordered.push(runsOf(row))
    } else group.push(row)
  }
  close()
  return found ? ordered : null
}

function runsOf(row: readonly Piece[]): Run[] {
  return row.flatMap(({ runs }) => [...runs])
}

function sizeOf(pieces: readonly Piece[]): number {
  return middle(pieces.map(({ runs }) => runs[0]?.size ?? 0))
}

function piecesOf(row: Row): Piece[] {
  const pieces: Run[][] = []
  for (const run of row) {
    const last = pieces.at(-1)
    const before = last?.at(-1)
    if (last === undefined || before === undefined || run.x - (before.x + before.width) > GUTTER * run.size) pieces.push([run])
    else last.push(run)
  }
  return pieces.map((runs) => ({
    runs,
    left: Math.min(...runs.map(({ x }) => x)),
    right: Math.max(...runs.map(({ x, width }) => x + width)),
    text: runs.map(({ text }) => text).join(' '),
  }))
}

/** Positions in the strips, from left to right, that few rows cross and that have rows on both sides. */
function guttersOf(rows: readonly (readonly Piece[])[]): number[] {
  const all = rows.flat()
  const size = sizeOf(all)
  const leftwards = isLeftwards(all)
  const [left, right] = [Math.floor(Math.min(...all.map((piece) => piece.left))), Math.ceil(Math.max(...all.map((piece) => piece.right)))]
  if (!(right - left > 0 && right - left < 10_000)) return []
  // Number of pieces at each position.
  const steps = new Array<number>(right - left + 2).fill(0)
  for (const piece of all) {
    const [from, to] = [Math.max(0, Math.floor(piece.left) - left), Math.min(right - left + 1, Math.ceil(piece.right) - left)]
    steps[from] = (steps[from] ?? 0) + 1
    steps[to] = (steps[to] ?? 0) - 1
  }
  let covered = 0
  const cover = steps.map((step) => (covered += step))
  const most = Math.max(...cover)
  const gutters: number[] = []
  let start: number | null = null
  cover.forEach((pieces, at) => {
    if (pieces <= most * ACROSS) start ??= at
    else {
      // Near the edge where lines start: at the other, some are longer than most.
      const aside = start === null ? 0 : Math.min(size * 0.4, (at - start) / 2)
      if (start !== null && start > 0 && at - start >= GUTTER * size) gutters.push(left + (leftwards ? start + aside : at - aside))
      start = null
    }
  })
  return gutters
}

/** The lines of the columns one after the other; null when they are not running text. */
function divided(rows: readonly (readonly Piece[])[], gutters: readonly number[]): Run[][] | null {
  const columns: Piece[][] = [...gutters, Infinity].map(() => [])
  for (const row of rows) for (const piece of row) columns[gutters.filter((at) => piece.left >= at).length]?.push(piece)
  const used = columns.filter((column) => column.length > 0)
  const lines = used.flat()
  if (used.length < 2 || lines.length < LEAST_TOGETHER || !used.some((column) => column.length >= LEAST_LINES)) return null
  if (!used.every(isFull) || !goesOn(used)) return null
  return (isLeftwards(lines) ? used.reverse() : used).flatMap((column) => column.map(({ runs }) => [...runs]))
}

function isFull(column: readonly Piece[]): boolean {
  const width = Math.max(...column.map(({ right }) => right)) - Math.min(...column.map(({ left }) => left))
  const full = column.filter(
    ({ left, right, text }) => right - left >= width * FULL && text.length >= (WIDE.test(text) ? LEAST_WIDE : LEAST_TEXT),
  )
  return full.length >= column.length * MOST_FULL
}

/** Whether lines start within sentences; undetectable in scripts without lower case. */
function goesOn(columns: readonly (readonly Piece[])[]): boolean {
  const cased = columns.flatMap((column) => column.slice(1)).filter(({ text }) => /\p{Lu}|\p{Ll}/u.test(text))
  return cased.filter(({ text }) => /^\P{L}{0,2}\p{Ll}/u.test(text)).length >= cased.length * GOES_ON
}

function isLeftwards(pieces: readonly Piece[]): boolean {
  return pieces.filter(({ runs }) => runs[0]?.rightToLeft === true).length > pieces.length / 2
}

function middle(numbers: readonly number[]): number {
  return [...numbers].sort((one, two) => one - two)[Math.floor(numbers.length / 2)] ?? 0
}
