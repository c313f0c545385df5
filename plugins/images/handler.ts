import { Fault, handle, type HandlerContext, type ScratchFile, type Static } from '../../core/sdk/index.js'
import { atField } from '../_shared/at-field.js'
import { pictureMake } from '../picture/contract.js'
import { imagesGenerate, imageVendors, type GeneratedImage, type ImageInput } from './contract.js'
import { settings } from './settings.js'

const MOST_BYTES = 32 * 1024 * 1024
const MOST_REFERENCE = 20 * 1024 * 1024
/** Maximum side of a reference picture in pixels: more than image models use. */
const MOST_SIDE = 1_536
const QUALITY = 90
const FIELD = { loc: ['reference_image_url'], what: 'the picture at reference_image_url' }
/** A placeholder file, used to find the vendors that accept a reference picture. */
const SAMPLE = { id: '0'.repeat(32), size: 1 }

type Context = HandlerContext<Static<typeof settings>>

/** Fetches the reference picture once for all vendors, and calls them in order until one returns a picture. */
export const imagesHandler = handle(
  imagesGenerate,
  async ({ prompt, aspect_ratio, image_size, reference_image_url: url, skip_default_style }, ctx) => {
    const request = { prompt: skip_default_style ? prompt : styled(prompt, ctx.settings.style), aspect_ratio, image_size }
    assertServed({ ...request, reference: url === null ? null : SAMPLE }, ctx)
    if (url !== null) ctx.progress('fetching', url)
    const reference = url === null ? null : await referenceAt(url, ctx)
    ctx.progress('generating')
    const { file, content_type } = await generated({ ...request, reference }, ctx)
    const bytes = Buffer.from(await ctx.scratch.bytes(file, MOST_BYTES))
    return { b64_json: bytes.toString('base64'), content_type, prompt, aspect_ratio, image_size }
  },
  { settings },
)

/** A prompt with the house style. */
function styled(prompt: string, style: string): string {
  return style.trim() === '' ? prompt : `${prompt}\n\nStyle: ${style}`
}

/** Throws before anything is fetched when no configured vendor supports such an input. */
function assertServed(input: ImageInput, ctx: Context): void {
  const vendors = ctx.providers(imageVendors)
  if (vendors.length === 0 || vendors.some(({ serves }) => serves(input))) return
  const names = vendors.map(({ id }) => id).join(', ')
  if (input.reference !== null && vendors.some(({ serves }) => serves({ ...input, reference: null })))
    throw new Fault('missing', `No configured vendor accepts a reference picture (${names}).`, {
      unavailable: true,
      remedy: 'Leave reference_image_url out, or ask the operator for a vendor that takes one.',
    })
  throw new Fault('invalid', `prompt is longer than the vendors that are configured here take (${names}).`, { loc: ['prompt'] })
}

/** The picture. When every vendor refused the request, the error is located at the prompt. */
async function generated(input: ImageInput, ctx: Context): Promise<GeneratedImage> {
  try {
    return await ctx.call(imageVendors, input)
  } catch (error) {
    if (!Fault.is(error) || error.kind !== 'invalid' || error.status === undefined) throw error
    throw new Fault('invalid', `No vendor made a picture of this prompt: ${error.message}`, {
      loc: ['prompt'],
      remedy: 'Change the prompt, or the reference picture where there is one.',
      cause: error,
    })
  }
}

/**
 * The reference picture as sent to vendors: fetched through the guard and re-encoded in the sandbox, upright, on
 * white, without metadata. Throws an `invalid` Fault at the field for a file that is not a picture or exceeds a
 * limit, and those of `scratch.fetch`.
 */
async function referenceAt(url: string, ctx: Context): Promise<ScratchFile> {
  const file = await atField(ctx.scratch.fetch(url, { maxBytes: MOST_REFERENCE }), FIELD)
  const steps = [{ op: 'resize' as const, width: MOST_SIDE, height: MOST_SIDE, fit: 'inside' as const }]
  const made = await atField(ctx.call(pictureMake, { file, format: 'jpeg', quality: QUALITY, steps }), FIELD)
  await ctx.scratch.remove(file)
  if (made.pages > 1) ctx.note(`The reference picture has ${String(made.pages)} frames or pages; the first was used.`)
  return made.file
}
