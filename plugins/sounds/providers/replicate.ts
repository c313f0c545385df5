import { Fault, type JobState, poll, provider, type Static, Type } from '../../../core/sdk/index.js'
import { valueAt } from '../../_shared/value-at.js'
import { replicate as vendor } from '../../_vendors/replicate.js'
import { textAt } from '../../_vendors/text-at.js'
import { soundVendors } from '../contract.js'
import { delivered, HOSTED_MS, SOUND_FILE } from '../delivered.js'
import { settings } from '../settings.js'

/** Seconds that the first reply is held back for. */
const HELD_S = 10
/** Replicate stops a run that nobody waits for. */
const LEAST_RUN_S = 5
const WITHHELD = ['nsfw', 'safety', 'sensitive', 'content policy', 'flagged', 'moderation']
const Prediction = Type.Object({
  id: Type.String({ minLength: 1 }),
  status: Type.String(),
  output: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Unknown()),
})

/** A prediction by the model that the operator names; replicate has none that it is sure to keep. */
export const replicate = provider(soundVendors, {
  vendor,
  settings,
  rank: 30,
  timeoutMs: HOSTED_MS,
  serves: ({ loop }, { settings }) => settings.replicate_model !== null && !loop,
  run: async (input, context) => {
    const { replicate_model: model, replicate_prompt_field: words, replicate_seconds_field: length } = context.settings
    if (model === null) return null
    const [name = '', version] = model.split(':')
    const limit = Math.max(LEAST_RUN_S, Math.ceil(Math.min(HOSTED_MS, context.timeLeft()) / 1_000))
    const first = await context.api.json(
      {
        method: 'POST',
        path: version === undefined ? `/models/${name}/predictions` : '/predictions',
        headers: { prefer: `wait=${String(HELD_S)}`, 'cancel-after': `${String(limit)}s` },
        json: {
          ...(version === undefined ? {} : { version: model }),
          input: { [words]: input.prompt, ...(length === null ? {} : { [length]: Math.ceil(input.seconds) }) },
        },
      },
      Prediction,
    )
    const path = `/predictions/${encodeURIComponent(first.id)}`
    const link = await poll<Static<typeof settings>, Static<typeof Prediction>, string>(context, {
      first,
      ask: (own) => own.api.json({ path }, Prediction),
      read: stateOf,
      cancel: (own) => own.api.text({ method: 'POST', path: `${path}/cancel` }),
      mostMs: 3_000,
    })
    const { file } = await context.api.download(link, SOUND_FILE)
    return await delivered(context, file, input, vendor.title)
  },
})

function stateOf({ status, output, error }: Static<typeof Prediction>): JobState<string> {
  if (status === 'starting' || status === 'processing') return { state: 'running', step: 'generating' }
  const places = [output, valueAt(output, '0'), valueAt(output, 'url'), valueAt(output, 'audio'), valueAt(output, 'audio_out')]
  const link = places.map((each) => textAt(each)).find((each) => each !== '')
  if (status === 'succeeded' && link !== undefined) return { state: 'done', result: link }
  const reason = textAt(error).slice(0, 500).toLowerCase()
  if (status === 'failed' && WITHHELD.some((word) => reason.includes(word)))
    return { state: 'failed', fault: new Fault('invalid', 'replicate refused the prompt, or withheld the sound.', { status: 200 }) }
  return { state: 'failed', fault: new Fault('broken', 'replicate did not make the sound.', { internal: `${status}: ${reason}` }) }
}
