import { boxMean, planeOf, type Plane } from './planes.js'
import type { Pixels } from './picture.js'

/** Radius of the estimate as a share of the longer side. */
const RADIUS = 0.012
const NOTHING = 1e-3

/**
 * Takes the background out of the colours of half transparent pixels and gives the picture its alpha: the subject's and the background's colour around each
 * pixel are weighted means, and what the pixel differs from their mixture is given to the subject (Forte 2021, one step of blur fusion).
 */
export function cutOut({ data, width, height }: Pixels, alpha: Plane): Pixels {
  const radius = Math.max(2, Math.round(RADIUS * Math.max(width, height)))
  const made = Uint8Array.from(data)
  const share = boxMean(alpha, radius).data
  for (const channel of [0, 1, 2]) {
    const colour = (index: number): number => data[index * 4 + channel] ?? 0
    const opaque = (index: number): number => alpha.data[index] ?? 0
    const within = boxMean(planeOf(width, height, (index) => colour(index) * opaque(index)), radius).data
    const without = boxMean(planeOf(width, height, (index) => colour(index) * (1 - opaque(index))), radius).data
    for (let index = 0; index < share.length; index++) {
      const a = opaque(index)
      if (a >= 1 || a <= 0) continue
      const weight = share[index] ?? 0
      const subject = weight < NOTHING ? colour(index) : (within[index] ?? 0) / weight
      const ground = 1 - weight < NOTHING ? colour(index) : (without[index] ?? 0) / (1 - weight)
      const estimate = subject + a * (colour(index) - a * subject - (1 - a) * ground)
      made[index * 4 + channel] = Math.max(0, Math.min(255, Math.round(estimate)))
    }
  }
  return withAlpha({ data: made, width, height }, alpha)
}

/** The picture with this alpha, times its own. */
export function withAlpha({ data, width, height }: Pixels, alpha: Plane): Pixels {
  for (let index = 0; index < alpha.data.length; index++) {
    const own = data[index * 4 + 3] ?? 0
    data[index * 4 + 3] = Math.round((alpha.data[index] ?? 0) * own)
  }
  return { data, width, height }
}
