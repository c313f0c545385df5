import { RATE } from '../wav.js'

/** Samples of a frame: 20 ms. */
const FRAME = RATE / 50
/** Frames of a window: a second. */
const WINDOW = 50
/** Level in dB of full scale below which a frame counts as silent. */
const QUIET = -60
const SILENT = -99
/** Number of voiced windows after which the search stops. */
const ENOUGH = 3

/** Pitch is detected at half the rate, in every second frame of 40 ms, between 70 and 400 Hz. */
const PITCH_RATE = RATE / 2
const PITCH_FRAME = PITCH_RATE / 25
const SHORTEST = Math.floor(PITCH_RATE / 400)
const LONGEST = Math.ceil(PITCH_RATE / 70)
/** Minimum similarity of consecutive periods for a frame with a pitch. */
const PERIODIC = 0.55
/** Pitch change of a voice between frames, and the minimum consecutive frames. */
const GLIDE = 0.004
const JUMP = 0.12
const LEAST_RUN = 3
/** Minimum level variation of a voice within a second, in dB. */
const LEAST_SWING = 6

/** Levels of a part of a recording. */
export interface Levels {
  /** Level of each 20 ms in whole dB of full scale, at least -99. */
  readonly levels: readonly number[]
  /** Number of seconds that sound like a voice, at most three, where the search stops. */
  readonly voiced: number
}

/** Measures 16-bit samples at 16,000 per second. Runs in the sandbox. */
export default function readLevels(bytes: Uint8Array): Levels {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const samples = new Float32Array(Math.floor(bytes.length / 2))
  for (let at = 0; at < samples.length; at++) samples[at] = view.getInt16(at * 2, true) / 32_768
  const levels: number[] = []
  for (let from = 0; from + FRAME <= samples.length; from += FRAME) levels.push(levelOf(samples.subarray(from, from + FRAME)))
  const voiced = voicedFrom(0, samples, levels)
  // The few vowels of a short sentence may all cross the edges of seconds.
  return { levels, voiced: voiced > 0 ? voiced : voicedFrom(WINDOW / 2, samples, levels) }
}

/** Number of seconds from a frame on that sound like a voice. */
function voicedFrom(first: number, samples: Float32Array, levels: readonly number[]): number {
  let voiced = 0
  for (let from = first; from < levels.length && voiced < ENOUGH; from += WINDOW) {
    const window = levels.slice(from, from + WINDOW)
    if (window.length < WINDOW / 2 || Math.max(...window) < QUIET) continue
    if (soundsLikeVoice(window, pitches(halved(samples.subarray(from * FRAME, (from + WINDOW + 1) * FRAME)), window))) voiced++
  }
  return voiced
}

function levelOf(frame: Float32Array): number {
  let [sum, mean] = [0, 0]
  for (const sample of frame) mean += sample
  mean /= frame.length
  for (const sample of frame) sum += (sample - mean) ** 2
  return sum === 0 ? SILENT : Math.max(SILENT, Math.round(10 * Math.log10(sum / frame.length)))
}

/** The same at half the rate. */
function halved(samples: Float32Array): Float32Array {
  const half = new Float32Array(Math.floor(samples.length / 2))
  for (let at = 0; at < half.length; at++) half[at] = ((samples[at * 2] ?? 0) + (samples[at * 2 + 1] ?? 0)) / 2
  return half
}

/** Period of every second frame of a window, in samples at half the rate; null for frames without a pitch and silent ones. */
function pitches(half: Float32Array, levels: readonly number[]): (number | null)[] {
  const loud = Math.max(QUIET, Math.max(...levels) - 25)
  const found: (number | null)[] = []
  for (let frame = 0; frame + 1 < levels.length; frame += 2) {
    const at = (frame * FRAME) / 2
    found.push((levels[frame] ?? SILENT) < loud ? null : periodOf(half.subarray(at, at + PITCH_FRAME + LONGEST + 1)))
  }
  return found
}

/** The period with the highest autocorrelation of a frame, interpolated between samples; null when there is none. */
function periodOf(samples: Float32Array): number | null {
  if (samples.length < PITCH_FRAME + LONGEST + 1) return null
  const own = energy(samples, 0, PITCH_FRAME)
  let other = energy(samples, SHORTEST - 1, PITCH_FRAME)
  /** For increasing lags, starting with one below the shortest. */
  const likeness = (lag: number): number => {
    let product = 0
    for (let at = 0; at < PITCH_FRAME; at++) product += (samples[at] ?? 0) * (samples[at + lag] ?? 0)
    const like = own <= 0 || other <= 0 ? 0 : product / Math.sqrt(own * other)
    other += (samples[lag + PITCH_FRAME] ?? 0) ** 2 - (samples[lag] ?? 0) ** 2
    return like
  }
  let best = PERIODIC
  let [before, here] = [likeness(SHORTEST - 1), likeness(SHORTEST)]
  let period: number | null = null
  for (let at = SHORTEST; at < LONGEST; at++) {
    const next = likeness(at + 1)
    // A peak at the double lag is equally high: the shorter one is used unless the other is clearly better.
    if (here > before && here >= next && here > best + (period === null ? 0 : 0.03)) {
      best = here
      const bend = before - 2 * here + next
      period = at + (bend === 0 ? 0 : (before - next) / (2 * bend))
    }
    ;[before, here] = [here, next]
  }
  return period
}

function energy(samples: Float32Array, from: number, length: number): number {
  let sum = 0
  for (let at = from; at < from + length; at++) sum += (samples[at] ?? 0) ** 2
  return sum
}

/**
 * A voice has a pitch for part of the time, which glides between frames, and its level varies with the syllables.
 * Noise has no lasting pitch, and the pitches of tones and instruments stay constant or jump.
 */
function soundsLikeVoice(levels: readonly number[], periods: readonly (number | null)[]): boolean {
  const sorted = [...levels].sort((one, other) => one - other)
  const swing = (sorted[Math.floor(sorted.length * 0.9)] ?? 0) - (sorted[Math.floor(sorted.length * 0.1)] ?? 0)
  if (swing < LEAST_SWING) return false
  let [pitched, glides] = [0, 0]
  for (const changes of steadyRuns(periods)) {
    if (changes.length < LEAST_RUN) continue
    pitched += changes.length
    glides += changes.filter((change) => change > GLIDE).length
  }
  return pitched > 0 && glides / pitched >= 0.4
}

/** Pitch changes between frames, in runs without a gap or a jump. */
function steadyRuns(periods: readonly (number | null)[]): number[][] {
  const runs: number[][] = [[]]
  periods.forEach((period, at) => {
    const before = periods[at - 1] ?? null
    const change = period === null || before === null ? Infinity : Math.abs(period - before) / before
    if (change < JUMP) runs.at(-1)?.push(change)
    else runs.push([])
  })
  return runs
}
