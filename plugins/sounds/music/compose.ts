import type { Modifiers, SoundOrder } from '../piece.js'
import { Chance } from './chance.js'
import { type Chord, chordOn, type Key, nearest, scaleKeys, voiced } from './harmony.js'
import {
  BASS_PATTERNS,
  type BassNote,
  CHORD_PATTERNS,
  type ChordStroke,
  DRUM_PATTERNS,
  type DrumPattern,
  DRUMS,
  RHYTHMS,
} from './patterns.js'
import type { Plan, Voice } from './plan.js'
import { type Bars, barsOf, type Note, type Part, type Score } from './score.js'

/** Channels of the roles; General MIDI drums are on the tenth, counted from 0. */
const CHANNEL = { lead: 0, accompaniment: 1, bass: 2, pad: 3, drums: 9 } as const
const CENTRE = { lead: 74, accompaniment: 62, bass: 38, pad: 64 } as const
const DRUM_KEYS: ReadonlyMap<string, number> = new Map(Object.entries(DRUMS))
const OCTAVE = 12
/** Velocity of a medium note. */
const FORCE = 84

interface Bar {
  readonly start: number
  readonly end: number
  readonly chord: Chord
  /** The last one of a piece that ends: one held chord. */
  readonly isLast: boolean
}

interface Writing {
  readonly plan: Plan
  readonly bars: readonly Bar[]
  readonly modifiers: Modifiers
  readonly chance: Chance
}

/** Composes the piece of a plan, with exactly the ordered length. */
export function composed(plan: Plan, { seconds, loop, seed, modifiers }: SoundOrder): Score {
  const { style, bpm, given, cast } = plan
  const bars = barsOf({ seconds, loop, bpm, given, beats: style.beats })
  const chance = new Chance(seed)
  const writing = { plan, bars: chordsOf(plan, bars, loop), modifiers, chance }
  const shift = OCTAVE * Math.round(modifiers.pitch)
  const notes = [
    ...(cast.accompaniment === null ? [] : accompaniment(cast.accompaniment, shift, writing)),
    ...(cast.pad === null ? [] : pad(cast.pad, writing)),
    ...(cast.bass === null ? [] : bass(cast.bass, writing)),
    ...(cast.lead === null ? [] : melody(cast.lead, shift, writing)),
    ...(cast.drums === null ? [] : drums(DRUM_PATTERNS[cast.drums], writing)),
  ]
  return { bpm: bars.bpm, parts: partsOf(plan, modifiers), notes }
}

/** Instruments by channel, with volume, pan and reverb. */
export function partsOf({ cast, style }: Plan, { echo, distance, weight }: Modifiers): Part[] {
  const reverb = Math.round(Math.min(127, 36 + echo * 80 + distance * 50))
  const heavy = Math.round(weight * 14)
  const roles: readonly (readonly [Voice | null, Omit<Part, 'program' | 'reverb'>])[] = [
    [cast.lead, { channel: CHANNEL.lead, volume: 96, pan: 70 }],
    [cast.accompaniment, { channel: CHANNEL.accompaniment, volume: cast.lead === null ? 100 : 92, pan: 50 }],
    [cast.bass, { channel: CHANNEL.bass, volume: Math.min(127, 92 + heavy), pan: 64 }],
    [cast.pad, { channel: CHANNEL.pad, volume: cast.lead === null ? 90 : 74, pan: 76 }],
  ]
  const parts = roles.flatMap(([voice, part]): Part[] => (voice === null ? [] : [{ ...part, program: voice.program, reverb }]))
  const kit = { channel: CHANNEL.drums, program: style.kit, volume: Math.min(127, 98 + heavy), pan: 64, reverb: Math.round(reverb / 2) }
  return cast.drums === null ? parts : [...parts, kit]
}

/** The bars with their chords. A piece ends with the fifth degree and the first; a loop leads back to its start. */
function chordsOf({ key, progression, style }: Plan, { starts, end }: Bars, loop: boolean): Bar[] {
  const last = starts.length - 1
  return starts.map((start, index): Bar => {
    const isLast = !loop && index === last
    const isCadence = (!loop && index === last - 1 && index > 0) || (loop && index === last && last > 0)
    const degree = isLast ? 1 : isCadence ? cadence(key) : (progression[index % progression.length] ?? 1)
    const kind = isLast && style.chords !== 'power' && style.chords !== 'dominant' ? 'triad' : style.chords
    return { start, end: starts[index + 1] ?? end, chord: chordOn(key, degree, kind), isLast }
  })
}

