import { provider } from '../../../core/sdk/index.js'
import { predictedFile } from '../../_shared/replicate-prediction.js'
import { replicate as vendor } from '../../_vendors/replicate.js'
import { soundVendors } from '../contract.js'
import { delivered, HOSTED_MS, SOUND_FILE } from '../delivered.js'
import { settings } from '../settings.js'

/** A prediction by the configured model: Replicate guarantees none to stay available. */
export const replicate = provider(soundVendors, {
  vendor,
  settings,
  rank: 30,
  timeoutMs: HOSTED_MS,
  serves: ({ loop }, { settings }) => settings.replicate_model !== null && !loop,
  run: async (input, context) => {
    const { replicate_model: model, replicate_prompt_field: words, replicate_seconds_field: length } = context.settings
    if (model === null) return null
    const link = await predictedFile(context, {
      model,
      input: { [words]: input.prompt, ...(length === null ? {} : { [length]: Math.ceil(input.seconds) }) },
      mostMs: HOSTED_MS,
      result: 'sound',
      files: [[], ['0'], ['url'], ['audio'], ['audio_out']],
    })
    const { file } = await context.api.download(link, SOUND_FILE)
    return await delivered(context, file, input, vendor.title)
  },
})
