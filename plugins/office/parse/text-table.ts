import { decode } from '../../_shared/charset/charset.js'

/** Possible cell separators, the most likely first. */
const SEPARATORS = [',', ';', '\t', '|'] as const
/** Lines read to detect the separator. */
const FIRST_LINES = 10
/** Rows written at once. */
const BATCH = 500
/** A plain number: no leading zeros, at most 15 digits, the precision of a cell. */
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/
const DIGITS = 15
/** Digits of a number that a cell on a page displays. */
const SHOWN = 9

/** The source format of a table, and its target. */
export interface TableArgs {
  readonly from: string
  readonly to: string
}

/**
 * A text table for LibreOffice: UTF-8, with commas, everything in quotes except numbers that round-trip. Quotes mark
 * a cell as text, so that it is not read as a date, a formula or a shorter number. Runs in the sandbox.
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

/** Cells row by row (RFC 4180). A quote inside an unquoted cell is an ordinary character. */
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

/** A quoted cell, and the position after it; null when the quote is never closed. */
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

/** Whether a number parsed from these characters is written with the same ones. */
export function isPlainNumber(cell: string, digits = DIGITS): boolean {
  return NUMBER.test(cell) && cell.replace(/[-.]/g, '').length <= digits && String(Number(cell)) === cell
}

/** The separator with the same count outside quotes in most of the first lines. */
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
