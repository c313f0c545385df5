import type { ChordKind, Mode } from './harmony.js'
import type { BassName, ChordsName, DrumsName, RhythmName } from './patterns.js'

/** Properties of a genre. */
export interface Style {
  /** Names of the genre; those with more words take precedence. */
  readonly names: readonly string[]
  /** The names also have a non-musical meaning: they count only beside a word of music or an instrument. */
  readonly doubtful?: true
  /** Minimum and maximum beats per minute. */
  readonly tempo: readonly [number, number]
  readonly beats: 3 | 4
  /** From 0 for even eighths to 1 for eighths of two thirds and one third of a beat. */
  readonly swing: number
  readonly mode: Mode
  readonly chords: ChordKind
  /** Degrees of the bars, one digit each. */
  readonly progressions: readonly string[]
  /** General MIDI programs, counted from 0; null for an unused role. */
  readonly lead: number | null
  readonly accompaniment: number | null
  readonly pad: number | null
  readonly bass: number | null
  readonly drums: DrumsName | null
  /** General MIDI level 2: 0 standard, 8 room, 16 power, 24 electronic, 25 analogue, 32 jazz, 40 brushes, 48 orchestra. */
  readonly kit: number
  readonly chordPattern: ChordsName
  readonly bassPattern: BassName
  readonly rhythm: RhythmName
}

export const POP = ['1564', '1645', '6415']
const MINOR = ['1637', '1465', '1765']

/** A band of piano, strings, bass and drums, also for music without a genre. */
export const band: Style = {
  names: [],
  tempo: [96, 120],
  beats: 4,
  swing: 0,
  mode: 'major',
  chords: 'triad',
  progressions: POP,
  lead: 0,
  accompaniment: 0,
  pad: 48,
  bass: 33,
  drums: 'rock',
  kit: 0,
  chordPattern: 'quarters',
  bassPattern: 'eighths',
  rhythm: 'song',
}
/** The same without strings. */
export const group: Style = { ...band, pad: null }
/** Synthesizers over a drum machine. */
export const electronic: Style = {
  ...band,
  kit: 25,
  lead: 81,
  accompaniment: 90,
  pad: 89,
  bass: 38,
  mode: 'minor',
  progressions: MINOR,
  rhythm: 'busy',
}
/** Bowed strings, without drums. */
export const orchestra: Style = {
  ...band,
  kit: 48,
  drums: null,
  lead: 40,
  accompaniment: 48,
  pad: null,
  bass: 43,
  bassPattern: 'half',
  chordPattern: 'held',
}
