import { Fault, provider, type ProviderContext, type ScratchFile } from '../../../core/sdk/index.js'
import { tables as vendor } from '../../_vendors/tables.js'
import { convertLosses } from '../contract.js'
import type { CompareArgs, Losses } from '../losses/parse/compare.js'

const COMPARE = new URL('../losses/parse/compare.js', import.meta.url)
const LIMITS = { timeoutMs: 15_000, memoryMb: 1_024 }

export const tables = provider(convertLosses, {
  vendor,
  rank: 10,
  run: async ({ file, results, from, to, result }, ctx) => {
    const args: CompareArgs = { from, to, result }
    const losses = await compared(ctx, [file, ...results], args)
    return { ...losses, kinds: [...losses.kinds], sheets: [...losses.sheets] }
  },
})

/** A file that cannot be read here, or not in time, is not a failure of the reader: the program that read or wrote it is more reliable. */
async function compared(ctx: ProviderContext, files: readonly ScratchFile[], args: CompareArgs): Promise<Losses> {
  try {
    return (await ctx.parseFiles<Losses>(COMPARE, files, { ...LIMITS, args })).result
  } catch (error) {
    if (!Fault.is(error)) throw error
    throw new Fault('missing', 'The files cannot be compared.', {
      internal: error.internal ?? error.message,
      cause: error,
      costly: error.costly,
    })
  }
}
