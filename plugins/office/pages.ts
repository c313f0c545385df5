import { Fault } from '../../core/sdk/index.js'
import type { Pair } from './formats/table.js'

/** Pages of a PDF that LibreOffice converts to frames within the time of a call. */
const MOST = 1_000
const PAGE = /\/Type\s{0,20}\/Page[^A-Za-z]/g
/** Longer than the searched text, which may be split between two pieces. */
const OVERLAP = 64

/**
 * Rejects a PDF with too many pages, before LibreOffice reads it: as far as they can be counted without unpacking it;
 * others run into the timeout. Throws Fault `invalid`.
 */
export async function assertPages({ from }: Pair, file: AsyncIterable<Uint8Array>): Promise<void> {
  if (from !== 'pdf') return
  let rest = ''
  let pages = 0
  for await (const chunk of file) {
    const seen: string = rest + Buffer.from(chunk).toString('latin1')
    let end = 0
    for (const match of seen.matchAll(PAGE)) {
      pages++
      end = match.index + match[0].length
    }
    rest = seen.slice(Math.max(end, seen.length - OVERLAP))
    if (pages > MOST)
      throw new Fault('invalid', `The PDF has more than ${String(MOST)} pages: convert it to txt or html, or send fewer pages.`, {
        loc: ['file'],
      })
  }
}
