import { provider } from '../../../core/sdk/index.js'
import { pandoc as vendor } from '../../_vendors/pandoc.js'
import { convertVendors } from '../contract.js'
import { pandocFile } from '../engines/pandoc/run.js'
import { PANDOC } from '../pairs/pandoc.js'
import { makes } from '../pairs/pairs.js'
import { resultOf } from '../result.js'

export const pandoc = provider(convertVendors, {
  vendor,
  rank: 20,
  serves: ({ from, to }) => makes(PANDOC, from, to),
  run: async ({ file, from, to }, ctx) =>
    await resultOf(ctx, { source: { file, from }, files: [await pandocFile(ctx, { file, from, to })], to }),
})
