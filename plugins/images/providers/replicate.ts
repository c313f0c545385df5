import { Fault, type JobState, poll, provider, type Static, Type } from '../../../core/sdk/index.js'
import { valueAt } from '../../_shared/value-at.js'
import { replicate as vendor } from '../../_vendors/replicate.js'
import { textAt } from '../../_vendors/text-at.js'
import { imageVendors } from '../contract.js'
import { finished, FINISHING, refusal } from '../finished.js'
import { encoded, HOSTED_MS, PICTURE_FILE } from '../reply.js'
import { settings } from '../settings.js'

/** Seconds that the first reply is held back for: most pictures are made by then. */
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

/** A prediction by a model that makes one picture of about a million pixels in the ratio asked for. */
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
    const [name = '', version] = model.split(':')
    const seconds = Math.max(LEAST_RUN_S, Math.ceil(Math.min(HOSTED_MS, context.timeLeft()) / 1_000))
    const first = await context.api.json(
      {
        method: 'POST',
        path: version === undefined ? `/models/${name}/predictions` : '/predictions',
        headers: { prefer: `wait=${String(HELD_S)}`, 'cancel-after': `${String(seconds)}s` },
        json: {
          ...(version === undefined ? {} : { version: model }),
          input: { prompt, aspect_ratio, num_outputs: 1, output_format: 'png', ...image },
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
    const { file } = await context.api.download(link, PICTURE_FILE)
    return await finished(file, { input, vendor: vendor.id }, context)
  },
})

function stateOf({ status, output, error }: Static<typeof Prediction>): JobState<string> {
  if (status === 'starting' || status === 'processing') return { state: 'running', step: 'generating' }
  const link = [textAt(output), textAt(output, '0'), textAt(output, 'url'), textAt(valueAt(output, 'images'), '0')].find(
    (each) => each !== '',
  )
  if (status === 'succeeded' && link !== undefined) return { state: 'done', result: link }
  const reason = textAt(error).slice(0, 500).toLowerCase()
  if (status === 'failed' && WITHHELD.some((word) => reason.includes(word)))
    return { state: 'failed', fault: refusal('replicate refused the prompt, or withheld the picture.') }
  return { state: 'failed', fault: new Fault('broken', 'replicate did not make the picture.', { internal: `${status}: ${reason}` }) }
}
