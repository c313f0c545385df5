import type { CDPSession } from 'playwright-core'
import type { Captured } from './capture.js'
import type { PictureFiles } from './files.js'
import { MOST_BYTES, MOST_SHEETS } from './limits.js'
import { tooLarge } from './too-large.js'

/** A4, in inches. */
const SHEET = { paperWidth: 210 / 25.4, paperHeight: 297 / 25.4, printBackground: true } as const
const CHUNK_BYTES = 1024 * 1024
/** Occurs once for each sheet in Chromium's output. */
const EACH_SHEET = '/MediaBox'

/** Prints the page on A4 sheets, with backgrounds. Throws `invalid` when the file is too large. */
export async function print(session: CDPSession, files: PictureFiles): Promise<Captured> {
  const printed = await session.send('Page.printToPDF', { ...SHEET, pageRanges: `1-${MOST_SHEETS}`, transferMode: 'ReturnAsStream' })
  const counter = new SheetCounter()
  const file = await files.keep(streamed(session, printed.stream ?? '', counter))
  const cut = counter.sheets >= MOST_SHEETS && (await hasSheet(session, MOST_SHEETS + 1))
  return { file, notes: cut ? [`the page has more than ${MOST_SHEETS} sheets: the pdf is cut there`] : [] }
}

/** In pieces, so that a page cannot exhaust the gateway's memory. */
async function* streamed(session: CDPSession, handle: string, counter: SheetCounter): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for (let ended = false; !ended;) {
    const { data, base64Encoded, eof } = await session.send('IO.read', { handle, size: CHUNK_BYTES })
    const chunk = Buffer.from(data, base64Encoded === true ? 'base64' : 'latin1')
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw tooLarge()
    counter.add(chunk)
    ended = eof
    yield chunk
  }
}

/** Counts the sheets of a PDF from its pieces. */
class SheetCounter {
  sheets = 0
  /** The end of the previous pieces, in which a mark may have begun. */
  #tail = ''

  add(chunk: Uint8Array): void {
    const text = this.#tail + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1')
    this.sheets += text.split(EACH_SHEET).length - 1
    this.#tail = text.slice(1 - EACH_SHEET.length)
  }
}

async function hasSheet(session: CDPSession, number: number): Promise<boolean> {
  try {
    await session.send('Page.printToPDF', { ...SHEET, pageRanges: String(number) })
    return true
  } catch (error) {
    if (error instanceof Error && error.message.includes('exceeds page count')) return false
    throw error
  }
}
