import { tooFar } from './extent.js'
import { Fault } from '../../core/sdk/index.js'
import type { Pair } from './formats/table.js'

/**
 * Rows of a sheet (https://help.libreoffice.org/latest/en-US/text/scalc/guide/calc_limits.html); further ones would
 * be dropped silently.
 */
const IN_A_SHEET = 1_048_576
/** Rows laid out on pages, about two thousand pages. */
const ON_PAGES = 100_000
const LINE_END = 10

/** Maximum bytes of a line: 16,384 columns of 64 bytes. */
const LONGEST_LINE = 1024 * 1024
const SEPARATORS = [...Buffer.from(',;\t|')]

const MIB = 1024 * 1024
/** Maximum size of a text table, which is in memory while it is rewritten, and of the output. */
export const MOST_TABLE_BYTES = 128 * MIB

/** Throws Fault `invalid` for a text table that is too large. */
export function assertTableSize(from: string, bytes: number): void {
  if (bytes <= MOST_TABLE_BYTES) return
  const size = (Math.ceil((bytes / MIB) * 10) / 10).toFixed(1)
  throw new Fault('invalid', `The ${from} file has ${size} MiB; at most ${MOST_TABLE_BYTES / MIB} MiB are read of a table.`, {
    loc: ['file'],
  })
}

/**
 * Rejects a text table with more or longer lines than its target supports, or too many cells (widest line times
 * lines), before LibreOffice reads it. Throws Fault `invalid`.
 */
export async function assertRows(
  { from, to, reading, writing: { mostCells = Infinity } }: Pair,
  file: AsyncIterable<Uint8Array>,
): Promise<void> {
  if (reading.plain !== 'table') return
  const most = to === 'pdf' ? ON_PAGES : IN_A_SHEET
  let lines = 0
  const line = new Line()
  for await (const chunk of file) {
    line.read(chunk)
    if (line.longest > LONGEST_LINE)
      throw new Fault('invalid', `The ${from} file has a line of more than ${String(LONGEST_LINE)} bytes.`, { loc: ['file'] })
    for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, at + 1)) lines++
    if (lines <= most) continue
    const why = to === 'pdf' ? `are laid out on pages: convert it to xlsx` : `are in a sheet`
    throw new Fault('invalid', `The ${from} file has more than ${String(most)} lines, and no more ${why}.`, { loc: ['file'] })
  }
  if (line.widest * (lines + 1) > mostCells) throw tooFar({ from, to, last: null, most: mostCells })
}

/** The longest line of a text and the cells of its widest, by its most frequent separator. */
class Line {
  longest = 0
  widest = 1
  #bytes = 0
  /** Counts of each byte in the line. */
  readonly #counts = new Uint32Array(256)

  read(chunk: Uint8Array): void {
    const counts = this.#counts
    let begin = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      if (byte !== LINE_END) counts[byte] = (counts[byte] ?? 0) + 1
      else {
        this.#bytes += at - begin
        begin = at + 1
        this.#measure()
        this.#bytes = 0
        for (const separator of SEPARATORS) counts[separator] = 0
      }
    }
    this.#bytes += chunk.length - begin
    this.#measure()
  }

  #measure(): void {
    if (this.#bytes > this.longest) this.longest = this.#bytes
    for (const separator of SEPARATORS) this.widest = Math.max(this.widest, (this.#counts[separator] ?? 0) + 1)
  }
}
