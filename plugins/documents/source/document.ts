import type { HandlerContext, ScratchFile } from '../../../core/sdk/index.js'
import { documentRead, ocrRead } from '../../reading/contract.js'
import { atUrl } from './at-url.js'
import { forTheRest, recognised } from './picture.js'
import type { Source } from './types.js'

/** Most pages without text that are recognised in a document that has some, and the time for them. */
const MOST_PICTURED = 10
const PICTURED_MS = 30_000

/** Reads a document; pages that are only pictures are read by text recognition. */
export async function readDocument({ file, name }: { file: ScratchFile; name: string }, ctx: HandlerContext): Promise<Source> {
  const read = await atUrl(ctx.call(documentRead, { file, name, want: ['tables'] }))
  for (const note of read.notes) ctx.note(note)
  if (read.needs_ocr) {
    const { text, truncated } = await recognised({ file, leave_ms: forTheRest(ctx) }, ctx)
    return { text, facts: null, tables: [], truncated: truncated || read.truncated }
  }
  const pictured = await picturedPages(file, read.pages_without_text, ctx)
  return { text: pictured === '' ? read.text : `${read.text}\n\n${pictured}`, facts: null, tables: read.tables, truncated: read.truncated }
}

/** Text of scanned pages among text pages, such as a signed last page. Blank pages have none, which is not a failure. */
async function picturedPages(file: ScratchFile, pages: readonly number[], ctx: HandlerContext): Promise<string> {
  if (pages.length === 0) return ''
  const found = ctx.has(ocrRead)
    ? await ctx.aside((side) => recognised({ file, pages: pages.slice(0, MOST_PICTURED) }, side), { withinMs: PICTURED_MS })
    : null
  if (found === null)
    ctx.note(`No text was found on ${String(pages.length)} pages of the document, the first of them page ${String(pages[0])}.`)
  return found?.text ?? ''
}
