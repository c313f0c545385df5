import { Fault, handle, type HandlerContext } from '../../core/sdk/index.js'
import { pictureMake } from '../picture/contract.js'
import { cutoutVendors, removeBackground, type CutoutInput } from './contract.js'
import { LIMITS } from './limits.js'

const UPLOADED_QUALITY = 95

/** Fetches the picture once, sends it to the vendors upright and without metadata, and returns the first cutout. */
export const cutoutsHandler = handle(removeBackground, async ({ image_url, size, format }, ctx) => {
  ctx.progress('fetching', image_url)
  const picture = await pictureAt(image_url, ctx)
  ctx.progress('removing the background')
  const made = await ctx.call(cutoutVendors, { ...picture, size, format })
  if (made.file.size > LIMITS.result)
    throw new Fault('invalid', `The result has ${String(made.file.size)} bytes, more than an answer may.`, {
      loc: ['size'],
      remedy: 'Ask for size auto or preview, or for format webp.',
    })
  if (made.width * made.height < picture.width * picture.height)
    ctx.note(
      `The result has ${String(made.width)} x ${String(made.height)} pixels, the source ${String(picture.width)} x ${String(picture.height)}.`,
    )
  const bytes = Buffer.from(await ctx.scratch.bytes(made.file, LIMITS.result))
  return { image_base64: bytes.toString('base64'), format, content_type: `image/${format}` }
})

async function pictureAt(url: string, ctx: HandlerContext): Promise<Omit<CutoutInput, 'size' | 'format'>> {
  try {
    const source = await ctx.scratch.fetch(url, { maxBytes: LIMITS.source })
    const isPhotograph = (await ctx.scratch.kind(source))?.contentType === 'image/jpeg'
    // A large photograph as PNG exceeds the limit of some vendors.
    const format = isPhotograph && source.size > LIMITS.lossless ? 'jpeg' : 'png'
    const how = format === 'jpeg' ? { quality: UPLOADED_QUALITY } : {}
    const { file, width, height, pages } = await ctx.call(pictureMake, { file: source, format, ...how })
    await ctx.scratch.remove(source)
    if (pages > 1) ctx.note(`The source has ${String(pages)} pages or frames: the first is used.`)
    return { file, content_type: `image/${format}`, width, height }
  } catch (error) {
    if (!Fault.is(error) || error.kind !== 'invalid') throw error
    throw new Fault('invalid', error.message, { cause: error, loc: ['image_url'], costly: error.costly })
  }
}
