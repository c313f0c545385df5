import { Fault, type ScratchFile, type Services } from '../../core/sdk/index.js'
import { formatOf } from './formats/find.js'
import { fits, peek } from './formats/shape.js'

/**
 * What a provider answers: files that are what their format says, whole and not empty. Throws Fault `missing` otherwise: the next engine is asked, and none
 * is blamed for what a source made of its result, such as text with control characters.
 */
export async function resultOf(
  { scratch }: Pick<Services, 'scratch'>,
  { files, to, cost = 0 }: { readonly files: readonly ScratchFile[]; readonly to: string; readonly cost?: number },
): Promise<{ files: ScratchFile[]; cost: number }> {
  if (files.length === 0) throw new Fault('missing', `The conversion gave no ${to} file.`)
  const shape = formatOf(to)?.is ?? {}
  for (const file of files) {
    const seen = await peek(scratch.read(file), shape.holds)
    if (!fits(shape, seen, { complete: true }))
      throw new Fault('missing', `The conversion gave a file that is no ${to} file.`, { internal: seen.head.toString('latin1', 0, 40) })
  }
  return { files: [...files], cost }
}
