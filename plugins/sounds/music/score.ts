/** One note. Times are in beats from the start of the piece. */
export interface Note {
  readonly channel: number
  /** MIDI number; on the drum channel it is the drum. */
  readonly key: number
  readonly start: number
  readonly length: number
  /** 1 to 127. */
  readonly velocity: number
}

/** Instrument of a channel. */
export interface Part {
  readonly channel: number
  /** General MIDI program, counted from 0; on the drum channel the kit. */
  readonly program: number
  /** 0 to 127, as MIDI controllers 7 (volume), 10 (pan, 64 is the centre) and 91 (reverb). */
  readonly volume: number
  readonly pan: number
  readonly reverb: number
}

/** A piece to be played. */
export interface Score {
  readonly bpm: number
  readonly parts: readonly Part[]
  readonly notes: readonly Note[]
}

/** Required length of a piece, and what may be adjusted for it. */
export interface Frame {
  readonly seconds: number
  readonly loop: boolean
  /** Wanted beats per minute. */
  readonly bpm: number
  /** Whether the prompt specifies that number. */
  readonly given: boolean
  /** Beats per bar. */
  readonly beats: number
}

/** The bars of a piece. */
export interface Bars {
  readonly bpm: number
  /** The first beat of each bar. */
  readonly starts: readonly number[]
  /** Beats of the whole piece, the end of the last bar. */
  readonly end: number
}

/** Maximum share by which a tempo is adjusted to fit whole bars. */
const MOST_CHANGE = 0.12
/** Minimum share of a bar for the last chord. */
const LEAST_LAST = 0.6
const MINUTE = 60

/**
 * Divides a piece into bars. Unless the prompt specifies a tempo, it is adjusted slightly to fit whole bars;
 * otherwise the last bar is shorter or longer. A loop always has whole beats, with the smallest possible change of
 * tempo.
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
