import type { Pixels } from './picture.js'
import { boxMean, combine, linesOf, planeOf, shrunk, within, type Plane } from './planes.js'

/** Longer side in pixels for the colour estimate, and its radius as a share of that side. */
const SIDE = 1200
const RADIUS = 0.012
const NOTHING = 1e-3

/**
 * Removes the background colour from half-transparent pixels, in place, and multiplies the picture's alpha: the
 * colours of subject and background around each pixel are weighted means, and the difference from their mixture is
 * added to the subject (Forte 2021, one step of blur fusion).
 */
export function cutOut({ data, width, height }: Pixels, alpha: Uint8Array): Pixels {
  const { subject, ground } = around({ data, width, height }, alpha)
  const lines = [...subject, ...ground].map((plane) => linesOf(plane, width, height))
  for (let y = 0; y < height; y++) {
    const colours = lines.map((line) => line(y))
    for (let x = 0, index = y * width; x < width; x++, index++) {
      const a = (alpha[index] ?? 0) / 255
      if (a > 0 && a < 1)
        for (let channel = 0; channel < 3; channel++) {
          const at = index * 4 + channel
          const [own, near] = [data[at] ?? 0, (colours[channel]?.[x] ?? 0) * 255]
          const estimate = near + a * (own - a * near - (1 - a) * (colours[channel + 3]?.[x] ?? 0) * 255)
          data[at] = Math.max(0, Math.min(255, Math.round(estimate)))
        }
      data[index * 4 + 3] = Math.round(a * (data[index * 4 + 3] ?? 0))
    }
  }
  return { data, width, height }
}

/** The colours of subject and background around each position, downscaled: planes of red, green and blue. */
function around(pixels: Pixels, alpha: Uint8Array): { subject: Plane[]; ground: Plane[] } {
  const small = within(pixels, SIDE)
  const colours = shrunk(pixels.data, pixels, small)
  const opaque = planeOf(small.width, small.height, (index) => {
    const x = Math.floor((((index % small.width) + 0.5) * pixels.width) / small.width)
    const y = Math.floor(((Math.floor(index / small.width) + 0.5) * pixels.height) / small.height)
    return (alpha[y * pixels.width + x] ?? 0) / 255
  })
  const radius = Math.max(2, Math.round(RADIUS * Math.max(small.width, small.height)))
  const share = boxMean(opaque, radius)
  const mean = (colour: Plane, weight: (value: number) => number): Plane => {
    const weighted = boxMean(
      combine([colour, opaque], (value, a) => value * weight(a)),
      radius,
    )
    const sums = combine([weighted, share], (sum, a) => (weight(a) < NOTHING ? -1 : sum / weight(a)))
    return combine([sums, colour], (found, own) => (found < 0 ? own : found))
  }
  return { subject: colours.map((colour) => mean(colour, (a) => a)), ground: colours.map((colour) => mean(colour, (a) => 1 - a)) }
}
