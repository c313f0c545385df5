import { Fault, type ProviderContext, type ScratchFile } from '../../core/sdk/index.js'
import type { Pair } from './formats/table.js'

const EXTENT = new URL('./parse/extent.js', import.meta.url)
const LIMITS = { timeoutMs: 20_000, memoryMb: 1_024 }

/**
 * Rejects a sheet whose cells extend further than its target supports, before LibreOffice reads it: a single cell in
 * the last row and column means billions. Throws Fault `invalid`.
 */
export async function assertExtent(
  { from, to, reading: { cells: kind }, writing: { mostCells } }: Pair,
  file: ScratchFile,
  context: ProviderContext,
) {
  if (kind === undefined || mostCells === undefined) return
  const { cells, last } = await extentOf(file, kind, context)
  if (cells > mostCells) throw tooFar({ from, to, last, most: mostCells })
}

/** The Fault of a sheet that extends too far. */
export function tooFar({ from, to, last, most }: { from: string; to: string; last: string | null; most: number }): Fault {
  const reaches = last === null ? 'has too many cells' : `reaches to cell ${last}`
  const message = `The ${from} file ${reaches}: at most ${most / 1e6} million cells, empty ones between others included, are written to ${to}. Delete what is far out, or convert it to xlsx or ods.`
  return new Fault('invalid', message, { loc: ['file'] })
}

async function extentOf(
  file: ScratchFile,
  kind: string,
  context: ProviderContext,
): Promise<{ readonly cells: number; readonly last: string }> {
  try {
    return await context.parse(EXTENT, file, { ...LIMITS, args: kind })
  } catch (error) {
    if (!Fault.is(error) || (error.kind !== 'blocked' && error.kind !== 'broken')) throw error
    // A file that its parser cannot unpack or read in time is not passed to LibreOffice either.
    const internal = error.internal === undefined ? {} : { internal: error.internal }
    throw new Fault('invalid', 'The sheets of the file cannot be read: it is damaged, or too large.', {
      ...internal,
      cause: error,
      costly: error.costly,
      loc: ['file'],
    })
  }
}
