import { Fault, parseUrl, poll, provider, type Static, Type } from '../../../core/sdk/index.js'
import { fal as vendor } from '../../_vendors/fal.js'
import { textAt } from '../../_vendors/text-at.js'
import { type SoundInput, soundVendors } from '../contract.js'
import { compressed, delivered, HOSTED_MS, SOUND_FILE } from '../delivered.js'
import { asksForMusic } from '../music/asks.js'
import { settings } from '../settings.js'

const KEPT = { 'x-fal-object-lifecycle-preference': '{"expiration_duration_seconds":3600}' }

const State = Type.Object({ status: Type.String() })
const Queued = Type.Object({ status: Type.String(), status_url: Type.String(), response_url: Type.String(), cancel_url: Type.String() })
const Result = Type.Object({ audio: Type.Optional(Type.Unknown()), audio_file: Type.Optional(Type.Unknown()) })

/** A job in the queue. Its addresses are those of the reply, since a model's sub-path is no part of them. */
export const fal = provider(soundVendors, {
  vendor,
  settings,
  rank: 20,
  timeoutMs: HOSTED_MS,
  run: async (input, context) => {
    const { fal_model, fal_music_model } = context.settings
    const model = asksForMusic(input.prompt) ? (fal_music_model ?? fal_model) : fal_model
    const job = await context.api.json({ method: 'POST', path: `/${model}`, json: wanted(model, input), headers: KEPT }, Queued)
    await poll<Static<typeof settings>, Static<typeof State>, null>(context, {
      first: job,
      ask: (own) => own.api.json({ path: pathOf(job.status_url) }, State),
      read: ({ status }) => {
        if (status === 'COMPLETED') return { state: 'done', result: null }
        if (status === 'IN_QUEUE' || status === 'IN_PROGRESS') return { state: 'running', step: 'generating' }
        return { state: 'failed', fault: new Fault('broken', 'fal gave an unknown state of the job.') }
      },
      cancel: (own) => own.api.text({ method: 'PUT', path: pathOf(job.cancel_url) }),
      firstMs: 500,
      mostMs: 3_000,
    })
    // A run that failed is complete too: its result is the error.
    const result = await context.api.json({ path: pathOf(job.response_url) }, Result)
    const { file } = await context.api.download(textAt(result.audio, 'url') || textAt(result.audio_file, 'url'), SOUND_FILE)
    return await delivered(context, file, input, vendor.title)
  },
})

/** The input of a model: that of ElevenLabs' sound effects, else of Stable Audio, which takes whole seconds. */
function wanted(model: string, { prompt, seconds, prompt_influence, output_format, loop }: SoundInput) {
  if (!model.includes('sound-effects')) return { prompt, seconds_total: Math.ceil(seconds) }
  return { text: prompt, duration_seconds: seconds, prompt_influence, output_format: compressed(output_format), ...(loop ? { loop } : {}) }
}

/** Below our own address of the vendor, whatever host the reply names. */
function pathOf(address: string): string {
  const url = parseUrl(address)
  if (url === null) throw new Fault('broken', 'fal named no address of the job.')
  return url.pathname
}
