import { distance, type Lab, type LabTables } from './lab.js'
import type { Pixels } from './picture.js'

/** The uniform colour of a background. */
export interface Ground {
  readonly lab: Lab
  readonly rgb: readonly [number, number, number]
  /** Maximum Lab distance of a background pixel. */
  readonly tolerance: number
}

/** Width of the sampled edge as a share of the shorter side; maximum sampled pixels. */
const EDGE = 0.006
const MOST_SAMPLES = 40_000
/** Distances from the edge colour: below the first it is that colour, between both it is neither that nor clearly a subject at the edge. */
const SAME = 6
const OTHER = 16
/** Minimum share of the edge with its colour, and maximum share in between. */
const SHARE = 0.6
const BETWEEN = 0.05
/** The tolerance in deviations of the edge colours, within bounds. */
const TOLERANCE = { deviations: 3.5, base: 2, least: 4, most: 10 }

/** The uniform background colour of the picture's edge, apart from a subject that reaches it; null for any other edge. */
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

/** Evenly spaced pixel positions along the edge. */
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
