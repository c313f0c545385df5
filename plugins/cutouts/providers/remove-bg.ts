import { provider } from '../../../core/sdk/index.js'
import { removeBg as vendor } from '../../_vendors/remove-bg.js'
import { cutoutVendors } from '../contract.js'
import { finished, REPLY, sentAs } from '../finished.js'

/** Always PNG: the vendor's WebP option is not documented, and PNG is lossless. */
export const removeBg = provider(cutoutVendors, {
  vendor,
  rank: 10,
  timeoutMs: 30_000,
  run: async (input, context) => {
    const multipart = [
      { name: 'image_file', ...sentAs(input) },
      { name: 'size', data: input.size },
      { name: 'format', data: 'png' },
    ]
    const { file } = await context.api.file({ method: 'POST', path: '/removebg', multipart }, REPLY)
    return await finished(file, input, context)
  },
})
