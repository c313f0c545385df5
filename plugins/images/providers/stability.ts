import { provider, Type } from '../../../core/sdk/index.js'
import { stability as vendor } from '../../_vendors/stability.js'
import { imageVendors } from '../contract.js'
import { finished, FINISHING, refusal } from '../finished.js'
import { decoded, HOSTED_MS, MOST_REPLY } from '../reply.js'
import { settings } from '../settings.js'
import { nearestTo } from '../sizes.js'

const RATIOS = ['1:1', '16:9', '21:9', '2:3', '3:2', '4:5', '5:4', '9:16', '9:21'] as const
const Reply = Type.Object({ image: Type.String({ minLength: 1 }), finish_reason: Type.Optional(Type.Unknown()) })

/** Stable Image. The ratio determines the size; a filtered picture is blurred and has status 200. */
export const stability = provider(imageVendors, {
  vendor,
  settings,
  rank: 30,
  timeoutMs: HOSTED_MS,
  uses: FINISHING,
  run: async (input, context) => {
    const { prompt, aspect_ratio, reference } = input
    const { stability_service, stability_strength } = context.settings
    const multipart = [
      { name: 'prompt', data: prompt },
      { name: 'aspect_ratio', data: nearestTo(aspect_ratio, RATIOS) },
      { name: 'output_format', data: 'png' },
      ...(reference === null
        ? []
        : [
            { name: 'strength', data: String(stability_strength) },
            { name: 'image', filename: 'reference.jpg', contentType: 'image/jpeg', data: reference },
          ]),
    ]
    const path = `/v2beta/stable-image/generate/${reference === null ? stability_service : 'ultra'}`
    const reply = await context.api.json({ method: 'POST', path, multipart, maxBytes: MOST_REPLY }, Reply)
    if (reply.finish_reason === 'CONTENT_FILTERED') throw refusal('stability filtered the picture.')
    return await finished(await decoded(reply.image, context), { input, vendor: vendor.id }, context)
  },
})
