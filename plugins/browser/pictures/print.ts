import type { CDPSession } from 'playwright-core'
import type { Captured } from './capture.js'
import { MOST_BYTES, MOST_SHEETS } from './limits.js'
import { tooLarge } from './too-large.js'

/** A4, in inches. */
const SHEET = { paperWidth: 210 / 25.4, paperHeight: 297 / 25.4, printBackground: true } as const

/** Prints the page on sheets of A4, with its backgrounds. */
export async function print(session: CDPSession): Promise<Captured> {
  const { data } = await session.send('Page.printToPDF', { ...SHEET, pageRanges: `1-${MOST_SHEETS}` })
  if ((data.length / 4) * 3 > MOST_BYTES) throw tooLarge()
  const notes = (await hasSheet(session, MOST_SHEETS + 1)) ? [`the page has more than ${MOST_SHEETS} sheets: the pdf is cut there`] : []
  return { picture: data, notes }
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
