/** A picture of one byte a pixel, row by row. */
export interface Grey {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

/** Orientation of the lines of text. */
export interface Slant {
  /** Degrees of the downward slope to the right. */
  readonly degrees: number
  /** The lines are vertical. */
  readonly sideways: boolean
}

const MOST_DEGREES = 10
const MAX_POINTS = 40_000
/** Factor by which another orientation must score better. */
const BETTER = 1.02
const SIDEWAYS = 1.3

/**
 * The orientation of the lines of text in a picture, by the projection profile: at the right angle the upper edges of
 * letters align in rows.
 */
export function slantOf(picture: Grey): Slant {
  const level = inkLevel(picture)
  const [rows, columns] = [edges(picture, level, false), edges(picture, level, true)]
  if (Math.max(rows.length, columns.length) < 200) return { degrees: 0, sideways: false }
  const [across, along] = [bestAngle(rows, picture), bestAngle(columns, picture)]
  const sideways = along.score > across.score * SIDEWAYS
  const best = sideways ? along : across
  // An angle at the end of the range means that there are no lines.
  const believed = best.score > best.level * BETTER && Math.abs(best.degrees) < MOST_DEGREES
  const degrees = believed ? best.degrees : 0
  return { degrees: sideways ? -degrees : degrees, sideways }
}

interface Angle {
  readonly degrees: number
  /** Concentration of edges, 1 when evenly spread. */
  readonly score: number
  /** The same without rotation. */
  readonly level: number
}

/** Points as pairs of numbers: along the line, and across. */
function bestAngle(points: Float32Array, { width, height }: Grey): Angle {
  const bins = new Float64Array(2 * (width + height))
  const at = (degrees: number): number => sharpness(points, degrees, bins)
  const level = at(0)
  let best = { degrees: 0, score: level }
  const look = (from: number, to: number, step: number): void => {
    for (let degrees = from; degrees <= to; degrees += step) {
      const score = at(degrees)
      if (score > best.score) best = { degrees, score }
    }
  }
  look(-MOST_DEGREES, MOST_DEGREES, 0.5)
  look(best.degrees - 0.45, best.degrees + 0.45, 0.1)
  return { ...best, level }
}

function sharpness(points: Float32Array, degrees: number, bins: Float64Array): number {
  bins.fill(0)
  const [sine, cosine] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
  const middle = bins.length / 2
  let [low, high] = [bins.length, 0]
  for (let at = 0; at < points.length; at += 2) {
    const bin = Math.round((points[at + 1] ?? 0) * cosine - (points[at] ?? 0) * sine + middle)
    bins[bin] = (bins[bin] ?? 0) + 1
    low = Math.min(low, bin)
    high = Math.max(high, bin)
  }
  let squares = 0
  for (let bin = low; bin <= high; bin += 1) squares += (bins[bin] ?? 0) ** 2
  const count = points.length / 2
  return (squares * (high - low + 1)) / count ** 2
}

/** Positions where ink starts from above; with `sideways` from the left, in rotated coordinates. */
function edges({ data, width, height }: Grey, level: number, sideways: boolean): Float32Array {
  const found: number[] = []
  const back = sideways ? 1 : width
  for (let y = 1; y < height; y += 1)
    for (let x = 1; x < width; x += 1) {
      const at = y * width + x
      if ((data[at] ?? 255) < level && (data[at - back] ?? 0) >= level) found.push(sideways ? y : x, sideways ? x : y)
    }
  const step = Math.ceil(found.length / 2 / MAX_POINTS)
  return Float32Array.from(step <= 1 ? found : found.filter((_, at) => Math.floor(at / 2) % step === 0))
}

/** The threshold that best separates ink from paper (Otsu 1979). */
function inkLevel({ data }: Grey): number {
  const counts = new Float64Array(256)
  for (const value of data) counts[value] = (counts[value] ?? 0) + 1
  const total = counts.reduce((sum, count, value) => sum + count * value, 0)
  let [below, sum, best, level] = [0, 0, -1, 128]
  for (let value = 0; value < 256; value += 1) {
    below += counts[value] ?? 0
    sum += value * (counts[value] ?? 0)
    const above = data.length - below
    if (below === 0 || above === 0) continue
    const between = below * above * (sum / below - (total - sum) / above) ** 2
    if (between > best) [best, level] = [between, value + 1]
  }
  return level
}
