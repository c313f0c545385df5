import { provider } from '../../../core/sdk/index.js'
import { calibre as vendor } from '../../_vendors/calibre.js'
import { convertVendors } from '../contract.js'
import { calibreFile } from '../engines/calibre/run.js'
import { CALIBRE } from '../pairs/calibre.js'
import { makes } from '../pairs/pairs.js'
import { resultOf } from '../result.js'

export const calibre = provider(convertVendors, {
  vendor,
  rank: 30,
  serves: ({ from, to }) => makes(CALIBRE, from, to),
  run: async ({ file, from, to }, ctx) =>
    await resultOf(ctx, { source: { file, from }, files: [await calibreFile(ctx, { file, from, to })], to }),
})
