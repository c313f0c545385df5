import type { HandlerContext, ScratchFile } from '../../core/sdk/index.js'
import { atField } from '../_shared/at-field.js'
import { pictureMake } from '../picture/contract.js'

const MOST_BYTES = 20 * 1024 * 1024
/** More than image models look at. */
const MOST_SIDE = 1_536
const QUALITY = 90
const FIELD = { loc: ['reference_image_url'], what: 'the picture at reference_image_url' }

/**
 * The reference picture as vendors get it: fetched through the guard and encoded anew in the sandbox, upright, on white, without metadata, at most
 * 1,536 pixels a side. Throws an `invalid` Fault at the field for what is no picture or over a limit, and those of `scratch.fetch`.
 */
export async function referenceAt(url: string, context: Pick<HandlerContext, 'scratch' | 'call' | 'note'>): Promise<ScratchFile> {
  const file = await atField(context.scratch.fetch(url, { maxBytes: MOST_BYTES }), FIELD)
  const steps = [{ op: 'resize' as const, width: MOST_SIDE, height: MOST_SIDE, fit: 'inside' as const }]
  const made = await atField(context.call(pictureMake, { file, format: 'jpeg', quality: QUALITY, steps }), FIELD)
  await context.scratch.remove(file)
  if (made.pages > 1) context.note(`The reference picture has ${String(made.pages)} frames or pages; the first was used.`)
  return made.file
}
