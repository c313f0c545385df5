import { provider } from '../../../core/sdk/index.js'
import { libreoffice as vendor } from '../../_vendors/libreoffice.js'
import { officeConvert } from '../../office/contract.js'
import { convertVendors } from '../contract.js'
import { ofSource } from '../engines/failure.js'
import { LIBREOFFICE } from '../pairs/libreoffice.js'
import { makes } from '../pairs/pairs.js'
import { resultOf } from '../result.js'

export const libreoffice = provider(convertVendors, {
  vendor,
  uses: [officeConvert],
  rank: 10,
  serves: ({ from, to }) => makes(LIBREOFFICE, from, to),
  run: async ({ file, from, to }, ctx) => {
    const { file: made } = await ofSource(ctx.call(officeConvert, { file, from, to }))
    return await resultOf(ctx, { files: [made], to })
  },
})
