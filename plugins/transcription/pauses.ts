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
/** Levels that there are, in dB. */
const [QUIETEST, LOUDEST] = [-99, 0]

/** Whether anything can be heard in frames of 20 ms, by their levels in dB of full scale. */
export function isSilent(levels: readonly number[]): boolean {
  return levels.every((level) => level < SILENCE)
}

/**
 * Where nobody speaks for 0.3 s or more, by the levels of frames of 20 ms in whole dB of full scale. What counts as quiet follows the noise of the half minute
 * around. Takes time in proportion to the frames.
 */
export function pausesIn(levels: readonly number[]): Pause[] {
  const pauses: Pause[] = []
  const around = new Around(levels)
  let from: number | null = null
  let threshold = SILENCE
  for (let at = 0; at <= levels.length; at++) {
    if (at % STEP === 0) threshold = around.threshold(at)
    const quiet = at < levels.length && (levels[at] ?? 0) < threshold
    if (quiet) from ??= at
    if (quiet || from === null) continue
    if ((at - from) * FRAME_S >= LEAST_PAUSE_S) pauses.push({ start: seconds(from), end: seconds(at) })
    from = null
  }
  return pauses
}

/** The levels around a frame, counted by their value. */
class Around {
  readonly #levels: readonly number[]
  readonly #counts = new Uint32Array(LOUDEST - QUIETEST + 1)
  #from = 0
  #to = 0

  constructor(levels: readonly number[]) {
    this.#levels = levels
  }

  /** The level below which a frame is a pause. Frames are asked for in order. */
  threshold(at: number): number {
    for (; this.#to < Math.min(this.#levels.length, at + AROUND); this.#to++) this.#count(this.#to, 1)
    for (; this.#from < at - AROUND; this.#from++) this.#count(this.#from, -1)
    if (this.#from === this.#to) return SILENCE
    return Math.max(SILENCE, Math.min(this.#quantile(0.1) + ABOVE_FLOOR, this.#quantile(0.95) - BELOW_SPEECH))
  }

  #count(at: number, by: number): void {
    const bin = Math.min(LOUDEST, Math.max(QUIETEST, this.#levels[at] ?? QUIETEST)) - QUIETEST
    this.#counts[bin] = (this.#counts[bin] ?? 0) + by
  }

  #quantile(share: number): number {
    const wanted = Math.floor((this.#to - this.#from) * share)
    let below = 0
    return QUIETEST + this.#counts.findIndex((count) => (below += count) > wanted)
  }
}

const seconds = (frame: number): number => Math.round(frame * FRAME_S * 100) / 100
