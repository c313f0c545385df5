import { Fault, type HandlerContext, type ScratchFile } from '../../../core/sdk/index.js'
import { ocrRead } from '../../reading/contract.js'
import { atUrl } from './at-url.js'
import type { Source } from './types.js'

/** Reads a picture of a document by text recognition. */
export async function readPicture(file: ScratchFile, ctx: HandlerContext): Promise<Source> {
  const { text, truncated } = await recognised({ file }, ctx)
  return { text, facts: null, tables: [], truncated }
}

/** What stands in a picture or a scan, with the remarks of the recognition as notes. */
export async function recognised(
  input: { readonly file: ScratchFile; readonly pages?: number[] },
  ctx: HandlerContext,
): Promise<{ readonly text: string; readonly truncated: boolean }> {
  if (!ctx.has(ocrRead))
    throw new Fault(
      'missing',
      'The document has no text, only pictures, and text recognition is not installed: install tesseract-ocr (Debian).',
    )
  ctx.progress('recognising text')
  const { text, truncated, notes } = await atUrl(ctx.call(ocrRead, input))
  for (const note of notes) ctx.note(note)
  return { text, truncated }
}
