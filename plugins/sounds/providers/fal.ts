import { provider, Type } from '../../../core/sdk/index.js'
import { falResult } from '../../_shared/fal-queue.js'
import { fal as vendor } from '../../_vendors/fal.js'
import { textAt } from '../../_vendors/text-at.js'
import { type SoundInput, soundVendors } from '../contract.js'
import { compressed, delivered, HOSTED_MS, SOUND_FILE } from '../delivered.js'
import { asksForMusic } from '../music/vocabulary.js'
import { settings } from '../settings.js'

const Result = Type.Object({ audio: Type.Optional(Type.Unknown()), audio_file: Type.Optional(Type.Unknown()) })

export const fal = provider(soundVendors, {
  vendor,
  settings,
  rank: 20,
  timeoutMs: HOSTED_MS,
  run: async (input, context) => {
    const { fal_model, fal_music_model } = context.settings
    const model = asksForMusic(input.prompt) ? (fal_music_model ?? fal_model) : fal_model
    const result = await falResult(context, { model, input: wanted(model, input), reply: Result })
    const { file } = await context.api.download(textAt(result.audio, 'url') || textAt(result.audio_file, 'url'), SOUND_FILE)
    return await delivered(context, file, input, vendor.title)
  },
})

/** The input of a model: that of ElevenLabs' sound effects, else of Stable Audio, which takes whole seconds. */
function wanted(model: string, { prompt, seconds, prompt_influence, output_format, loop }: SoundInput) {
  if (!model.includes('sound-effects')) return { prompt, seconds_total: Math.ceil(seconds) }
  return { text: prompt, duration_seconds: seconds, prompt_influence, output_format: compressed(output_format), ...(loop ? { loop } : {}) }
}
