import { Fault, provider } from '../../../core/sdk/index.js'
import { tables as vendor } from '../../_vendors/tables.js'
import { convertVendors } from '../contract.js'
import type { Written } from '../engines/tables/parse/convert.js'
import { makes } from '../pairs/pairs.js'
import { TABLES } from '../pairs/tables.js'
import { resultOf } from '../result.js'

const CONVERT = new URL('../engines/tables/parse/convert.js', import.meta.url)
const MIB = 1024 * 1024
/** Limits of a table, which is in memory while it is read. */
const LIMITS = { sourceBytes: 64 * MIB, maxBytes: 256 * MIB, memoryMb: 1_536, timeoutMs: 60_000 }

/** Text tables with a header line become a list of records, and such a list becomes a table. */
export const tables = provider(convertVendors, {
  vendor,
  rank: 4,
  serves: ({ from, to }) => makes(TABLES, from, to),
  run: async ({ file, from, to }, ctx) => {
    const { sourceBytes, ...limits } = LIMITS
    if (file.size > sourceBytes)
      throw new Fault('invalid', `The ${from} file is larger than ${String(sourceBytes / MIB)} MiB, the most that becomes ${to}.`, {
        loc: ['file_url'],
      })
    ctx.progress('converting', to)
    const { result, file: made } = await ctx.parseFiles<Written>(CONVERT, [file], { ...limits, args: { from, to } })
    if (made === null) throw new Fault('missing', 'The table has no lines.')
    for (const note of result.notes) ctx.note(note)
    return await resultOf(ctx, { source: { file, from }, files: [made], to })
  },
})
