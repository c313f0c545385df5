/** Sample rate of all rendering; formats convert it at the end. */
export const RATE = 44_100

/** Two channels of equal length at 44,100 Hz; full scale is 1. */
export interface Stereo {
  readonly left: Float32Array
  readonly right: Float32Array
}

/** Effects of the words beside a thing. Neutral is 0, and 1 for `speed`. */
export interface Modifiers {
  /** From -1 soft to 1 loud. */
  readonly loudness: number
  /** From 0 near to 1 far away. */
  readonly distance: number
  /** From -1 light or small to 1 heavy or large. */
  readonly weight: number
  /** Factor on tempo and rates, 0.4 to 2.5. */
  readonly speed: number
  /** From 0 dry to 1 in a cave. */
  readonly echo: number
  /** From -1 low to 1 high. */
  readonly pitch: number
}

/** One sound to render: a thing in the prompt with its words, or the whole prompt. */
export interface SoundOrder {
  readonly prompt: string
  /** The words of the prompt in lower case, in order, without punctuation. */
  readonly words: readonly string[]
  /** Exact length. */
  readonly seconds: number
  /** Whether the end must continue at the start. */
  readonly loop: boolean
  /** 32 bits; the same for the same request. */
  readonly seed: number
  readonly modifiers: Modifiers
}
