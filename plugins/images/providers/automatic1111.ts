import { provider, Type } from '../../../core/sdk/index.js'
import { automatic1111 as vendor } from '../../_vendors/automatic1111.js'
import { imageVendors } from '../contract.js'
import { finished, FINISHING } from '../finished.js'
import { decoded, encoded, MOST_REPLY } from '../reply.js'
import { settings } from '../settings.js'
import { requestSize, pixelsOf } from '../sizes.js'

const CLOSE_TO_PROMPT = 7
const DENOISING = 0.75
const Reply = Type.Object({ images: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }) })

/**
 * The operator's web UI. It may load a model first and has no limit of its own. An abandoned picture is not
 * interrupted: /interrupt ends whatever is running, possibly someone else's picture.
 */
export const automatic1111 = provider(imageVendors, {
  vendor,
  settings,
  rank: 60,
  uses: FINISHING,
  run: async (input, context) => {
    const { prompt, reference } = input
    const { automatic1111_side: most, automatic1111_steps: steps } = context.settings
    const { automatic1111_checkpoint: checkpoint, automatic1111_negative_prompt: negative_prompt } = context.settings
    const json = {
      prompt,
      negative_prompt,
      ...requestSize(pixelsOf(input), { step: 8, most }),
      steps,
      cfg_scale: CLOSE_TO_PROMPT,
      seed: -1,
      batch_size: 1,
      n_iter: 1,
      send_images: true,
      save_images: false,
      ...(checkpoint === null ? {} : { override_settings: { sd_model_checkpoint: checkpoint } }),
      ...(reference === null ? {} : { init_images: [await encoded(reference, context)], denoising_strength: DENOISING }),
    }
    const path = reference === null ? '/sdapi/v1/txt2img' : '/sdapi/v1/img2img'
    const { images } = await context.api.json({ method: 'POST', path, json, maxBytes: MOST_REPLY }, Reply)
    return await finished(await decoded(images[0] ?? '', context), { input, vendor: vendor.id }, context)
  },
})
