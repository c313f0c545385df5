import { provider } from '../../../core/sdk/index.js'
import { ffmpeg as vendor } from '../../_vendors/ffmpeg.js'
import { mediaConvert } from '../../media/contract.js'
import { convertVendors } from '../contract.js'
import { ofSource } from '../engines/failure.js'
import { FFMPEG } from '../pairs/ffmpeg.js'
import { makes } from '../pairs/pairs.js'
import { resultOf } from '../result.js'

export const ffmpeg = provider(convertVendors, {
  vendor,
  uses: [mediaConvert],
  rank: 14,
  serves: ({ from, to }) => makes(FFMPEG, from, to),
  run: async ({ file, from, to }, ctx) => {
    const { file: made } = await ofSource(ctx.call(mediaConvert, { file, from, to }))
    return await resultOf(ctx, { source: { file, from }, files: [made], to })
  },
})
