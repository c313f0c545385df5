import { Fault, type ProviderContext, type ScratchFile } from '../../core/sdk/index.js'
import { formatOf } from './formats/find.js'
import { fits, peek } from './formats/shape.js'
import { assertKept } from './losses/check.js'

interface ResultFiles {
  /** The converted source and its format. */
  readonly source: { readonly file: ScratchFile; readonly from: string }
  readonly files: readonly ScratchFile[]
  /** Id of the expected format. */
  readonly to: string
  /** What the vendor charged, in its own unit. */
  readonly cost?: number
  readonly by?: 'program' | 'vendor'
}

/**
 * Verifies a provider's files: they match their format, are complete and not empty, and keep the source's content.
 * Otherwise the next engine is tried: throws Fault `missing` for a local program, which is not blamed for results
 * that the source spoiled, such as text with control characters, and `broken` for a vendor (`by: 'vendor'`), whose
 * reply then proves nothing about the file.
 */
export async function resultOf(
  ctx: Pick<ProviderContext, 'call' | 'has' | 'note' | 'log' | 'scratch'>,
  { source, files, to, cost = 0, by = 'program' }: ResultFiles,
): Promise<{ files: ScratchFile[]; cost: number }> {
  const kind = by === 'vendor' ? 'broken' : 'missing'
  if (files.length === 0) throw new Fault(kind, `The conversion gave no ${to} file.`)
  const shape = formatOf(to)?.is ?? {}
  for (const file of files) {
    const seen = await peek(ctx.scratch.read(file), shape.holds)
    if (!fits(shape, seen, { complete: true }))
      throw new Fault(kind, `The conversion gave a file that is no ${to} file.`, { internal: seen.head.toString('latin1', 0, 40) })
  }
  await assertKept(ctx, { ...source, files, to }, kind)
  return { files: [...files], cost }
}

/** The sentence for a result that is one picture of several. */
export function leftOut(pictures: number, taken: 'first' | 'largest'): string {
  return `The file holds ${String(pictures)} pictures; the result is the ${taken} of them.`
}
