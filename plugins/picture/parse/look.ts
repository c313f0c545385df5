import type { Look, LookInput } from '../contract.js'
import { coloursOf } from './colours.js'
import { contentTypeOf } from './content-type.js'
import { asFault, openPicture, type Opened } from './open.js'

/** Longer side of the sample for counting colours. */
const SAMPLE_SIDE = 200

/** Describes a picture. Runs in the sandbox, like `make`. */
export default async function look(
  [bytes = new Uint8Array()]: readonly Uint8Array[],
  input: LookInput,
): Promise<{ readonly result: Look }> {
  const opened = await openPicture(bytes, { page: input.page, animated: false, name: 'The file' })
  const { format, orientation, frames, hasAlpha } = opened
  const sideways = (orientation ?? 1) >= 5
  const counted = coloursOf(await sampled(opened), { most: input.colours, ignoreWhite: input.ignore_white })
  return {
    result: {
      format,
      content_type: contentTypeOf(format),
      width: sideways ? opened.height : opened.width,
      height: sideways ? opened.width : opened.height,
      orientation,
      frames,
      has_alpha: hasAlpha,
      ...counted,
    },
  }
}

/** Nearest-neighbour sampling: other methods of reducing a picture would mix in colours it does not have. */
async function sampled(opened: Opened) {
  try {
    const { data, info } = await opened
      .read()
      .autoOrient()
      .resize({
        width: SAMPLE_SIDE,
        height: SAMPLE_SIDE,
        fit: 'inside',
        withoutEnlargement: true,
        kernel: 'nearest',
        fastShrinkOnLoad: false,
      })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    return { data, width: info.width, height: info.height }
  } catch (error) {
    throw asFault(error, 'The picture cannot be read to its end.')
  }
}