function cadence({ mode }: Key): number {
  return mode === 'phrygian' ? 2 : mode === 'mixolydian' || mode === 'dorian' ? 7 : 5
}

function accompaniment({ octave }: Voice, shift: number, { plan, bars, chance }: Writing): Note[] {
  const own = chance.branch('accompaniment')
  const pattern: readonly ChordStroke[] = CHORD_PATTERNS[plan.style.chordPattern]
  const held: readonly ChordStroke[] = CHORD_PATTERNS.held
  const centre = CENTRE.accompaniment + octave * OCTAVE + shift
  let before: readonly number[] = []
  return bars.flatMap((bar): Note[] => {
    const keys = voiced(bar.chord, before, centre)
    before = keys
    const strokes = bar.isLast ? held : pattern
    return within(bar, strokes).flatMap(({ at, length, keys: which }) => {
      const start = swung(at, plan.style.swing)
      const end = bar.isLast ? bar.end : Math.min(bar.end, bar.start + start + length)
      const sounding = which === 'all' ? keys : [keyAt(keys, which)]
      const velocity = struck(plan.force, at % 1 === 0 ? 0 : -8, own) - (sounding.length > 1 ? 10 : 0)
      return sounding.map((key) => ({
        channel: CHANNEL.accompaniment,
        key,
        start: bar.start + start,
        length: end - bar.start - start,
        velocity,
      }))
    })
  })
}

function pad({ octave }: Voice, { plan, bars, chance }: Writing): Note[] {
  const own = chance.branch('pad')
  let before: readonly number[] = []
  return bars.flatMap((bar): Note[] => {
    before = voiced(bar.chord, before, CENTRE.pad + octave * OCTAVE)
    const velocity = struck(plan.force, -20, own)
    return before.map((key) => ({ channel: CHANNEL.pad, key, start: bar.start, length: bar.end - bar.start, velocity }))
  })
}

function bass({ octave }: Voice, { plan, bars, chance }: Writing): Note[] {
  const own = chance.branch('bass')
  const pattern: readonly BassNote[] = BASS_PATTERNS[plan.style.bassPattern]
  const whole: readonly BassNote[] = BASS_PATTERNS.whole
  return bars.flatMap((bar, index): Note[] => {
    const [root = 0, third = root, fifth = third] = bar.chord.tones
    const low = nearest(root, CENTRE.bass + octave * OCTAVE)
    const next = nearest(bars[(index + 1) % bars.length]?.chord.root ?? root, low)
    const above = (tone: number): number => low + ((tone - root + OCTAVE) % OCTAVE)
    const keyOf = { root: low, third: above(third), fifth: above(fifth), octave: low + OCTAVE, approach: next + (next > low ? -1 : 1) }
    return within(bar, bar.isLast ? whole : pattern).map(({ at, length, tone }) => {
      const start = swung(at, plan.style.swing)
      const end = bar.isLast ? bar.end : Math.min(bar.end, bar.start + start + length)
      return {
        channel: CHANNEL.bass,
        key: keyOf[tone],
        start: bar.start + start,
        length: end - bar.start - start,
        velocity: struck(plan.force, at === 0 ? 8 : 0, own),
      }
    })
  })
}

