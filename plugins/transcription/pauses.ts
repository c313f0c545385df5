import type { Recording } from './contract.js'

type Pause = Recording['pauses'][number]

/** Seconds of a frame. */
const FRAME_S = 0.02
const LEAST_PAUSE_S = 0.3
/** A frame is a pause when its level is less than this above the quietest, in dB, and well below the loudest. */
const ABOVE_FLOOR = 8
const BELOW_SPEECH = 20
/** Level that is always a pause. */
const SILENCE = -58
/** Frames before and after that determine the noise level, which may change in a long recording. */
const AROUND = 1_500
const STEP = 250
/** Range of levels in dB. */
const [QUIETEST, LOUDEST] = [-99, 0]

/** Whether frames of 20 ms are inaudible, by their levels in dB of full scale. */
export function isSilent(levels: readonly number[]): boolean {
  return levels.every((level) => level < SILENCE)
}

/**
 * Pauses of at least 0.3 s, by the levels of frames of 20 ms in whole dB of full scale. The threshold follows the
 * noise of the surrounding half minute. Linear time.
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

/** Histogram of the levels around a frame. */
class Around {
  readonly #levels: readonly number[]
  readonly #counts = new Uint32Array(LOUDEST - QUIETEST + 1)
  #from = 0
  #to = 0

  constructor(levels: readonly number[]) {
    this.#levels = levels
  }

  /** The level below which a frame is a pause. Must be called for ascending frames. */
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
