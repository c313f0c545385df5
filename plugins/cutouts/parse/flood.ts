import { distance, type Lab, type LabTables } from './lab.js'
import type { Pixels } from './picture.js'
import type { Ground } from './uniform.js'

/** State of a pixel: not reached by the fill, background, or its distance to the background. */
export const INSIDE = 0
export const GROUND = 255
/** Background colour, not connected to the edges. */
const ENCLOSED = 254
/** Certainly not background; the values below count down for pixels at distance 1 to SOFT. */
const SUBJECT = 253

/** Width in pixels of the subject's soft edge. */
export const SOFT = 3

/** Minimum share of an enclosed area that is checked, and the maximum distance of its mean colour from the background. */
const HOLE = { share: 0.0003, pixels: 24, distance: 1.2 }

/**
 * An area beside the background that is no larger and differs no more from it in Lab is noise, such as JPEG artefacts
 * around a subject; except close to the subject, where it is the soft edge.
 */
const NOISE = { share: 0.0003, pixels: 128, distance: 14 }

/**
 * Fills the background from the edges of the picture and in enclosed areas, and returns the state of each pixel:
 * `GROUND`, 1 to `SOFT` from it, or `INSIDE`.
 */
export function flood(pixels: Pixels, ground: Ground, tables: LabTables): Uint8Array {
  const { width, height } = pixels
  const marks = new Uint8Array(width * height)
  const queue = new Int32Array(marks.length)
  const fill = filler(pixels, { marks, queue }, groundTest(pixels, ground, tables))
  for (let x = 0; x < width; x++) [x, (height - 1) * width + x].forEach((index) => fill(index, GROUND))
  for (let y = 0; y < height; y++) [y * width, y * width + width - 1].forEach((index) => fill(index, GROUND))
  const least = Math.max(HOLE.pixels, marks.length * HOLE.share)
  for (let index = 0; index < marks.length; index++) {
    if (marks[index] !== INSIDE) continue
    const filled = fill(index, ENCLOSED)
    const isHole = filled.length >= least && distance(meanOf(pixels, filled, tables), ground.lab) <= HOLE.distance
    if (isHole) for (const each of filled) marks[each] = GROUND
  }
  for (let index = 0; index < marks.length; index++) if (marks[index] === ENCLOSED) marks[index] = INSIDE
  clearNoise(pixels, { marks, queue, ground, tables })
  for (let ring = 1; ring <= SOFT; ring++) markBeside(marks, width, ring === 1 ? GROUND : ring - 1, ring)
  return marks
}

interface Memory {
  readonly marks: Uint8Array
  /** One entry per pixel. */
  readonly queue: Int32Array
}

/** Marks a pixel and all connected ones of the background colour; returns them in memory that the next fill reuses. */
function filler(
  { width }: Pixels,
  { marks, queue }: Memory,
  isGround: (index: number) => boolean,
): (from: number, mark: number) => Int32Array {
  return (from, mark) => {
    let [head, tail] = [0, 0]
    const reach = (index: number): void => {
      if (marks[index] !== INSIDE || !isGround(index)) return
      marks[index] = mark
      queue[tail++] = index
    }
    reach(from)
    for (; head < tail; head++) {
      const index = queue[head] ?? 0
      const x = index % width
      if (x > 0) reach(index - 1)
      if (x < width - 1) reach(index + 1)
      if (index >= width) reach(index - width)
      if (index < marks.length - width) reach(index + width)
    }
    return queue.subarray(0, tail)
  }
}

/** Turns noise beside the background into background. */
function clearNoise(
  pixels: Pixels,
  { marks, queue, ground, tables }: Memory & { readonly ground: Ground; readonly tables: LabTables },
): void {
  const { data, width } = pixels
  for (let index = 0; index < marks.length; index++) {
    const [r, g, b] = [data[index * 4] ?? 0, data[index * 4 + 1] ?? 0, data[index * 4 + 2] ?? 0]
    if (marks[index] === INSIDE && distance(tables.of(r, g, b), ground.lab) > NOISE.distance) marks[index] = SUBJECT
  }
  for (let ring = 1; ring <= SOFT; ring++) markBeside(marks, width, ring === 1 ? SUBJECT : SUBJECT - ring + 1, SUBJECT - ring)
  const fill = filler(pixels, { marks, queue }, () => true)
  const most = Math.max(NOISE.pixels, marks.length * NOISE.share)
  for (let index = 0; index < marks.length; index++) {
    if (marks[index] !== INSIDE) continue
    const joined = fill(index, ENCLOSED)
    if (joined.length <= most && joined.some((each) => isBeside(marks, width, each, GROUND)))
      for (const each of joined) marks[each] = GROUND
  }
  for (let index = 0; index < marks.length; index++) if (marks[index] !== GROUND) marks[index] = INSIDE
}

function meanOf({ data }: Pixels, places: Int32Array, tables: LabTables): Lab {
  const sum = [0, 0, 0]
  for (const index of places) {
    const lab = tables.of(data[index * 4] ?? 0, data[index * 4 + 1] ?? 0, data[index * 4 + 2] ?? 0)
    for (const part of [0, 1, 2] as const) sum[part] = (sum[part] ?? 0) + lab[part]
  }
  const [l, a, b] = sum.map((value) => value / Math.max(1, places.length))
  return [l ?? 0, a ?? 0, b ?? 0]
}

/** Marks inside pixels that are adjacent to a mark. */
function markBeside(marks: Uint8Array, width: number, before: number, mark: number): void {
  for (let index = 0; index < marks.length; index++)
    if (marks[index] === INSIDE && isBeside(marks, width, index, before)) marks[index] = mark
}

function isBeside(marks: Uint8Array, width: number, index: number, mark: number): boolean {
  const x = index % width
  return (
    (x > 0 && marks[index - 1] === mark) ||
    (x < width - 1 && marks[index + 1] === mark) ||
    marks[index - width] === mark ||
    marks[index + width] === mark
  )
}

function groundTest({ data }: Pixels, { lab, rgb, tolerance }: Ground, tables: LabTables): (index: number) => boolean {
  return (index) => {
    const [r, g, b, alpha] = [data[index * 4] ?? 0, data[index * 4 + 1] ?? 0, data[index * 4 + 2] ?? 0, data[index * 4 + 3] ?? 0]
    if (alpha === 0 || (r === rgb[0] && g === rgb[1] && b === rgb[2])) return true
    return distance(tables.of(r, g, b), lab) <= tolerance
  }
}
