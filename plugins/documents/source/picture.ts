import type { HandlerContext, ScratchFile } from '../../../core/sdk/index.js'
import { chat } from '../../llm/contract.js'
import { ocrRead } from '../../reading/contract.js'
import { atUrl } from './at-url.js'
import type { Source } from './types.js'

/** Reads a picture of a document by text recognition. */
export async function readPicture(file: ScratchFile, ctx: HandlerContext): Promise<Source> {
  const { text, truncated } = await recognised({ file, leave_ms: forTheRest(ctx) }, ctx)
  return { text, facts: null, tables: [], truncated }
}

/** Time reserved for processing the text, with a model and without one, in milliseconds. */
const MODEL_MS = 40_000
const OTHER_MS = 10_000

/** Milliseconds reserved for processing the text after the recognition of a whole file. */
export function forTheRest(ctx: Pick<HandlerContext, 'has'>): number {
  return ctx.has(chat) ? MODEL_MS : OTHER_MS
}

/**
 * The text of a picture or a scan, with the recognition's remarks as notes. Without a recognition engine the core
 * names what to install (503).
 */
export async function recognised(
  input: { readonly file: ScratchFile; readonly pages?: number[]; readonly leave_ms?: number },
  ctx: HandlerContext,
): Promise<{ readonly text: string; readonly truncated: boolean }> {
  ctx.progress('recognising text')
  const { text, truncated, notes } = await atUrl(ctx.call(ocrRead, input))
  for (const note of notes) ctx.note(note)
  return { text, truncated }
}
