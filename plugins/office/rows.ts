import { Fault } from '../../core/sdk/index.js'
import type { Pair } from './formats/table.js'

/** Rows of a sheet (https://help.libreoffice.org/latest/en-US/text/scalc/guide/calc_limits.html); what is beyond them would be left out without a word. */
const IN_A_SHEET = 1_048_576
/** Rows that are laid out on pages, about two thousand of them. */
const ON_PAGES = 100_000
const LINE_END = 10

/** Refuses a table of text with more lines than its target takes, before LibreOffice reads it. Throws Fault `invalid`. */
export async function assertRows({ from, to, reading }: Pair, file: AsyncIterable<Uint8Array>): Promise<void> {
  if (reading.plain !== 'table') return
  const most = to === 'pdf' ? ON_PAGES : IN_A_SHEET
  let lines = 0
  for await (const chunk of file) {
    for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, at + 1)) lines++
    if (lines <= most) continue
    const why = to === 'pdf' ? `are laid out on pages: convert it to xlsx` : `are in a sheet`
    throw new Fault('invalid', `The ${from} file has more than ${String(most)} lines, and no more ${why}.`, { loc: ['file'] })
  }
}
