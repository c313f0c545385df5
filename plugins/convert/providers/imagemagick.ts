import { provider } from '../../../core/sdk/index.js'
import { imagemagick as vendor } from '../../_vendors/imagemagick.js'
import { convertVendors } from '../contract.js'
import { imagemagickFiles } from '../engines/imagemagick/run.js'
import { IMAGEMAGICK } from '../pairs/imagemagick.js'
import { makes } from '../pairs/pairs.js'
import { resultOf } from '../result.js'

export const imagemagick = provider(convertVendors, {
  vendor,
  rank: 8,
  serves: ({ from, to }) => makes(IMAGEMAGICK, from, to),
  run: async ({ file, from, to }, ctx) =>
    await resultOf(ctx, { source: { file, from }, files: await imagemagickFiles(ctx, { file, from, to }), to }),
})
