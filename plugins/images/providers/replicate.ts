import { provider } from '../../../core/sdk/index.js'
import { predictedFile } from '../../_shared/replicate-prediction.js'
import { replicate as vendor } from '../../_vendors/replicate.js'
import { imageVendors } from '../contract.js'
import { finished, FINISHING } from '../finished.js'
import { encoded, HOSTED_MS, PICTURE_FILE } from '../reply.js'
import { settings } from '../settings.js'

/** A prediction by a model that generates one picture of about a million pixels in the requested ratio. */
export const replicate = provider(imageVendors, {
  vendor,
  settings,
  rank: 50,
  timeoutMs: HOSTED_MS,
  uses: FINISHING,
  serves: ({ reference }, { settings }) => reference === null || settings.replicate_reference_field !== null,
  run: async (input, context) => {
    const { prompt, aspect_ratio, reference } = input
    const { replicate_model: model, replicate_reference_field: field } = context.settings
    const image = reference === null || field === null ? {} : { [field]: `data:image/jpeg;base64,${await encoded(reference, context)}` }
    const link = await predictedFile(context, {
      model,
      input: { prompt, aspect_ratio, num_outputs: 1, output_format: 'png', ...image },
      mostMs: HOSTED_MS,
      result: 'picture',
      files: [[], ['0'], ['url'], ['images', '0']],
    })
    const { file } = await context.api.download(link, PICTURE_FILE)
    return await finished(file, { input, vendor: vendor.id }, context)
  },
})
