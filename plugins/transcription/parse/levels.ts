import { RATE } from '../wav.js'

/** Samples of a frame: 20 ms. */
const FRAME = RATE / 50
/** Frames of a window: a second. */
const WINDOW = 50
/** Below it a frame is taken for silent, in dB of full scale. */
const QUIET = -60
const SILENT = -99
/** Windows with a voice that are enough. */
const ENOUGH = 3

/** Pitch is looked for at half the rate, in every second frame of 40 ms, between 70 and 400 Hz. */
const PITCH_RATE = RATE / 2
const PITCH_FRAME = PITCH_RATE / 25
const SHORTEST = Math.floor(PITCH_RATE / 400)
const LONGEST = Math.ceil(PITCH_RATE / 70)
/** Likeness of a period to the next above which a frame has a pitch. */
const PERIODIC = 0.55
/** How the pitch of a voice changes from one frame to the next, and in how many one after the other at least. */
const GLIDE = 0.004
const JUMP = 0.12
const LEAST_RUN = 3
/** How far the level of a voice goes up and down within a second, in dB. */
const LEAST_SWING = 6

/** What a part of a recording sounds like. */
export interface Levels {
  /** Level of each 20 ms in whole dB of full scale, at least -99. */
  readonly levels: readonly number[]
  /** How many seconds sound like a voice, at most three: looking for them ends there. */
  readonly voiced: number
}

/** Measures samples of 16 bits at 16,000 a second. Runs in the sandbox. */
export default function readLevels(bytes: Uint8Array): Levels {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const samples = new Float32Array(Math.floor(bytes.length / 2))
  for (let at = 0; at < samples.length; at++) samples[at] = view.getInt16(at * 2, true) / 32_768
  const levels: number[] = []
  for (let from = 0; from + FRAME <= samples.length; from += FRAME) levels.push(levelOf(samples.subarray(from, from + FRAME)))
  const voiced = voicedFrom(0, samples, levels)
  // The few vowels of a short sentence may all lie across the edges of seconds.
  return { levels, voiced: voiced > 0 ? voiced : voicedFrom(WINDOW / 2, samples, levels) }
}

/** How many seconds from a frame on sound like a voice. */
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

/** Period of every second frame of a window, in samples at half the rate; null for frames without a pitch and quiet ones. */
function pitches(half: Float32Array, levels: readonly number[]): (number | null)[] {
  const loud = Math.max(QUIET, Math.max(...levels) - 25)
  const found: (number | null)[] = []
  for (let frame = 0; frame + 1 < levels.length; frame += 2) {
    const at = (frame * FRAME) / 2
    found.push((levels[frame] ?? SILENT) < loud ? null : periodOf(half.subarray(at, at + PITCH_FRAME + LONGEST + 1)))
  }
  return found
}

/** The period of the best likeness of a frame to itself, refined between samples; null when there is none. */
function periodOf(samples: Float32Array): number | null {
  if (samples.length < PITCH_FRAME + LONGEST + 1) return null
  const own = energy(samples, 0, PITCH_FRAME)
  let other = energy(samples, SHORTEST - 1, PITCH_FRAME)
  /** For one lag after the other, beginning with one below the shortest. */
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
    // A peak twice as far is as high: the nearer one counts unless the other is clearly better.
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
 * A voice has a pitch for a part of the time, which glides from frame to frame, and its level goes up and down with the syllables. Noise has no pitch for long,
 * and the pitches of tones and instruments stay or jump.
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

/** Changes of the pitch from frame to frame, in runs without a gap or a jump. */
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
