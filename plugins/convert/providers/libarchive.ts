import { provider } from '../../../core/sdk/index.js'
import { libarchive as vendor } from '../../_vendors/libarchive.js'
import { convertVendors } from '../contract.js'
import { archiveFile } from '../engines/archive/run.js'
import { LIBARCHIVE } from '../pairs/libarchive.js'
import { makes } from '../pairs/pairs.js'
import { resultOf } from '../result.js'

export const libarchive = provider(convertVendors, {
  vendor,
  rank: 20,
  serves: ({ from, to }) => makes(LIBARCHIVE, from, to),
  run: async ({ file, from, to }, ctx) =>
    await resultOf(ctx, { source: { file, from }, files: [await archiveFile(ctx, { file, from, to })], to }),
})
