import { distance, type Lab, type LabTables } from './lab.js'
import type { Pixels } from './picture.js'

/** The one colour of a background. */
export interface Ground {
  readonly lab: Lab
  readonly rgb: readonly [number, number, number]
  /** Distance in Lab up to which a pixel is background. */
  readonly tolerance: number
}

/** Width of the edge that is looked at, as a share of the shorter side; most pixels of it that are looked at. */
const EDGE = 0.006
const MOST_SAMPLES = 40_000
/** Distances from the colour of the edge: within the first is that colour, between both is neither that nor clearly a subject that reaches the edge. */
const SAME = 6
const OTHER = 16
/** The share of the edge that has its colour, and the most of it that is in between. */
const SHARE = 0.6
const BETWEEN = 0.05
/** The tolerance is so many deviations of the edge's colours, within bounds. */
const TOLERANCE = { deviations: 3.5, base: 2, least: 4, most: 10 }

/** The colour of the background where the edge of the picture has one, apart from a subject that reaches it; null for any other edge. */
export function groundOf(pixels: Pixels, tables: LabTables): Ground | null {
  const samples = edgeOf(pixels).map((index): Sample => {
    const [r = 0, g = 0, b = 0] = pixels.data.subarray(index * 4, index * 4 + 3)
    return { lab: tables.of(r, g, b), rgb: [r, g, b] }
  })
  const first = medianLab(samples)
  const near = samples.filter(({ lab }) => distance(lab, first) <= OTHER)
  if (near.length < samples.length * SHARE) return null
  const lab = medianLab(near)
  const far = samples.map((sample) => distance(sample.lab, lab))
  const same = samples.filter((_, at) => (far[at] ?? 0) <= SAME)
  const between = far.filter((each) => each > SAME && each <= OTHER).length
  if (same.length < samples.length * SHARE || between > samples.length * BETWEEN) return null
  const deviation = Math.sqrt(same.reduce((sum, sample) => sum + distance(sample.lab, lab) ** 2, 0) / same.length)
  const { deviations, base, least, most } = TOLERANCE
  const rgb = [0, 1, 2].map((channel) => median(same.map((sample) => sample.rgb[channel] ?? 0)))
  return { lab, rgb: [rgb[0] ?? 0, rgb[1] ?? 0, rgb[2] ?? 0], tolerance: Math.max(least, Math.min(most, base + deviations * deviation)) }
}

interface Sample {
  readonly lab: Lab
  readonly rgb: readonly [number, number, number]
}

/** Places of pixels along the edge, evenly taken. */
function edgeOf({ width, height }: Pixels): number[] {
  const thick = Math.max(1, Math.round(Math.min(width, height) * EDGE))
  const all: number[] = []
  for (let y = 0; y < height; y++) {
    const inner = y >= thick && y < height - thick
    for (let x = 0; x < width; x++) {
      if (inner && x === thick) x = Math.max(x, width - thick)
      if (x < width) all.push(y * width + x)
    }
  }
  const step = Math.max(1, Math.ceil(all.length / MOST_SAMPLES))
  return all.filter((_, at) => at % step === 0)
}

function medianLab(samples: readonly Sample[]): Lab {
  return [median(samples.map(({ lab }) => lab[0])), median(samples.map(({ lab }) => lab[1])), median(samples.map(({ lab }) => lab[2]))]
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0
}
