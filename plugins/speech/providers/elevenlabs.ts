import { provider } from '../../../core/sdk/index.js'
import { elevenlabs as vendor } from '../../_vendors/elevenlabs.js'
import { speechVendors } from '../contract.js'
import { settings } from '../settings.js'
import { spoken } from '../sound/spoken.js'
import { withoutTags } from '../text/plain.js'
import { fits } from '../voices/forms.js'
import { REMOTE_MS } from '../times.js'

/** The format available in every plan. */
const FORMAT = 'mp3_44100_128'

export const elevenlabs = provider(speechVendors, {
  vendor,
  settings,
  rank: 10,
  timeoutMs: REMOTE_MS,
  serves: (input) => fits(vendor.id, input),
  run: async ({ text, voice_model, voice_id, stability, similarity_boost }, ctx) => {
    const model = voice_model ?? ctx.settings.elevenlabs_model
    const { file } = await ctx.api.file(
      {
        method: 'POST',
        path: `/v1/text-to-speech/${encodeURIComponent(voice_id ?? ctx.settings.elevenlabs_voice)}`,
        query: { output_format: FORMAT },
        json: { text: withoutTags(text), model_id: model, voice_settings: { stability, similarity_boost } },
      },
      { kinds: ['audio/*'] },
    )
    return await spoken(ctx, file, { voice_model: model, by: 'vendor' })
  },
})
