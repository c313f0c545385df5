import { decode } from '../../_shared/charset/charset.js'

/** By which cells may be divided, the likeliest first. */
const SEPARATORS = [',', ';', '\t', '|'] as const
/** Lines that are looked at to find out by which they are. */
const FIRST_LINES = 10
/** Rows that are written at once. */
const BATCH = 500
/** A number without signs of anything else: no leading zeros, at most 15 digits, which is what a cell keeps. */
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/
const DIGITS = 15
/** Digits that a cell of a page shows of any number. */
const SHOWN = 9

/** From which format a table is, and what is made of it. */
export interface TableArgs {
  readonly from: string
  readonly to: string
}

/**
 * A table of text as LibreOffice is to read it: UTF-8, with commas, everything in quotes but numbers that are written back as they are.
 * Quotes make text of a cell, so that it is no date, no formula and no shorter number. Runs in the sandbox.
 */
export default function textTable(
  [bytes]: readonly Uint8Array[],
  { from, to }: TableArgs,
): { readonly result: null; readonly data: Buffer } {
  const text = decode(bytes ?? new Uint8Array(), '')
  const separator = from === 'tsv' ? '\t' : separatorOf(text.slice(0, 65_536))
  const digits = to === 'pdf' ? SHOWN : DIGITS
  const batches: Buffer[] = []
  let lines: string[] = []
  const end = (): void => {
    batches.push(Buffer.from(lines.map((line) => `${line}\n`).join('')))
    lines = []
  }
  for (const cells of rowsOf(text, separator)) {
    lines.push(cells.map((cell) => written(cell, digits)).join(','))
    if (lines.length >= BATCH) end()
  }
  end()
  return { result: null, data: Buffer.concat(batches) }
}

/** Cells row by row (RFC 4180). A quote inside of a cell that does not begin with one is a letter like others. */
export function* rowsOf(text: string, separator: string): Generator<string[]> {
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    const quoted = text[at] === '"' ? quotedCell(text, at) : null
    const end = endOf(text, quoted?.end ?? at, separator)
    row.push(quoted === null ? text.slice(at, end) : quoted.cell + text.slice(quoted.end, end))
    const mark = text[end]
    at = end + 1
    if (mark === separator) {
      if (at >= text.length) row.push('')
      continue
    }
    if (mark === '\r' && text[at] === '\n') at++
    yield row
    row = []
  }
  if (row.length > 0) yield row
}

/** A cell in quotes, and where what follows it begins; null when its quotes never end. */
function quotedCell(text: string, start: number): { readonly cell: string; readonly end: number } | null {
  const parts: string[] = []
  for (let from = start + 1; ;) {
    const quote = text.indexOf('"', from)
    if (quote === -1) return null
    parts.push(text.slice(from, quote))
    if (text[quote + 1] !== '"') return { cell: parts.join('"'), end: quote + 1 }
    from = quote + 2
  }
}

function endOf(text: string, start: number, separator: string): number {
  for (let at = start; at < text.length; at++) {
    const letter = text[at]
    if (letter === separator || letter === '\n' || letter === '\r') return at
  }
  return text.length
}

function written(cell: string, digits: number): string {
  if (cell === '') return ''
  return isPlainNumber(cell, digits) ? cell : `"${cell.replaceAll('"', '""')}"`
}

/** Whether a number made of these characters is written with them again. */
export function isPlainNumber(cell: string, digits = DIGITS): boolean {
  return NUMBER.test(cell) && cell.replace(/[-.]/g, '').length <= digits && String(Number(cell)) === cell
}

/** The character that most of the first lines have equally often outside of quotes. */
export function separatorOf(text: string): string {
  const lines = text
    .replace(/"[^"]*"/g, '""')
    .split(/\r\n|\r|\n/, FIRST_LINES + 1)
    .slice(0, FIRST_LINES)
    .filter((line) => line.trim() !== '')
  const scores = SEPARATORS.map((separator) => {
    const counts = lines.map((line) => line.split(separator).length - 1)
    const first = counts[0] ?? 0
    return { separator, score: first === 0 ? 0 : counts.filter((count) => count === first).length * 100 + first }
  })
  const [best] = scores.sort((one, other) => other.score - one.score)
  return best === undefined || best.score === 0 ? ',' : best.separator
}
