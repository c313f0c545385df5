import { provider } from '../../../core/sdk/index.js'
import { poppler as vendor } from '../../_vendors/poppler.js'
import { convertVendors } from '../contract.js'
import { popplerFiles } from '../engines/poppler/run.js'
import { POPPLER } from '../pairs/poppler.js'
import { makes } from '../pairs/pairs.js'
import { resultOf } from '../result.js'

export const poppler = provider(convertVendors, {
  vendor,
  rank: 20,
  serves: ({ from, to }) => makes(POPPLER, from, to),
  run: async ({ file, to }, ctx) => await resultOf(ctx, { files: await popplerFiles(ctx, { file, to }), to }),
})
