import { Fault, parseUrl, poll, type ProviderContext, type Static, type TSchema, Type } from '../../core/sdk/index.js'

/** Seconds for which fal keeps the files of a job. */
const KEPT_S = 3_600
const State = Type.Object({ status: Type.String() })
const Queued = Type.Object({ status: Type.String(), status_url: Type.String(), response_url: Type.String(), cancel_url: Type.String() })

/**
 * Runs a model of fal by its queue (https://fal.ai/docs/model-endpoints/queue): submits the input, waits for
 * completion, and returns the result; the job is cancelled when nobody waits for it any more. The addresses of the
 * reply are used, since they leave out a model's sub-path. A failed run is also complete: its result is the error,
 * which is thrown as a Fault. Throws `broken` for an unknown state.
 */
export async function falResult<Settings, Reply extends TSchema>(
  context: ProviderContext<Settings>,
  { model, input, reply }: { readonly model: string; readonly input: object; readonly reply: Reply },
): Promise<Static<Reply>> {
  const headers = { 'x-fal-object-lifecycle-preference': JSON.stringify({ expiration_duration_seconds: KEPT_S }) }
  const job = await context.api.json({ method: 'POST', path: `/${model}`, json: input, headers }, Queued)
  await poll<Settings, Static<typeof State>, null>(context, {
    first: job,
    ask: (own) => own.api.json({ path: pathOf(job.status_url) }, State),
    read: ({ status }) => {
      if (status === 'COMPLETED') return { state: 'done', result: null }
      if (status === 'IN_QUEUE' || status === 'IN_PROGRESS') return { state: 'running', step: 'generating' }
      return { state: 'failed', fault: new Fault('broken', 'fal returned an unknown state of the job.') }
    },
    cancel: (own) => own.api.text({ method: 'PUT', path: pathOf(job.cancel_url) }),
    firstMs: 500,
    mostMs: 3_000,
  })
  return await context.api.json({ path: pathOf(job.response_url) }, reply)
}

/** The path relative to the vendor's configured address, whatever host the reply names. */
function pathOf(address: string): string {
  const url = parseUrl(address)
  if (url === null) throw new Fault('broken', 'fal named no address of the job.')
  return url.pathname
}
