import { flood, GROUND, INSIDE, SOFT } from './flood.js'
import { distance, LabTables } from './lab.js'
import { encoded, open, opaqueShare, pixelsOf, resultSize, type Pixels, type Wanted } from './picture.js'
import { groundOf, type Ground } from './uniform.js'

/** Minimum share of a subject, and of the background. */
const LEAST = 0.002
/** Share of transparent edge pixels from which a picture counts as already cut out. */
const CUT_ALREADY = 0.5
/**
 * Inside its soft edge a subject must differ from the background by more than this many tolerances. When more than
 * this share of the edge does not, such as a dark subject on black, the fill has leaked into the subject or stopped
 * in a shadow.
 */
const UNSURE = { tolerances: 1.25, share: 0.08 }
/** Radius in pixels for estimating the subject's own colour at the soft edge. */
const REACH = 4

/** Removes a uniform background, or keeps one that is already transparent; no result for any other picture. */
export default async ([bytes]: [Uint8Array], wanted: Wanted) => {
  const { size, picture } = await open(bytes)
  const pixels = await pixelsOf(picture(), resultSize(size, wanted))
  const cut = isCutAlready(pixels) ? pixels : withoutGround(pixels)
  const share = cut === null ? 0 : opaqueShare(cut)
  if (cut === null || share < LEAST || share > 1 - LEAST) return { result: null }
  return { result: { width: cut.width, height: cut.height }, data: await encoded(cut, wanted) }
}

function isCutAlready({ data, width, height }: Pixels): boolean {
  let [edge, transparent] = [0, 0]
  const look = (index: number): void => {
    edge++
    if ((data[index * 4 + 3] ?? 0) < 128) transparent++
  }
  for (let x = 0; x < width; x++) [x, (height - 1) * width + x].forEach(look)
  for (let y = 0; y < height; y++) [y * width, y * width + width - 1].forEach(look)
  return transparent >= edge * CUT_ALREADY
}

function withoutGround(pixels: Pixels): Pixels | null {
  const tables = new LabTables()
  const ground = groundOf(pixels, tables)
  if (ground === null) return null
  const marks = flood(pixels, ground, tables)
  if (isUnsure(pixels, marks, { ground, tables })) return null
  const data = Uint8Array.from(pixels.data)
  for (let index = 0; index < marks.length; index++) {
    const mark = marks[index] ?? INSIDE
    if (mark === GROUND) data.fill(0, index * 4, index * 4 + 4)
    else if (mark !== INSIDE) soften(pixels, data, { index, marks, ground })
  }
  return { ...pixels, data }
}

function isUnsure(
  { data }: Pixels,
  marks: Uint8Array,
  { ground, tables }: { readonly ground: Ground; readonly tables: LabTables },
): boolean {
  let [edge, unsure] = [0, 0]
  for (let index = 0; index < marks.length; index++) {
    if (marks[index] !== SOFT) continue
    edge++
    const lab = tables.of(data[index * 4] ?? 0, data[index * 4 + 1] ?? 0, data[index * 4 + 2] ?? 0)
    if (distance(lab, ground.lab) <= ground.tolerance * UNSURE.tolerances) unsure++
  }
  return unsure > edge * UNSURE.share
}

interface Place {
  readonly index: number
  readonly marks: Uint8Array
  readonly ground: Ground
}

/**
 * Sets the alpha of a pixel near the background by the position of its colour between background and subject, and its
 * colour to the subject's.
 */
function soften(pixels: Pixels, target: Uint8Array, { index, marks, ground: { rgb } }: Place): void {
  const subject = subjectNear(pixels, marks, index, rgb)
  if (subject === null) return
  const own = [0, 1, 2].map((channel) => pixels.data[index * 4 + channel] ?? 0)
  let [along, length] = [0, 0]
  for (const channel of [0, 1, 2] as const) {
    const way = (subject[channel] ?? 0) - rgb[channel]
    along += ((own[channel] ?? 0) - rgb[channel]) * way
    length += way * way
  }
  const alpha = length === 0 ? 1 : Math.max(0, Math.min(1, along / length))
  if (alpha >= 1) return
  for (const channel of [0, 1, 2] as const) {
    const clean = alpha < 0.05 ? (subject[channel] ?? 0) : ((own[channel] ?? 0) - (1 - alpha) * rgb[channel]) / alpha
    target[index * 4 + channel] = Math.max(0, Math.min(255, Math.round(clean)))
  }
  target[index * 4 + 3] = Math.round(alpha * (pixels.data[index * 4 + 3] ?? 0))
}

/** The mean colour of inside pixels nearby; without any, as in a thin line, the colour that differs most from the background. */
function subjectNear({ data, width, height }: Pixels, marks: Uint8Array, index: number, rgb: Ground['rgb']): readonly number[] | null {
  const [x, y] = [index % width, Math.floor(index / width)]
  const sum = [0, 0, 0]
  let [count, best, most] = [0, -1, -1]
  for (let row = Math.max(0, y - REACH); row <= Math.min(height - 1, y + REACH); row++)
    for (let column = Math.max(0, x - REACH); column <= Math.min(width - 1, x + REACH); column++) {
      const at = row * width + column
      const mark = marks[at] ?? GROUND
      if (mark === GROUND) continue
      const colour = [0, 1, 2].map((channel) => data[at * 4 + channel] ?? 0)
      const far = colour.reduce((total, value, channel) => total + Math.abs(value - (rgb[channel] ?? 0)), 0)
      if (far > most) [best, most] = [at, far]
      if (mark !== INSIDE && mark !== SOFT) continue
      count++
      colour.forEach((value, channel) => (sum[channel] = (sum[channel] ?? 0) + value))
    }
  if (count > 0) return sum.map((value) => value / count)
  return best === -1 ? null : [0, 1, 2].map((channel) => data[best * 4 + channel] ?? 0)
}
