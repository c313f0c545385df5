import { powerSpectrum, SIZE, spectrumOf } from './spectrum.js'

/** What is measured of a sound of one channel. Frequencies in Hz, levels in dB. */
export interface Features {
  /** The mean frequency by power. */
  readonly centroid: number
  /** Geometric by arithmetic mean of the power from 100 Hz to 16 kHz: 0 for tones, towards 1 for white noise. */
  readonly flatness: number
  /** The strongest frequency. */
  readonly peak: number
  /** Change of the power in each hertz with each octave, from 125 Hz to 8 kHz. */
  readonly slope: number
  /** Rises by 6 dB or more within 30 ms, 80 ms apart: in all, and a second. */
  readonly count: number
  readonly onsets: number
  /** The loudest hundredth of a second over the median one. */
  readonly crest: number
  /** Between quarters of a second that are louder and quieter than nine tenths of all. */
  readonly swing: number
  /** The first half over the last quarter. */
  readonly fades: number
  /** From half a second behind the loudest moment on, against that. */
  readonly tail: number
  /** How often a second the level comes back to itself (autocorrelation). */
  readonly beat: number
  /** The strongest frequency of a moment at its highest by that at its lowest, without the outer twentieths. */
  readonly wander: number
  /** The centroid of the first and the last quarter. */
  readonly first: number
  readonly last: number
  /** The share of the power between two frequencies. */
  readonly share: (from: number, to: number) => number
}

const FRAME = 0.01
const QUIET = 1e-12
/** The range of beats a second. */
const BEATS = { least: 0.06, most: 8 }

export function featuresOf(samples: Float32Array, rate: number): Features {
  const power = powerSpectrum(samples)
  const share = (from: number, to: number): number => band(power, rate, from, to) / Math.max(QUIET, band(power, rate, 20, rate / 2))
  const levels = levelsOf(samples, Math.round(rate * FRAME))
  const quarter = Math.floor(samples.length / 4)
  const count = onsets(levels)
  const loudest = levels.indexOf(Math.max(...levels))
  const strongest = moments(samples, rate)
  const tail = levels.slice(loudest + 50)
  return {
    centroid: centroid(power, rate),
    flatness: flatness(power, rate),
    peak: peak(power, rate),
    slope: slope(power, rate),
    count,
    onsets: (count * rate) / samples.length,
    crest: Math.max(...levels) - ranked(levels, 0.5),
    swing: swing(levelsOf(samples, Math.round(rate / 4))),
    fades: level(samples.subarray(0, 2 * quarter)) - level(samples.subarray(3 * quarter)),
    tail: tail.length === 0 ? -120 : mean(tail) - (levels[loudest] ?? 0),
    beat: beat(levels),
    wander: ranked(strongest, 0.95) / Math.max(1, ranked(strongest, 0.05)),
    first: centroid(powerSpectrum(samples.subarray(0, quarter)), rate),
    last: centroid(powerSpectrum(samples.subarray(samples.length - quarter)), rate),
    share,
  }
}

function band(power: Float64Array, rate: number, from: number, to: number): number {
  let sum = 0
  for (let bin = Math.ceil((from * SIZE) / rate); bin < power.length && (bin * rate) / SIZE < to; bin++) sum += power[bin] ?? 0
  return sum
}

function centroid(power: Float64Array, rate: number): number {
  let [sum, whole] = [0, 0]
  for (const [bin, each] of power.entries()) {
    sum += each * ((bin * rate) / SIZE)
    whole += each
  }
  return sum / Math.max(QUIET, whole)
}

function flatness(power: Float64Array, rate: number): number {
  const some = power.slice(Math.ceil((100 * SIZE) / rate), Math.ceil((16_000 * SIZE) / rate))
  const logs = some.reduce((sum, each) => sum + Math.log(each + QUIET), 0) / some.length
  return Math.exp(logs) / Math.max(QUIET, some.reduce((sum, each) => sum + each, 0) / some.length)
}

function peak(power: Float64Array, rate: number): number {
  let best = 1
  for (let bin = 2; bin < power.length - 1; bin++) if ((power[bin] ?? 0) > (power[best] ?? 0)) best = bin
  const [before, at, after] = [best - 1, best, best + 1].map((bin) => Math.log((power[bin] ?? 0) + QUIET)) as [number, number, number]
  const curve = before - 2 * at + after
  return ((best + (curve === 0 ? 0 : (0.5 * (before - after)) / curve)) * rate) / SIZE
}

function slope(power: Float64Array, rate: number): number {
  const points = Array.from({ length: 6 }, (_, octave) => {
    const [from, to] = [125 * 2 ** octave, 250 * 2 ** octave]
    return 10 * Math.log10(band(power, rate, from, to) / (to - from) + QUIET)
  })
  const middle = (points.length - 1) / 2
  const spread = points.reduce((sum, _, at) => sum + (at - middle) ** 2, 0)
  return points.reduce((sum, value, at) => sum + (at - middle) * value, 0) / spread
}

function levelsOf(samples: Float32Array, size: number): number[] {
  return Array.from({ length: Math.floor(samples.length / size) }, (_, at) => level(samples.subarray(at * size, (at + 1) * size)))
}

function level(samples: Float32Array): number {
  return 10 * Math.log10(samples.reduce((sum, each) => sum + each * each, 0) / Math.max(1, samples.length) + QUIET)
}

function onsets(levels: readonly number[]): number {
  const floor = Math.max(...levels) - 30
  let [count, last] = [0, -Infinity]
  for (let at = 0; at < levels.length; at++) {
    const before = at === 0 ? -120 : mean(levels.slice(Math.max(0, at - 3), at))
    const now = levels[at] ?? -120
    if (now > floor && now - before >= 6 && at - last >= 8) {
      count++
      last = at
    }
  }
  return count
}

function swing(levels: readonly number[]): number {
  return ranked(levels, 0.9) - ranked(levels, 0.1)
}

/** The first lag of the envelope that is nearly as good as the best one, of those behind its first fall below zero: any envelope is like itself a moment later. */
function beat(levels: readonly number[]): number {
  const linear = levels.map((each) => 10 ** (each / 20))
  const middle = mean(linear)
  const moved = linear.map((each) => each - middle)
  const least = Math.round(1 / FRAME / BEATS.most)
  const most = Math.min(Math.round(1 / FRAME / BEATS.least), Math.floor(moved.length * 0.7))
  const scores = Array.from({ length: Math.max(0, most - least) }, (_, index) => {
    const lag = least + index
    let sum = 0
    for (let at = 0; at + lag < moved.length; at++) sum += (moved[at] ?? 0) * (moved[at + lag] ?? 0)
    return sum / (moved.length - lag)
  })
  const fallen = Math.max(
    0,
    scores.findIndex((score) => score < 0),
  )
  const best = Math.max(...scores.slice(fallen))
  const found = scores.findIndex(
    (score, at) => at >= fallen && score >= 0.85 * best && score >= (scores[at - 1] ?? -Infinity) && score >= (scores[at + 1] ?? -Infinity),
  )
  return 1 / FRAME / (least + Math.max(0, found))
}

function moments(samples: Float32Array, rate: number): number[] {
  const found: number[] = []
  for (let from = 0; from + SIZE <= samples.length; from += SIZE) found.push(peak(spectrumOf(samples.subarray(from, from + SIZE)), rate))
  return found.length === 0 ? [0] : found
}

function ranked(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / Math.max(1, values.length)
}
