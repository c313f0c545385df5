import { cutOut } from './foreground.js'
import { fitted } from './matte.js'
import { encoded, open, pixelsOf, resultSize, type Wanted } from './picture.js'
import { planeOf, type Plane } from './planes.js'

/** Values between which a pixel is undecided, and their maximum share among possible subject pixels. */
const UNDECIDED = { from: 51, to: 204, share: 0.45 }
/** Minimum share of a subject, and of the background. */
const LEAST = 0.003

/** Removes the background by a mask of `side` x `side` bytes; no result when the mask is undecided, empty or full. */
export default async ([bytes, mask]: [Uint8Array, Uint8Array], { side, ...wanted }: Wanted & { readonly side: number }) => {
  if (!decides(mask)) return { result: null }
  const { size, picture } = await open(bytes)
  const pixels = await pixelsOf(picture(), resultSize(size, wanted))
  const alpha = fitted(maskPlane(mask, side), pixels)
  const cut = cutOut(pixels, alpha)
  return { result: { width: cut.width, height: cut.height }, data: await encoded(cut, wanted) }
}

function maskPlane(mask: Uint8Array, side: number): Plane {
  return planeOf(side, side, (index) => (mask[index] ?? 0) / 255)
}

function decides(mask: Uint8Array): boolean {
  let [maybe, between, sum] = [0, 0, 0]
  for (const value of mask) {
    sum += value
    if (value <= UNDECIDED.from) continue
    maybe++
    if (value < UNDECIDED.to) between++
  }
  const share = sum / mask.length / 255
  return between <= maybe * UNDECIDED.share && share >= LEAST && share <= 1 - LEAST
}
