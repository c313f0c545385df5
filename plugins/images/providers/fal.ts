import { provider, Type } from '../../../core/sdk/index.js'
import { falResult } from '../../_shared/fal-queue.js'
import { listAt } from '../../_shared/value-at.js'
import { fal as vendor } from '../../_vendors/fal.js'
import { imageVendors } from '../contract.js'
import { finished, FINISHING, refusal } from '../finished.js'
import { encoded, HOSTED_MS, PICTURE_FILE } from '../reply.js'
import { settings } from '../settings.js'
import { requestSize, pixelsOf } from '../sizes.js'

/** fal's models are made for one or two million pixels; larger pictures are upscaled here. */
const SIDES = { step: 8, most: 1536 }

const Result = Type.Object({
  images: Type.Array(Type.Object({ url: Type.String() }), { minItems: 1 }),
  has_nsfw_concepts: Type.Optional(Type.Unknown()),
})

export const fal = provider(imageVendors, {
  vendor,
  settings,
  rank: 40,
  timeoutMs: HOSTED_MS,
  uses: FINISHING,
  serves: ({ reference }, { settings }) => reference === null || settings.fal_reference_model !== null,
  run: async (input, context) => {
    const { prompt, reference } = input
    const { fal_model, fal_reference_model } = context.settings
    const image = reference === null ? {} : { image_url: `data:image/jpeg;base64,${await encoded(reference, context)}` }
    const wanted = { prompt, image_size: requestSize(pixelsOf(input), SIDES), num_images: 1, output_format: 'png', ...image }
    const model = reference === null ? fal_model : (fal_reference_model ?? fal_model)
    const result = await falResult(context, { model, input: wanted, reply: Result })
    if (listAt(result, 'has_nsfw_concepts')[0] === true) throw refusal('fal withheld the picture as not safe.')
    const { file } = await context.api.download(result.images[0]?.url ?? '', PICTURE_FILE)
    return await finished(file, { input, vendor: vendor.id }, context)
  },
})
