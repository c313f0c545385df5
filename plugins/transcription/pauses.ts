import type { Recording } from './contract.js'

type Pause = Recording['pauses'][number]

/** Seconds of a frame. */
const FRAME_S = 0.02
const LEAST_PAUSE_S = 0.3
/** A frame is a pause when it is less than this above the quietest, in dB, and well below the loudest. */
const ABOVE_FLOOR = 8
const BELOW_SPEECH = 20
/** Always a pause. */
const SILENCE = -58
/** The noise around a frame is looked at so far before and behind it: it may change in a long recording. */
const AROUND = 1_500
const STEP = 250

/** Whether anything can be heard in frames of 20 ms, by their levels in dB of full scale. */
export function isSilent(levels: readonly number[]): boolean {
  return levels.every((level) => level < SILENCE)
}

/**
 * Where nobody speaks for 0.3 s or more, by the levels of frames of 20 ms in dB of full scale. What counts as quiet follows the noise of the half minute around.
 */
export function pausesIn(levels: readonly number[]): Pause[] {
  const pauses: Pause[] = []
  let from: number | null = null
  let threshold = SILENCE
  for (let at = 0; at <= levels.length; at++) {
    if (at % STEP === 0) threshold = thresholdAt(levels, at)
    const quiet = at < levels.length && (levels[at] ?? 0) < threshold
    if (quiet) from ??= at
    if (quiet || from === null) continue
    if ((at - from) * FRAME_S >= LEAST_PAUSE_S) pauses.push({ start: seconds(from), end: seconds(at) })
    from = null
  }
  return pauses
}

function thresholdAt(levels: readonly number[], at: number): number {
  const around = levels.slice(Math.max(0, at - AROUND), at + AROUND).sort((one, other) => one - other)
  const [floor = SILENCE, loud = SILENCE] = [around[Math.floor(around.length * 0.1)], around[Math.floor(around.length * 0.95)]]
  return Math.max(SILENCE, Math.min(floor + ABOVE_FLOOR, loud - BELOW_SPEECH))
}

const seconds = (frame: number): number => Math.round(frame * FRAME_S * 100) / 100