/** A melody from a motif of four bars, A A B A, which moves along the scale with chord tones on the beats. It ends on the tonic. */
function melody({ octave }: Voice, shift: number, { plan, bars, chance }: Writing): Note[] {
  const own = chance.branch('melody')
  const centre = CENTRE.lead + octave * OCTAVE + shift
  const scale = scaleKeys(plan.key, centre - 10, centre + 12)
  const rhythms: readonly (readonly number[])[] = RHYTHMS[plan.style.beats === 3 ? 'three' : plan.style.rhythm]
  const [first, second] = [own.pick(rhythms), own.pick(rhythms)]
  let key = nearest(bars[0]?.chord.root ?? 0, centre)
  return bars.flatMap((bar, index): Note[] => {
    if (bar.isLast) {
      const tonic = nearest(plan.key.tonic, key)
      return [{ channel: CHANNEL.lead, key: tonic, start: bar.start, length: bar.end - bar.start, velocity: struck(plan.force, 8, own) }]
    }
    let at = 0
    return (index % 4 === 2 ? second : first).flatMap((beats): Note[] => {
      const [begins, length] = [at, Math.abs(beats)]
      at += length
      if (bar.start + begins > bar.end - 0.1) return []
      key = stepFrom(key, { scale, chord: begins % 1 === 0 ? bar.chord : null, centre, chance: own })
      if (beats < 0) return []
      const start = bar.start + swung(begins, plan.style.swing)
      const end = Math.min(bar.end, bar.start + swung(begins + length, plan.style.swing))
      return [{ channel: CHANNEL.lead, key, start, length: (end - start) * 0.92, velocity: struck(plan.force, begins === 0 ? 10 : 0, own) }]
    })
  })
}

interface Step {
  readonly scale: readonly number[]
  /** The next note is one of its tones; null for any of the scale. */
  readonly chord: Chord | null
  readonly centre: number
  readonly chance: Chance
}

/** The next note of a melody: one to three steps away, drawn to the middle of its range. */
function stepFrom(key: number, { scale, chord, centre, chance }: Step): number {
  const own = scale.filter((each) => chord === null || chord.tones.includes(each % OCTAVE))
  const keys = own.length === 0 ? scale : own
  return chance.weighted(
    keys.map((value) => {
      const distance = Math.abs(value - key)
      const weight = distance > 9 ? 0.01 : Math.exp(-(((distance - 2.5) / 2.5) ** 2)) * Math.exp(-(((value - centre) / 8) ** 2))
      return { value, weight: weight + 1e-6 }
    }),
  )
}

function drums(pattern: DrumPattern, { plan, bars, chance }: Writing): Note[] {
  const own = chance.branch('drums')
  const hit = (key: number, start: number, accent: number): Note => ({
    channel: CHANNEL.drums,
    key,
    start,
    length: 0.25,
    velocity: struck(plan.force, accent, own),
  })
  return bars.flatMap((bar, index): Note[] => {
    if (bar.isLast && bars.length > 1) return [hit(DRUMS.kick, bar.start, 16), hit(DRUMS.crash, bar.start, 6)]
    const isFill = bars.length >= 4 && (index % 4 === 3 || bars[index + 1]?.isLast === true)
    const fillFrom = bar.end - bar.start - 1
    const strokes = Object.entries(pattern).flatMap(([drum, line]) =>
      [...line].flatMap((letter, step): Note[] => {
        const at = step / 4
        const key = DRUM_KEYS.get(drum)
        if (letter === '.' || key === undefined || bar.start + at >= bar.end - 0.01) return []
        if (isFill && at >= fillFrom && drum !== 'kick') return []
        return [hit(key, bar.start + swung(at, plan.style.swing), letter === 'X' ? 18 : letter === 'o' ? -26 : 0)]
      }),
    )
    const fill = isFill
      ? [DRUMS.high, DRUMS.high, DRUMS.mid, DRUMS.floor].map((key, step) => hit(key, bar.start + fillFrom + step / 4, step * 4))
      : []
    return [...strokes, ...fill.filter(({ start }) => start >= bar.start)]
  })
}

/** The strokes of a pattern that start within a bar, which may be shorter than the pattern. */
function within<T extends { readonly at: number }>({ start, end }: Bar, strokes: readonly T[]): T[] {
  return strokes.filter(({ at }) => start + at < end - 0.05)
}

/** A beat with a swung second half: 1 turns two even eighths into two thirds and one third. */
function swung(beat: number, swing: number): number {
  const whole = Math.floor(beat)
  const part = beat - whole
  const late = swing / 6
  return whole + (part <= 0.5 ? part * (1 + 2 * late) : 0.5 + late + (part - 0.5) * (1 - 2 * late))
}

/** A key of a chord by index; beyond the highest they continue an octave up. */
function keyAt(keys: readonly number[], place: number): number {
  return (keys[place % keys.length] ?? 0) + OCTAVE * Math.floor(place / keys.length)
}

function struck(force: number, accent: number, chance: Chance): number {
  return Math.round(Math.max(20, Math.min(127, FORCE + force * 28 + accent + chance.between(-4, 4))))
}
