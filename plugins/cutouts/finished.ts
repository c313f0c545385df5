import { Fault, type Part, type ScratchFile, type Services } from '../../core/sdk/index.js'
import type { CutoutInput, CutoutOutput } from './contract.js'
import { LIMITS } from './limits.js'

const FINISH = new URL('./parse/finish.js', import.meta.url)

/** Requirements of a vendor's reply. */
export const REPLY = { kinds: ['image/png', 'image/webp'], maxBytes: LIMITS.result }

/** The picture as a part of a vendor's form. */
export function sentAs({ file, content_type }: CutoutInput): Omit<Part, 'name'> {
  return { filename: content_type === 'image/png' ? 'picture.png' : 'picture.jpg', contentType: content_type, data: file }
}

/** The result of a module of `parse/`: null when it found no subject. */
export type Finished = Omit<CutoutOutput, 'file'> | null

/** Runs a module of `parse/` that creates a cutout from files of the call. Null when it found no subject. */
export async function cutIn(module: URL, files: readonly ScratchFile[], args: unknown, ctx: Services): Promise<CutoutOutput | null> {
  const { stepMs: timeoutMs, memoryMb } = LIMITS
  // Twice the limit of an answer: the handler explains to the caller how to reduce a larger one.
  const options = { args, timeoutMs, memoryMb, maxBytes: 2 * LIMITS.result }
  const { result, file } = await ctx.parseFiles<Finished>(module, files, options)
  return result === null || file === null ? null : { file, ...result }
}

/** A vendor's cutout in the requested size and format. Throws `missing` when nothing of the picture is transparent, or all of it. */
export async function finished(file: ScratchFile, { size, format, width, height }: CutoutInput, ctx: Services): Promise<CutoutOutput> {
  const made = await cutIn(FINISH, [file], { size, format, width, height }, ctx)
  await ctx.scratch.remove(file)
  if (made === null) throw new Fault('missing', 'No subject was found in the picture.')
  return made
}
