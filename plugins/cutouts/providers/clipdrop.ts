import { provider } from '../../../core/sdk/index.js'
import { clipdrop as vendor } from '../../_vendors/clipdrop.js'
import { cutoutVendors } from '../contract.js'
import { finished, REPLY, sentAs } from '../finished.js'

/** Limits of the vendor. */
const MOST = { pixels: 25_000_000, bytes: 30 * 1024 * 1024 }

/** The vendor keeps the size of the source, and areas that are already transparent. */
export const clipdrop = provider(cutoutVendors, {
  vendor,
  rank: 30,
  timeoutMs: 30_000,
  serves: ({ width, height, file }) => width * height <= MOST.pixels && file.size <= MOST.bytes,
  run: async (input, context) => {
    const call = {
      method: 'POST',
      path: '/remove-background/v1',
      headers: { accept: `image/${input.format}` },
      multipart: [{ name: 'image_file', ...sentAs(input) }],
    } as const
    const { file } = await context.api.file(call, REPLY)
    return await finished(file, input, context)
  },
})
