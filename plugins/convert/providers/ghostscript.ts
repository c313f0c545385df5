import { provider } from '../../../core/sdk/index.js'
import { ghostscript as vendor } from '../../_vendors/ghostscript.js'
import { convertVendors } from '../contract.js'
import { ghostscriptFiles } from '../engines/ghostscript/run.js'
import { GHOSTSCRIPT } from '../pairs/ghostscript.js'
import { makes } from '../pairs/pairs.js'
import { resultOf } from '../result.js'

export const ghostscript = provider(convertVendors, {
  vendor,
  rank: 20,
  serves: ({ from, to }) => makes(GHOSTSCRIPT, from, to),
  run: async ({ file, from, to }, ctx) =>
    await resultOf(ctx, { source: { file, from }, files: await ghostscriptFiles(ctx, { file, from, to }), to }),
})
