/** One note. Times are in beats from the beginning of the piece. */
export interface Note {
  readonly channel: number
  /** MIDI number; on the channel of drums it names the drum. */
  readonly key: number
  readonly start: number
  readonly length: number
  /** 1 to 127. */
  readonly velocity: number
}

/** What plays on a channel. */
export interface Part {
  readonly channel: number
  /** Of General MIDI, counted from 0; on the channel of drums the number of the kit. */
  readonly program: number
  /** 0 to 127, as MIDI controllers 7 (volume), 10 (pan, 64 is the middle) and 91 (reverb) take them. */
  readonly volume: number
  readonly pan: number
  readonly reverb: number
}

/** A piece as it is to be played. */
export interface Score {
  readonly bpm: number
  readonly parts: readonly Part[]
  readonly notes: readonly Note[]
}

/** How long a piece has to be, and what may be changed to get there. */
export interface Frame {
  readonly seconds: number
  readonly loop: boolean
  /** Beats a minute that are wanted. */
  readonly bpm: number
  /** Whether the prompt gives that number itself. */
  readonly given: boolean
  /** Beats of a bar. */
  readonly beats: number
}

/** The bars of a piece. */
export interface Bars {
  readonly bpm: number
  /** The first beat of each bar. */
  readonly starts: readonly number[]
  /** Beats of the whole piece; the last bar ends there. */
  readonly end: number
}

/** A tempo may be changed by this share so that whole bars fit. */
const MOST_CHANGE = 0.12
/** Least share of a bar that the last chord needs. */
const LEAST_LAST = 0.6
const MINUTE = 60

/**
 * Divides a piece into bars. Where no tempo is given by the prompt, it is changed a little so that whole bars fit; else the last bar is shorter or
 * longer than the others. A loop always has whole beats, for which its tempo is changed as little as possible.
 */
export function barsOf({ seconds, loop, bpm, given, beats }: Frame): Bars {
  const wanted = (seconds * bpm) / MINUTE
  const whole = Math.max(1, Math.round(wanted / beats)) * beats
  const change = Math.abs(whole / wanted - 1)
  if (change < (given && !loop ? 1e-9 : given ? 0.01 : MOST_CHANGE)) return evenly((whole * MINUTE) / seconds, whole, beats)
  if (loop) {
    const fitting = Math.max(1, Math.round(wanted))
    return evenly((fitting * MINUTE) / seconds, fitting, beats)
  }
  const last = Math.max(0, Math.floor(wanted / beats - LEAST_LAST))
  return { bpm, starts: Array.from({ length: last + 1 }, (_, index) => index * beats), end: wanted }
}

function evenly(bpm: number, end: number, beats: number): Bars {
  return { bpm, starts: Array.from({ length: Math.ceil(end / beats) }, (_, index) => index * beats), end }
}
