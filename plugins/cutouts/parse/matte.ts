import { boxMean, combine, linesOf, planeOf, resized, shrunk, within, type Plane } from './planes.js'
import type { Pixels } from './picture.js'

/** Longer side in pixels at which a mask is fitted: more adds no detail to the model's mask. */
const FITTED_SIDE = 800
/** Radius of the fit in mask pixels, and the variance of colour (0 to 1) below which there is no edge. */
const RADIUS = 1.6
const FLAT = 4e-4

/** Values below and above which the model was certain. */
const SURE = { without: 0.02, within: 0.98 }
/** Alpha below `from` becomes 0, above `to` full: the fit leaves traces in similar colours. */
const RANGE = { from: 0.12, to: 0.88 }

/**
 * Fits a coarse mask (0 to 1) to the edges of a picture with the guided filter (He, Sun, Tang 2013, with the colours
 * as guide), computed downscaled and applied at full size (He, Sun 2015). Returns the alpha of each pixel, one byte
 * each.
 */
export function fitted(mask: Plane, pixels: Pixels): Uint8Array {
  const { width, height, data } = pixels
  const small = within(pixels, FITTED_SIDE)
  const guide = shrunk(data, pixels, small)
  const radius = Math.max(1, Math.round((RADIUS * Math.max(small.width, small.height)) / mask.width))
  const { slopes, offset } = fit(guide, resized(mask, small.width, small.height), radius)
  const [base, sure, ...parts] = [offset, mask, ...slopes].map((plane) => linesOf(plane, width, height))
  const alpha = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const [start, certain, colours] = [base?.(y), sure?.(y), parts.map((part) => part(y))]
    for (let x = 0, index = y * width; x < width; x++, index++) {
      let value = start?.[x] ?? 0
      for (let channel = 0; channel < 3; channel++) value += ((colours[channel]?.[x] ?? 0) * (data[index * 4 + channel] ?? 0)) / 255
      alpha[index] = Math.round(decided(value, certain?.[x] ?? 0) * 255)
    }
  }
  return alpha
}

function decided(value: number, coarse: number): number {
  if (coarse <= SURE.without) return 0
  if (coarse >= SURE.within) return 1
  return Math.max(0, Math.min(1, (value - RANGE.from) / (RANGE.to - RANGE.from)))
}

/** The linear model of alpha by colour around each position. */
function fit([red, green, blue]: readonly [Plane, Plane, Plane], mask: Plane, radius: number): { slopes: Plane[]; offset: Plane } {
  const mean = (plane: Plane): Plane => boxMean(plane, radius)
  const product = (one: Plane, other: Plane): Plane => combine([one, other], (a, b) => a * b)
  const [mr, mg, mb, mp] = [red, green, blue, mask].map((plane) => mean(plane).data)
  const [rr, rg, rb, gg, gb, bb] = [
    [red, red],
    [red, green],
    [red, blue],
    [green, green],
    [green, blue],
    [blue, blue],
  ].map(([one = red, other = red]) => mean(product(one, other)).data)
  const [rp, gp, bp] = [red, green, blue].map((plane) => mean(product(plane, mask)).data)
  if (!mr || !mg || !mb || !mp || !rr || !rg || !rb || !gg || !gb || !bb || !rp || !gp || !bp) throw new Error('unreachable: all are there')
  const { width, height } = mask
  const [ar, ag, ab, offset] = [0, 1, 2, 3].map(() => planeOf(width, height))
  if (!ar || !ag || !ab || !offset) throw new Error('unreachable: four planes')
  for (let at = 0; at < mask.data.length; at++) {
    const of = (data: Float32Array): number => data[at] ?? 0
    const [r, g, b, p] = [of(mr), of(mg), of(mb), of(mp)]
    // Symmetric covariance of the colours, and their covariance with the mask.
    const [xx, xy, xz] = [of(rr) - r * r + FLAT, of(rg) - r * g, of(rb) - r * b]
    const [yy, yz, zz] = [of(gg) - g * g + FLAT, of(gb) - g * b, of(bb) - b * b + FLAT]
    const [px, py, pz] = [of(rp) - r * p, of(gp) - g * p, of(bp) - b * p]
    const [ixx, ixy, ixz] = [yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy]
    const [iyy, iyz, izz] = [xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy]
    const determinant = xx * ixx + xy * ixy + xz * ixz
    const [sr, sg, sb] = [
      (ixx * px + ixy * py + ixz * pz) / determinant,
      (ixy * px + iyy * py + iyz * pz) / determinant,
      (ixz * px + iyz * py + izz * pz) / determinant,
    ]
    ar.data[at] = sr
    ag.data[at] = sg
    ab.data[at] = sb
    offset.data[at] = p - sr * r - sg * g - sb * b
  }
  return { slopes: [ar, ag, ab].map(mean), offset: mean(offset) }
}
