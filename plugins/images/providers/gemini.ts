import { Fault, provider, Type } from '../../../core/sdk/index.js'
import { listAt, valueAt } from '../../_shared/value-at.js'
import { gemini as vendor } from '../../_vendors/gemini.js'
import { textAt } from '../../_vendors/text-at.js'
import { imageVendors, type ImageSize } from '../contract.js'
import { finished, FINISHING, refusal } from '../finished.js'
import { countTokens, decoded, encoded, HOSTED_MS, MOST_REPLY } from '../reply.js'
import { settings } from '../settings.js'

const Reply = Type.Record(Type.String(), Type.Unknown())
/** Values of finishReason for a withheld prompt or picture; a blockReason always means that. */
const WITHHELD = new Set([
  ...['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII'],
  ...['IMAGE_SAFETY', 'IMAGE_PROHIBITED_CONTENT', 'IMAGE_RECITATION', 'NO_IMAGE'],
])

export const gemini = provider(imageVendors, {
  vendor,
  settings,
  rank: 10,
  timeoutMs: HOSTED_MS,
  uses: FINISHING,
  run: async (input, context) => {
    const { prompt, aspect_ratio: aspectRatio, image_size, reference } = input
    const { gemini_model: model } = context.settings
    const image = reference === null ? [] : [{ inlineData: { mimeType: 'image/jpeg', data: await encoded(reference, context) } }]
    const json = {
      contents: [{ role: 'user', parts: [{ text: prompt }, ...image] }],
      generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio, ...sizeFor(model, image_size) } },
    }
    const path = `/models/${model}:generateContent`
    const reply = await context.api.json({ method: 'POST', path, json, maxBytes: MOST_REPLY }, Reply)
    const used = (name: string): unknown => valueAt(reply, 'usageMetadata', name)
    countTokens(model, { input: used('promptTokenCount'), output: used('candidatesTokenCount') }, context)
    const picture = pictureIn(reply)
    if (picture === '') throw without(reply)
    return await finished(await decoded(picture, context), { input, vendor: vendor.id }, context)
  },
})

/** Models before the third generation have one size; only the newest has 512. */
function sizeFor(model: string, size: ImageSize): { readonly imageSize?: string } {
  if (model.startsWith('gemini-2')) return {}
  if (size !== '512px') return { imageSize: size }
  return { imageSize: model.startsWith('gemini-3.1') ? '512' : '1K' }
}

/** Thought parts may also contain pictures, which are not the answer. */
function pictureIn(reply: unknown): string {
  const parts = listAt(reply, 'candidates', 0, 'content', 'parts').filter((part) => valueAt(part, 'thought') !== true)
  return parts.map((part) => textAt(part, 'inlineData', 'data')).find((data) => data !== '') ?? ''
}

function without(reply: unknown): Fault {
  const blocked = textAt(reply, 'promptFeedback', 'blockReason')
  const ended = textAt(reply, 'candidates', '0', 'finishReason')
  if (blocked !== '' || WITHHELD.has(ended)) return refusal(`gemini refused the prompt (${(blocked || ended).slice(0, 50)}).`)
  return new Fault('broken', 'gemini returned no picture.', { internal: `finishReason ${ended.slice(0, 50)}` })
}
