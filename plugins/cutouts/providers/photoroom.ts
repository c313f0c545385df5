import { provider } from '../../../core/sdk/index.js'
import { photoroom as vendor } from '../../_vendors/photoroom.js'
import { cutoutVendors } from '../contract.js'
import { finished, REPLY, sentAs } from '../finished.js'

/** Maximum pixels of the vendor's result. */
const MOST_PIXELS = 36_000_000

/** Without `size` the vendor keeps the size of the source. */
export const photoroom = provider(cutoutVendors, {
  vendor,
  rank: 20,
  timeoutMs: 30_000,
  serves: ({ width, height }) => width * height <= MOST_PIXELS,
  run: async (input, context) => {
    const multipart = [
      { name: 'image_file', ...sentAs(input) },
      { name: 'format', data: input.format },
      ...(input.size === 'auto' ? [] : [{ name: 'size', data: input.size }]),
    ]
    const { file } = await context.api.file({ method: 'POST', path: '/segment', multipart }, REPLY)
    return await finished(file, input, context)
  },
})
