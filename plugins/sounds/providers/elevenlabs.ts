import { type Call, provider, type Static } from '../../../core/sdk/index.js'
import { elevenlabs as vendor } from '../../_vendors/elevenlabs.js'
import { type SoundInput, soundVendors } from '../contract.js'
import { compressed, delivered, HOSTED_MS, SOUND_FILE } from '../delivered.js'
import { FORMATS } from '../formats.js'
import { asksForMusic } from '../music/vocabulary.js'
import { settings } from '../settings.js'

/** The only model with seamless loops. */
const LOOP_MODEL = 'eleven_text_to_sound_v2'
/** Minimum length of music in seconds. */
const LEAST_MUSIC = 3

/** Sound effects; music by a separate endpoint when the operator configures a model for it. */
export const elevenlabs = provider(soundVendors, {
  vendor,
  settings,
  rank: 10,
  timeoutMs: HOSTED_MS,
  run: async (input, ctx) => {
    const { file } = await ctx.api.file(request(input, ctx.settings), SOUND_FILE)
    return await delivered(ctx, file, input, vendor.title)
  },
})

function request({ prompt, seconds, prompt_influence, output_format, loop }: SoundInput, own: Static<typeof settings>): Call {
  const { kind, rate } = FORMATS[output_format]
  const isPlain = kind === 'wav' || kind === 'pcm'
  const query = { output_format: own.elevenlabs_lossless && isPlain ? `wav_${String(rate)}` : compressed(output_format) }
  const model = own.elevenlabs_music_model
  if (model !== null && !loop && seconds >= LEAST_MUSIC && asksForMusic(prompt)) {
    const json = { prompt, music_length_ms: Math.round(seconds * 1_000), model_id: model, force_instrumental: true }
    return { method: 'POST', path: '/v1/music', query, json }
  }
  const json = { text: prompt, duration_seconds: seconds, prompt_influence, ...(loop ? { loop, model_id: LOOP_MODEL } : {}) }
  return { method: 'POST', path: '/v1/sound-generation', query, json }
}
