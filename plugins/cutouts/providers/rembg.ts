import { provider } from '../../../core/sdk/index.js'
import { rembg as vendor } from '../../_vendors/rembg.js'
import { cutoutVendors } from '../contract.js'
import { finished, REPLY, sentAs } from '../finished.js'

/** The server returns PNG in the size of the source. The first picture waits for the model to load. */
export const rembg = provider(cutoutVendors, {
  vendor,
  rank: 40,
  timeoutMs: 40_000,
  run: async (input, context) => {
    const multipart = [
      { name: 'file', ...sentAs(input) },
      { name: 'model', data: context.settings.model },
    ]
    const { file } = await context.api.file({ method: 'POST', path: '/api/remove', multipart }, REPLY)
    return await finished(file, input, context)
  },
})
