import { Fault } from '../../../core/sdk/fault.js'
import { encoded, open, opaqueShare, pixelsOf, resultSize, type Size, type Wanted } from './picture.js'

/** Minimum share of a subject, and of the background. */
const LEAST = 0.0005
/** Tolerated difference between the aspect ratios of a vendor's result and the picture, due to rounding. */
const RATIO = 0.03

/**
 * A vendor's cutout of a picture of `width` x `height` in the requested size and format; no result when all or
 * nothing of it is transparent.
 */
export default async ([bytes]: [Uint8Array], { width, height, ...wanted }: Wanted & Size) => {
  const { size, picture } = await open(bytes)
  if (Math.abs((size.width / size.height) * (height / width) - 1) > RATIO)
    throw new Fault('broken', 'The vendor cut the picture to another shape.', {
      internal: `${size.width} x ${size.height} of ${width} x ${height}`,
    })
  const pixels = await pixelsOf(picture(), resultSize(size, wanted))
  const share = opaqueShare(pixels)
  if (share < LEAST || share > 1 - LEAST) return { result: null }
  return { result: { width: pixels.width, height: pixels.height }, data: await encoded(pixels, wanted) }
}
