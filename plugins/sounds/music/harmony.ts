/** Scales of pieces. */
export type Mode = 'major' | 'minor' | 'dorian' | 'mixolydian' | 'phrygian' | 'pentatonic'

/**
 * Tones of chords: three, four, four with a minor seventh on every degree (blues), only root and fifth, or a fourth
 * instead of the third.
 */
export type ChordKind = 'triad' | 'seventh' | 'dominant' | 'power' | 'suspended'

export interface Key {
  /** Pitch class of the first degree, C is 0. */
  readonly tonic: number
  readonly mode: Mode
}

export interface Chord {
  /** Pitch class of the root. */
  readonly root: number
  /** Pitch classes, the root first. */
  readonly tones: readonly number[]
}

/** Semitones of the seven degrees above the tonic. */
const SCALES: Readonly<Record<Mode, readonly number[]>> = {
  major: [0, 2, 4, 5, 7, 9, 11],
  minor: [0, 2, 3, 5, 7, 8, 10],
  dorian: [0, 2, 3, 5, 7, 9, 10],
  mixolydian: [0, 2, 4, 5, 7, 9, 10],
  phrygian: [0, 1, 3, 5, 7, 8, 10],
  // Chords come from the major scale; melodies skip the fourth and the seventh degree.
  pentatonic: [0, 2, 4, 5, 7, 9, 11],
}
const PENTATONIC = [0, 2, 4, 7, 9]
const OCTAVE = 12

/** The chord on a degree, 1 to 7. The fifth degree of a minor key has the leading tone. */
export function chordOn({ tonic, mode }: Key, degree: number, kind: ChordKind): Chord {
  const scale = SCALES[mode]
  const at = (step: number): number => (scale[step % 7] ?? 0) + OCTAVE * Math.floor(step / 7)
  const base = at(degree - 1)
  const leads = mode === 'minor' && degree === 5
  const third = leads ? 4 : at(degree + 1) - base
  const fifth = at(degree + 3) - base
  const seventh = at(degree + 5) - base
  const above = {
    triad: [third, fifth],
    seventh: [third, fifth, seventh],
    dominant: [4, 7, 10],
    power: [7],
    suspended: [5, fifth],
  }[kind]
  const root = modulo(tonic + base)
  return { root, tones: [root, ...above.map((interval) => modulo(root + interval))] }
}

/**
 * The keys (MIDI numbers) of a chord, with tones as close as possible to the previous ones, or to `centre` without
 * any. Ascending, without duplicates.
 */
export function voiced({ tones }: Chord, before: readonly number[], centre: number): number[] {
  const middle = before.length === 0 ? centre : (mean(before) * 2 + centre) / 3
  const inversions = tones.map((_, first) => {
    const order = [...tones.slice(first), ...tones.slice(0, first)]
    const keys: number[] = []
    for (const tone of order) {
      const last = keys.at(-1)
      keys.push(last === undefined ? nearest(tone, middle - 5) : nextAbove(tone, last))
    }
    return keys
  })
  const distance = (keys: readonly number[]): number => Math.abs(mean(keys) - middle)
  return inversions.reduce((best, each) => (distance(each) < distance(best) ? each : best))
}

/** The keys of the scale from `low` to `high`, ascending. */
export function scaleKeys({ tonic, mode }: Key, low: number, high: number): number[] {
  const steps = new Set((mode === 'pentatonic' ? PENTATONIC : SCALES[mode]).map((step) => modulo(tonic + step)))
  return Array.from({ length: high - low + 1 }, (_, index) => low + index).filter((key) => steps.has(modulo(key)))
}

/** The key of a pitch class nearest to another key. */
export function nearest(tone: number, key: number): number {
  const from = Math.round(key)
  const below = from - modulo(from - tone)
  return from - below > OCTAVE / 2 ? below + OCTAVE : below
}

function nextAbove(tone: number, key: number): number {
  return key + 1 + modulo(tone - key - 1)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

function modulo(value: number): number {
  return ((value % OCTAVE) + OCTAVE) % OCTAVE
}
