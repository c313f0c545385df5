import { Fault, type ProviderContext, type ScratchFile } from '../../core/sdk/index.js'
import { pictureBlank, pictureLook, pictureMake } from '../picture/contract.js'
import type { GeneratedImage, ImageInput } from './contract.js'
import { pixelsOf, type Size } from './sizes.js'

/** Ports required for any vendor's picture to be returned to a caller. */
export const FINISHING = [pictureLook, pictureMake, pictureBlank]

/** Maximum brightness bits of a uniform picture: `picture.blank` allows four neighbouring tones, which are two bits. */
const MOST_UNIFORM_BITS = 2
/** Larger pictures are returned as JPEG: as PNG they could be 50 MB. */
const MOST_PNG_PIXELS = 2048 * 2048
const QUALITY = 95

interface Source {
  readonly input: ImageInput
  /** The vendor's id. */
  readonly vendor: string
}

/**
 * A vendor's picture as returned to callers: in the requested size, cropped to the centre and scaled if it differed,
 * re-encoded in the sandbox without metadata, one frame, 8 bits, sRGB. The vendor's file is deleted. Throws an
 * `invalid` Fault of status 200 for a uniform picture, a `broken` one for a file that is not a picture or exceeds a
 * limit of `picture`.
 */
export async function finished(
  file: ScratchFile,
  { input, vendor }: Source,
  context: Pick<ProviderContext, 'call' | 'note' | 'scratch'>,
): Promise<GeneratedImage> {
  const seen = await ofVendor(vendor, context.call(pictureLook, { file, colours: 1 }))
  if (seen.entropy <= MOST_UNIFORM_BITS) {
    const { blank } = await ofVendor(vendor, context.call(pictureBlank, { file, format: 'picture' }))
    if (blank.length > 0) throw refusal(`${vendor} gave a picture of one colour, as vendors do in place of one that they withhold.`)
  }
  const wanted = pixelsOf(input)
  const same = seen.width === wanted.width && seen.height === wanted.height
  const jpeg = seen.format === 'jpeg' || wanted.width * wanted.height > MOST_PNG_PIXELS
  const made = await ofVendor(
    vendor,
    context.call(pictureMake, {
      file,
      format: jpeg ? 'jpeg' : 'png',
      quality: jpeg ? QUALITY : null,
      steps: same ? [] : [{ op: 'resize', ...wanted, fit: 'cover', enlarge: true }],
    }),
  )
  if (made.width !== wanted.width || made.height !== wanted.height)
    throw new Fault('broken', `The picture of ${vendor} could not be brought to the size asked for.`)
  await context.scratch.remove(file)
  if (!same) context.note(remark(vendor, seen, wanted))
  return { file: made.file, content_type: made.content_type }
}

/** The Fault of a vendor that refuses this prompt: other vendors may accept it, so the next one is called, and none is suspended. */
export function refusal(message: string): Fault {
  return new Fault('invalid', message, { status: 200 })
}

/** A note for the caller on how a picture of another size was adapted. */
function remark(vendor: string, made: Size, wanted: Size): string {
  const scale = Math.max(wanted.width / made.width, wanted.height / made.height)
  const isCropped = Math.round(made.width * scale) !== wanted.width || Math.round(made.height * scale) !== wanted.height
  const scaled = scale === 1 ? [] : [scale > 1 ? 'scaled up' : 'scaled down']
  const done = [...(isCropped ? ['cropped'] : []), ...scaled].join(' and ')
  return `${vendor} made ${text(made)} pixels; the picture was ${done} to ${text(wanted)}.`
}

const text = ({ width, height }: Size): string => `${String(width)} x ${String(height)}`

/** An unreadable file sent by the vendor is the vendor's fault, not the caller's. */
async function ofVendor<T>(vendor: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (!Fault.is(error) || error.kind !== 'invalid') throw error
    throw new Fault('broken', `${vendor} gave a file that cannot be read as a picture.`, { internal: error.message, cause: error })
  }
}
