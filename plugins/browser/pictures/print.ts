import type { CDPSession } from 'playwright-core'
import type { Captured } from './capture.js'
import { MOST_BYTES, MOST_SHEETS } from './limits.js'
import { tooLarge } from './too-large.js'

/** A4, in inches. */
const SHEET = { paperWidth: 210 / 25.4, paperHeight: 297 / 25.4, printBackground: true } as const
const CHUNK_BYTES = 1024 * 1024
/** Stands once for each sheet in what Chromium writes. */
const EACH_SHEET = '/MediaBox'

/** Prints the page on sheets of A4, with its backgrounds. Throws `invalid` when the file is too large. */
export async function print(session: CDPSession): Promise<Captured> {
  const printed = await session.send('Page.printToPDF', { ...SHEET, pageRanges: `1-${MOST_SHEETS}`, transferMode: 'ReturnAsStream' })
  const pdf = await streamed(session, printed.stream ?? '')
  const cut = sheetsOf(pdf) >= MOST_SHEETS && (await hasSheet(session, MOST_SHEETS + 1))
  return { picture: pdf.toString('base64'), notes: cut ? [`the page has more than ${MOST_SHEETS} sheets: the pdf is cut there`] : [] }
}

/** In pieces, so that a page cannot fill the gateway's memory. */
async function streamed(session: CDPSession, handle: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for (let ended = false; !ended;) {
    const { data, base64Encoded, eof } = await session.send('IO.read', { handle, size: CHUNK_BYTES })
    const chunk = Buffer.from(data, base64Encoded === true ? 'base64' : 'latin1')
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw tooLarge()
    ended = eof
  }
  return Buffer.concat(chunks)
}

function sheetsOf(pdf: Buffer): number {
  let sheets = 0
  for (let at = pdf.indexOf(EACH_SHEET); at !== -1; at = pdf.indexOf(EACH_SHEET, at + EACH_SHEET.length)) sheets += 1
  return sheets
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
