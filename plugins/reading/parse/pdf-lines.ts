import { columnsOf } from './pdf-columns.js'
import type { Run } from './pdf-runs.js'

/** Runs beside each other on one baseline. */
export interface Line {
  readonly runs: Run[]
  /** Number of the block of lines on the page. */
  block: number
}

/** Share of upward steps from which the drawing order does not count as reading order. */
const DISORDER = 0.25

/**
 * Lines of a page in reading order: columns of running text one after the other, however they are drawn; otherwise in
 * drawing order, which usually is reading order. A page drawn out of order, or with filled form fields, is read from
 * top to bottom.
 */
export function linesOf(runs: readonly Run[]): Line[] {
  const rows = rowsOf(runs)
  const drawn = grouped(runs)
  const ups = drawn.filter((line, at) => at > 0 && isAbove(line, drawn[at - 1])).length
  const isDisordered = runs.some(({ filled }) => filled) || ups > drawn.length * DISORDER
  const columns = columnsOf(rows)
  const lines = columns !== null ? grouped(columns.flat()) : isDisordered ? grouped(rows.flat()) : drawn
  let block = 0
  lines.forEach((line, at) => {
    const before = lines[at - 1]
    if (before !== undefined && isApart(before, line)) block += 1
    line.block = block
  })
  return lines
}

/** The letter size of most of the text. */
export function bodySize(lines: readonly Line[]): number {
  const counts = new Map<number, number>()
  for (const { runs } of lines)
    for (const { size, text } of runs) counts.set(Math.round(size * 2) / 2, (counts.get(Math.round(size * 2) / 2) ?? 0) + text.length)
  return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most), [0, 0])[0]
}

/** Lines as Markdown: blocks separated by blank lines, headings where the letters are larger than the body's. */
export function markdownOf(lines: readonly Line[], body: number): string {
  const blocks: Line[][] = []
  for (const line of lines) (blocks[line.block] ??= []).push(line)
  return blocks
    .map((block) => {
      const text = block.map(textOf).filter((line) => line !== '')
      const level = text.length <= 3 && text.join(' ').length <= 150 ? levelOf(sizeOf(block[0]), body) : 0
      if (level > 0 && text.some((line) => /\p{L}/u.test(line))) return `${'#'.repeat(level)} ${text.join(' ')}`
      return text.map((line) => line.replace(/^[•●▪◦‣·]\s*/, '- ')).join('\n')
    })
    .filter((text) => text !== '')
    .join('\n\n')
}

/** The text of a line; a gap as wide as between columns becomes two spaces. */
export function textOf({ runs }: Line): string {
  return runs
    .map((run, at) => {
      const before = runs[at - 1]
      return before === undefined ? run.text : `${separator(before, run)}${run.text}`
    })
    .join('')
    .trim()
}

/** The separator between two runs of a line, by their gap and blanks. */
export function separator(before: Run, run: Run): string {
  const gap = gapOf(before, run)
  if (gap > 1.5 * run.size) return '  '
  return gap > 0.15 * run.size && !/\s$/.test(before.text) && !/^\s/.test(run.text) ? ' ' : ''
}

function gapOf(before: Run, run: Run): number {
  return run.rightToLeft && before.rightToLeft ? before.x - (run.x + run.width) : run.x - (before.x + before.width)
}

function grouped(runs: readonly Run[]): Line[] {
  const lines: Line[] = []
  for (const run of runs) {
    const line = lines.at(-1)
    const before = line?.runs.at(-1)
    if (line !== undefined && before !== undefined && continues(before, run)) line.runs.push(run)
    else lines.push({ runs: [run], block: 0 })
  }
  return lines
}

function continues(before: Run, run: Run): boolean {
  const size = Math.max(before.size, run.size)
  if (run.upright || before.upright) return false
  return Math.abs(run.baseline - before.baseline) <= size / 2 && gapOf(before, run) > -size
}

/** Rows from top to bottom, and runs on roughly one baseline from left to right. */
function rowsOf(runs: readonly Run[]): Run[][] {
  const rows: Run[][] = []
  for (const run of [...runs].sort((one, two) => one.baseline - two.baseline)) {
    const row = rows.at(-1)
    const first = row?.[0]
    if (row !== undefined && first !== undefined && run.baseline - first.baseline <= Math.min(first.size, run.size) / 2) row.push(run)
    else rows.push([run])
  }
  return rows.map((row) => row.sort((one, two) => one.x - two.x))
}

function isAbove(line: Line, before: Line | undefined): boolean {
  const [one, two] = [line.runs[0], before?.runs[0]]
  return one !== undefined && two !== undefined && one.baseline < two.baseline - one.size
}

function isApart(before: Line, line: Line): boolean {
  const [one, two] = [before.runs[0], line.runs[0]]
  if (one === undefined || two === undefined) return false
  const step = two.baseline - one.baseline
  const [small, large] = [Math.min(one.size, two.size), Math.max(one.size, two.size)]
  return step < -small / 2 || step > 1.7 * large || large > 1.15 * small || one.upright !== two.upright
}

function sizeOf(line: Line | undefined): number {
  return line?.runs[0]?.size ?? 0
}

function levelOf(size: number, body: number): number {
  if (body === 0 || size < body * 1.15) return 0
  return size >= body * 1.6 ? 1 : size >= body * 1.3 ? 2 : 3
}
