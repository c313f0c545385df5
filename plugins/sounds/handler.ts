import { Fault, handle } from '../../core/sdk/index.js'
import { base64Of } from '../_shared/base64.js'
import { lengthOf, soundsGenerate, soundVendors } from './contract.js'
import { FORMATS } from './formats.js'
import { asksForLoop, asksForWords } from './prompt/intent.js'

/** 22 s of WAV take 4 MiB. */
const MOST_BYTES = 16 * 1024 * 1024

/** Refuses spoken words, calls the vendors in order, and returns the first sound. */
export const soundsHandler = handle(soundsGenerate, async ({ prompt, prompt_influence, output_format, ...lengths }, ctx) => {
  if (asksForWords(prompt))
    throw new Fault('missing', 'The prompt requests spoken words, which are not supported.', {
      final: true,
      remedy: 'POST /v1/speech/synthesize speaks a text.',
    })
  const seconds = lengthOf(lengths)
  const request = { prompt, seconds, prompt_influence, output_format, loop: asksForLoop(prompt) }
  const made = await ctx.call(soundVendors, request)
  const { kind, rate } = FORMATS[output_format]
  const bytes = await ctx.scratch.bytes(made.file, MOST_BYTES)
  if (request.loop && kind === 'mp3')
    ctx.note('Players put a short silence around MP3, which breaks a loop; pcm_44100, wav_44100 and ogg_48000 have none.')
  return {
    audio_base64: base64Of(bytes),
    format: kind,
    sample_rate: rate,
    duration_seconds: made.seconds ?? seconds,
    prompt,
  }
})
