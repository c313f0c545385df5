import { distance, type LabTables } from './lab.js'
import type { Pixels } from './picture.js'
import type { Ground } from './uniform.js'

/** What a pixel is: not reached by the fill, background, or so many pixels from the background. */
export const INSIDE = 0
export const GROUND = 255

/** Pixels from the background up to which the subject's edge is soft. */
export const SOFT = 3

/** Fills the background from the edges of the picture and says of each pixel what it is: `GROUND`, 1 to `SOFT` from it, or `INSIDE`. */
export function flood(pixels: Pixels, ground: Ground, tables: LabTables): Uint8Array {
  const { width, height } = pixels
  const marks = new Uint8Array(width * height)
  const isGround = groundTest(pixels, ground, tables)
  const queue = new Int32Array(width * height)
  let [head, tail] = [0, 0]
  const reach = (index: number): void => {
    if (marks[index] !== INSIDE || !isGround(index)) return
    marks[index] = GROUND
    queue[tail++] = index
  }
  for (let x = 0; x < width; x++) {
    reach(x)
    reach((height - 1) * width + x)
  }
  for (let y = 0; y < height; y++) {
    reach(y * width)
    reach(y * width + width - 1)
  }
  for (; head < tail; head++) {
    const index = queue[head] ?? 0
    const x = index % width
    if (x > 0) reach(index - 1)
    if (x < width - 1) reach(index + 1)
    if (index >= width) reach(index - width)
    if (index < marks.length - width) reach(index + width)
  }
  for (let ring = 1; ring <= SOFT; ring++) markRing(marks, width, ring)
  return marks
}

/** Marks what lies beside the ring before, or beside the background. */
function markRing(marks: Uint8Array, width: number, ring: number): void {
  const before = ring === 1 ? GROUND : ring - 1
  for (let index = 0; index < marks.length; index++) {
    if (marks[index] !== INSIDE) continue
    const x = index % width
    const beside =
      (x > 0 && marks[index - 1] === before) ||
      (x < width - 1 && marks[index + 1] === before) ||
      marks[index - width] === before ||
      marks[index + width] === before
    if (beside) marks[index] = ring
  }
}

function groundTest({ data }: Pixels, { lab, rgb, tolerance }: Ground, tables: LabTables): (index: number) => boolean {
  return (index) => {
    const [r, g, b, alpha] = [data[index * 4] ?? 0, data[index * 4 + 1] ?? 0, data[index * 4 + 2] ?? 0, data[index * 4 + 3] ?? 0]
    if (alpha === 0 || (r === rgb[0] && g === rgb[1] && b === rgb[2])) return true
    return distance(tables.of(r, g, b), lab) <= tolerance
  }
}
