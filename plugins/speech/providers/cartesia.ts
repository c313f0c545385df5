import { Fault, provider, Type, type ProviderContext } from '../../../core/sdk/index.js'
import { cartesia as vendor } from '../../_vendors/cartesia.js'
import { speechVendors } from '../contract.js'
import { settings } from '../settings.js'
import { spoken } from '../sound/spoken.js'
import { withoutTags } from '../text/plain.js'
import { REMOTE_MS } from '../times.js'
import { CARTESIA_LANGUAGES, fits } from '../voices/forms.js'

const FORMAT = { container: 'mp3', sample_rate: 44_100, bit_rate: 128_000 }
const Listed = Type.Object({ data: Type.Array(Type.Object({ id: Type.String() })) })
const Voice = Type.Union([Type.String(), Type.Null()])
const A_DAY = 86_400

export const cartesia = provider(speechVendors, {
  vendor,
  settings,
  rank: 40,
  timeoutMs: REMOTE_MS,
  serves: (input) => fits(vendor.id, input) && (input.voice_id !== null || CARTESIA_LANGUAGES.includes(input.language)),
  run: async ({ text, language, voice_model, voice_id }, ctx) => {
    const model = voice_model ?? ctx.settings.cartesia_model
    const id = voice_id ?? (await ownVoice(language, ctx))
    const request = {
      model_id: model,
      transcript: withoutTags(text),
      voice: { mode: 'id', id },
      ...(CARTESIA_LANGUAGES.includes(language) ? { language } : {}),
      output_format: FORMAT,
    }
    const { file } = await ctx.api
      .file({ method: 'POST', path: '/tts/bytes', json: request }, { kinds: ['audio/*'] })
      .catch((error: unknown) => {
        if (!Fault.is(error) || error.status !== 404) throw error
        const loc = voice_id === null && voice_model === null ? {} : { loc: [voice_id === null ? 'voice_model' : 'voice_id'] }
        throw new Fault('invalid', 'Cartesia has no such voice or model.', { ...loc, status: 404, cause: error })
      })
    return await spoken(ctx, file, { voice_model: model, by: 'vendor' })
  },
})

/** The voice of the settings, else the first public one of the language, cached for a day. Throws `broken` without one. */
async function ownVoice(language: string, ctx: ProviderContext<{ readonly cartesia_voice: string }>): Promise<string> {
  if (ctx.settings.cartesia_voice !== '') return ctx.settings.cartesia_voice
  const found = await ctx.cache.get(['voice', language], { shape: Voice, seconds: A_DAY }, async (own) => {
    const { data } = await own.api.json({ path: '/voices', query: { limit: 1, language } }, Listed)
    return data[0]?.id ?? null
  })
  if (found === null)
    throw new Fault('broken', `Cartesia lists no voice for the language ${language}: name one in plugins.speech.cartesia_voice.`)
  return found
}
