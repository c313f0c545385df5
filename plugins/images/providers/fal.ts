import { Fault, parseUrl, poll, provider, type Static, Type } from '../../../core/sdk/index.js'
import { listAt } from '../../_shared/value-at.js'
import { fal as vendor } from '../../_vendors/fal.js'
import { imageVendors } from '../contract.js'
import { finished, FINISHING, refusal } from '../finished.js'
import { encoded, HOSTED_MS, PICTURE_FILE } from '../reply.js'
import { settings } from '../settings.js'
import { askedSize, pixelsOf } from '../sizes.js'

/** Models of fal are made for pictures of one or two million pixels; larger ones are scaled up here. */
const SIDES = { step: 8, most: 1536 }
const KEPT = { 'x-fal-object-lifecycle-preference': '{"expiration_duration_seconds":3600}' }

const State = Type.Object({ status: Type.String() })
const Queued = Type.Object({ status: Type.String(), status_url: Type.String(), response_url: Type.String(), cancel_url: Type.String() })
const Result = Type.Object({
  images: Type.Array(Type.Object({ url: Type.String() }), { minItems: 1 }),
  has_nsfw_concepts: Type.Optional(Type.Unknown()),
})

/** A job in the queue. Its addresses are those of the reply, since a model's sub-path is no part of them. */
export const fal = provider(imageVendors, {
  vendor,
  settings,
  rank: 40,
  timeoutMs: HOSTED_MS,
  uses: FINISHING,
  serves: ({ reference }, { settings }) => reference === null || settings.fal_reference_model !== null,
  run: async (input, context) => {
    const { prompt, reference } = input
    const { fal_model, fal_reference_model } = context.settings
    const image = reference === null ? {} : { image_url: `data:image/jpeg;base64,${await encoded(reference, context)}` }
    const json = { prompt, image_size: askedSize(pixelsOf(input), SIDES), num_images: 1, output_format: 'png', ...image }
    const path = `/${reference === null ? fal_model : (fal_reference_model ?? fal_model)}`
    const job = await context.api.json({ method: 'POST', path, json, headers: KEPT }, Queued)
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
    if (listAt(result, 'has_nsfw_concepts')[0] === true) throw refusal('fal withheld the picture as not safe.')
    const { file } = await context.api.download(result.images[0]?.url ?? '', PICTURE_FILE)
    return await finished(file, { input, vendor: vendor.id }, context)
  },
})

/** Below our own address of the vendor, whatever host the reply names. */
function pathOf(address: string): string {
  const url = parseUrl(address)
  if (url === null) throw new Fault('broken', 'fal named no address of the job.')
  return url.pathname
}
