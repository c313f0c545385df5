import { provider } from '../../../core/sdk/index.js'
import { deepgram as vendor } from '../../_vendors/deepgram.js'
import { speechVendors } from '../contract.js'
import { settings } from '../settings.js'
import { spoken } from '../sound/spoken.js'
import { REMOTE_MS } from '../times.js'
import { DEEPGRAM_VOICES, fits, isNamed } from '../voices/forms.js'

/** The name of the model is the voice. */
export const deepgram = provider(speechVendors, {
  vendor,
  settings,
  rank: 30,
  timeoutMs: REMOTE_MS,
  serves: (input, { settings: { deepgram_voice } }) =>
    isNamed(input) ? fits(vendor.id, input) : deepgram_voice !== '' || DEEPGRAM_VOICES[input.language] !== undefined,
  run: async ({ text, language, voice_model, voice_id }, ctx) => {
    const own = ctx.settings.deepgram_voice === '' ? DEEPGRAM_VOICES[language] : ctx.settings.deepgram_voice
    const model = voice_id ?? voice_model ?? own ?? null
    if (model === null) return null
    const { file } = await ctx.api.file(
      { method: 'POST', path: '/v1/speak', query: { model, encoding: 'mp3' }, json: { text } },
      { kinds: ['audio/*'] },
    )
    return await spoken(ctx, file, { voice_model: model, by: 'vendor' })
  },
})
