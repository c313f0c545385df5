import { Fault, parseUrl, provider, Type, type Call, type ProviderContext, type SettingsOf, type Static } from '../../../core/sdk/index.js'
import { valueAt } from '../../_shared/value-at.js'
import { openaiCompatible as vendor } from '../../_vendors/openai-compatible.js'
import { imageVendors, type ImageInput } from '../contract.js'
import { finished, FINISHING } from '../finished.js'
import { countTokens, decoded, HOSTED_MS, MOST_REPLY, PICTURE_FILE } from '../reply.js'
import { settings } from '../settings.js'
import { requestSize, nearestTo, pixelsOf } from '../sizes.js'

type Settings = SettingsOf<typeof vendor> & Static<typeof settings>

const text = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const Reply = Type.Object({
  data: Type.Array(Type.Object({ b64_json: text, url: text }), { minItems: 1 }),
  usage: Type.Optional(Type.Unknown()),
})

/** OpenAI, and the operator's servers with its API, such as LocalAI. */
export const openaiCompatible = provider(imageVendors, {
  vendor,
  settings,
  rank: 20,
  timeoutMs: HOSTED_MS,
  uses: FINISHING,
  serves: ({ prompt, reference }, { settings, baseUrl }) =>
    prompt.length <= longestPrompt(settings.openai_compatible_model) && (reference === null || takesReference(settings, baseUrl)),
  run: async (input, context) => {
    const { openai_compatible_model: model } = context.settings
    const reply = await context.api.json({ ...callFor(input, context.settings), maxBytes: MOST_REPLY }, Reply)
    const used = (name: string): unknown => valueAt(reply.usage, name)
    countTokens(model, { input: used('input_tokens'), output: used('output_tokens') }, context)
    return await finished(await pictureIn(reply.data[0], context), { input, vendor: vendor.id }, context)
  },
})

function callFor(input: ImageInput, settings: Settings): Call {
  const { prompt, reference } = input
  const { openai_compatible_model: model } = settings
  // Models named gpt-image return only Base64 and refuse the field.
  const form = model.startsWith('gpt-image') ? {} : { response_format: 'b64_json' }
  const fields = { model, prompt, size: sizeFor(input, settings), ...form }
  if (reference === null) return { method: 'POST', path: '/images/generations', json: fields }
  const image = { name: 'image', filename: 'reference.jpg', contentType: 'image/jpeg', data: reference }
  return { method: 'POST', path: '/images/edits', multipart: [...Object.entries(fields).map(([name, data]) => ({ name, data })), image] }
}

function sizeFor(input: ImageInput, { openai_compatible_model: model, openai_compatible_side: most }: Settings): string {
  if (model.startsWith('dall-e-2')) return input.image_size === '512px' ? '512x512' : '1024x1024'
  if (model.startsWith('dall-e-3')) return nearestTo(input.aspect_ratio, ['1024x1024', '1792x1024', '1024x1792'])
  if (model.startsWith('gpt-image-2')) return sides(largest(input))
  if (model.startsWith('gpt-image')) return nearestTo(input.aspect_ratio, ['1024x1024', '1536x1024', '1024x1536'])
  return sides(requestSize(pixelsOf(input), { step: 8, most }))
}

/** gpt-image-2 supports multiples of 16 up to 3840 by 2160. */
function largest(input: ImageInput): { readonly width: number; readonly height: number } {
  const wanted = pixelsOf(input)
  const [longer, shorter] = [Math.max(wanted.width, wanted.height), Math.min(wanted.width, wanted.height)]
  const most = Math.floor(Math.min(3840, 2160 * (longer / shorter)) / 16) * 16
  return requestSize(wanted, { step: 16, most })
}

const sides = ({ width, height }: { readonly width: number; readonly height: number }): string => `${String(width)}x${String(height)}`

function longestPrompt(model: string): number {
  return model.startsWith('dall-e-2') ? 1_000 : model.startsWith('dall-e-3') ? 4_000 : 32_000
}

/** dall-e models cannot edit a whole picture by a new description. */
function takesReference({ openai_compatible_model: model, openai_compatible_edits: edits }: Settings, baseUrl: string): boolean {
  if (edits !== 'auto') return edits === 'on'
  return model.startsWith('gpt-image') && parseUrl(baseUrl)?.hostname === 'api.openai.com'
}

async function pictureIn(image: { b64_json?: string | null; url?: string | null } | undefined, context: ProviderContext<Settings>) {
  if (typeof image?.b64_json === 'string' && image.b64_json !== '') return await decoded(image.b64_json, context)
  if (typeof image?.url !== 'string') throw new Fault('broken', 'The model server returned no picture.')
  return (await context.api.download(image.url, PICTURE_FILE)).file
}
