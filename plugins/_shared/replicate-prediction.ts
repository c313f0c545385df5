import { Fault, type JobState, poll, type ProviderContext, type Static, Type } from '../../core/sdk/index.js'
import { valueAt } from './value-at.js'

/** Seconds to wait for the result in the first reply: most results are ready by then. */
const HELD_S = 10
/** Minimum seconds after which Replicate cancels an abandoned run. */
const LEAST_RUN_S = 5
const WITHHELD = ['nsfw', 'safety', 'sensitive', 'content policy', 'flagged', 'moderation']
const Prediction = Type.Object({
  id: Type.String({ minLength: 1 }),
  status: Type.String(),
  output: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Unknown()),
})

/** A run of a model. */
interface Order {
  /** `owner/name`, or `owner/name:version`. */
  readonly model: string
  readonly input: object
  /** Milliseconds of the vendor's turn, after which the run is cancelled. */
  readonly mostMs: number
  /** What the model produces, for messages: `picture`. */
  readonly result: string
  /** Possible paths of the file in the output; the first match is used. */
  readonly files: readonly (readonly string[])[]
}

/**
 * Runs a model of Replicate as a prediction (https://replicate.com/docs/reference/http), and returns the address of
 * the generated file; the prediction is cancelled when nobody waits for it any more. Throws `invalid` for a withheld
 * result, `broken` for a failed run or one without a file.
 */
export async function predictedFile<Settings>(context: ProviderContext<Settings>, order: Order): Promise<string> {
  const { model, input, mostMs } = order
  const [name = '', version] = model.split(':')
  const seconds = Math.max(LEAST_RUN_S, Math.ceil(Math.min(mostMs, context.timeLeft()) / 1_000))
  const first = await context.api.json(
    {
      method: 'POST',
      path: version === undefined ? `/models/${name}/predictions` : '/predictions',
      headers: { prefer: `wait=${String(HELD_S)}`, 'cancel-after': `${String(seconds)}s` },
      json: { ...(version === undefined ? {} : { version: model }), input },
    },
    Prediction,
  )
  const path = `/predictions/${encodeURIComponent(first.id)}`
  return await poll<Settings, Static<typeof Prediction>, string>(context, {
    first,
    ask: (own) => own.api.json({ path }, Prediction),
    read: (state) => stateOf(state, order),
    cancel: (own) => own.api.text({ method: 'POST', path: `${path}/cancel` }),
    mostMs: 3_000,
  })
}

function stateOf({ status, output, error }: Static<typeof Prediction>, { result, files }: Order): JobState<string> {
  if (status === 'starting' || status === 'processing') return { state: 'running', step: 'generating' }
  const found = files.map((path) => valueAt(output, ...path)).find((each): each is string => typeof each === 'string' && each !== '')
  if (status === 'succeeded' && found !== undefined) return { state: 'done', result: found }
  const reason = (typeof error === 'string' ? error : '').slice(0, 500).toLowerCase()
  if (status === 'failed' && WITHHELD.some((word) => reason.includes(word)))
    return { state: 'failed', fault: new Fault('invalid', `replicate refused the prompt, or withheld the ${result}.`, { status: 200 }) }
  return { state: 'failed', fault: new Fault('broken', `replicate did not make the ${result}.`, { internal: `${status}: ${reason}` }) }
}
