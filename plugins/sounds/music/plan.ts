import type { SoundOrder } from '../piece.js'
import { has, isDrumsAlone, type Seen, seenIn } from './vocabulary.js'
import { Chance } from './chance.js'
import type { Key, Mode } from './harmony.js'
import type { Instrument } from './instruments.js'
import { type Mood, MOODS, TEMPI } from './moods.js'
import type { DrumsName } from './patterns.js'
import { band, type Style } from './style.js'

/** What is played: a piece, or a single element. */
export type Figure = 'piece' | 'chord' | 'note' | 'scale' | 'arpeggio'

export interface Voice {
  /** General MIDI program, counted from 0. */
  readonly program: number
  /** Octaves relative to the role's usual range. */
  readonly octave: number
}

/** Instruments by role; null for an unused role. */
export interface Cast {
  readonly lead: Voice | null
  readonly accompaniment: Voice | null
  readonly pad: Voice | null
  readonly bass: Voice | null
  readonly drums: DrumsName | null
}

/** The music requested by a prompt. */
export interface Plan {
  readonly style: Style
  readonly key: Key
  /** Degrees, one per bar. */
  readonly progression: readonly number[]
  /** Beats per minute, and whether the prompt specifies them. */
  readonly bpm: number
  readonly given: boolean
  readonly figure: Figure
  /** MIDI number of a note requested by name. */
  readonly note: number | null
  readonly cast: Cast
  /** From -1 for soft to 1 for hard notes. */
  readonly force: number
}

const BPM = /\b(\d{2,3}) ?(?:bpm|beats per minute)\b/i
const KEY = /\b([a-g])(#|♯|♭|b|[ -]sharp|[ -]flat)?[ -]?(major|minor|maj|min)\b/i
const NOTE = /\b([a-g])(#|♯|♭|b)?([1-7])\b/i
const PITCH_CLASSES: Readonly<Record<string, number>> = { c: 0, d: 2, e: 4, f: 5, g: 7, a: 9, b: 11 }
/** Default keys of pieces: C, D, Eb, F, G, A, Bb. */
const TONICS = [0, 2, 3, 5, 7, 9, 10]
const DARK: readonly Mode[] = ['minor', 'dorian', 'phrygian']
const USUAL = {
  dark: ['1637', '1465'],
  bright: ['1564', '1454'],
}
const TEMPO_LIMITS = [40, 220] as const
const GIVEN_LIMITS = [30, 300] as const
const MIDDLE_C = 60
const NOBODY: Cast = { lead: null, accompaniment: null, pad: null, bass: null, drums: null }
const TRIBAL = ['tribal', 'war', 'jungle', 'african', 'taiko', 'bongos', 'congas', 'ritual', 'shamanic']

/** Parses the music requested by a prompt; null for none. The same order gives the same plan. */
export function planOf(order: SoundOrder): Plan | null {
  const seen = seenIn(order.words)
  if (!seen.isMusic) return null
  const style = seen.styles[0] ?? band
  const moods = MOODS.filter(({ names }) => has(seen.words, names))
  const given = { style, moods, words: seen.words, chance: new Chance(order.seed) }
  const key = keyOf(order.prompt, given)
  const cast = allowed(castOf(seen, given), seen.refused)
  const force = moods.reduce((sum, mood) => sum + (mood.force ?? 0), order.modifiers.loudness * 0.5)
  return {
    style,
    key,
    cast,
    progression: progressionOf(key.mode, given),
    ...tempoOf(order, given),
    figure: cast.lead === null && cast.accompaniment === null && cast.pad === null ? 'piece' : figureOf(seen.words),
    note: noteOf(order.prompt, seen.words),
    force: clamped(force, [-1, 1]),
  }
}

interface Given {
  readonly style: Style
  readonly moods: readonly Mood[]
  readonly words: readonly string[]
  readonly chance: Chance
}

function keyOf(prompt: string, { style, moods, words, chance }: Given): Key {
  const tonic = chance.branch('key').pick(TONICS)
  const [, letter = '', sign = '', name = ''] = KEY.exec(prompt) ?? []
  if (letter !== '') return { tonic: pitchClass(letter, sign), mode: name.toLowerCase().startsWith('maj') ? 'major' : 'minor' }
  const requested = (['major', 'minor'] as const).find((mode) => words.includes(mode))
  return { tonic, mode: requested ?? moods.find(({ mode }) => mode !== undefined)?.mode ?? style.mode }
}

/** A progression of the style; when a key or a mood changed its mode between dark and bright, a usual one for the new mode. */
function progressionOf(mode: Mode, { style, chance }: Given): readonly number[] {
  const own = chance.branch('progression')
  const isDark = DARK.includes(mode)
  const isUsual = isDark === DARK.includes(style.mode) || style.chords === 'dominant'
  return [...own.pick(isUsual ? style.progressions : USUAL[isDark ? 'dark' : 'bright'])].map(Number)
}

function tempoOf({ prompt, modifiers }: SoundOrder, { style, moods, words, chance }: Given): Pick<Plan, 'bpm' | 'given'> {
  const bpm = Number(BPM.exec(prompt)?.[1] ?? 0)
  if (bpm > 0) return { bpm: clamped(bpm, GIVEN_LIMITS), given: true }
  const named = words.map((word) => (Object.hasOwn(TEMPI, word) ? TEMPI[word] : undefined)).find((tempo) => tempo !== undefined)
  const usual = named ?? moods.reduce((tempo, mood) => tempo * (mood.tempo ?? 1), chance.branch('tempo').between(...style.tempo))
  return { bpm: clamped(usual * modifiers.speed, TEMPO_LIMITS), given: false }
}

function figureOf(words: readonly string[]): Figure {
  if (has(words, ['arpeggio', 'arpeggios', 'arpeggiated'])) return 'arpeggio'
  if (words.includes('chord') && !words.includes('progression')) return 'chord'
  if (has(words, ['scale', 'scales'])) return 'scale'
  return has(words, ['note', 'tone']) ? 'note' : 'piece'
}

function noteOf(prompt: string, words: readonly string[]): number | null {
  const [, letter = '', sign = '', octave = ''] = NOTE.exec(prompt) ?? []
  if (letter !== '') return (Number(octave) + 1) * 12 + pitchClass(letter, sign)
  if (has(words, ['middle c'])) return MIDDLE_C
  const after = words.includes('note') ? words[words.indexOf('note') + 1] : undefined
  return after !== undefined && Object.hasOwn(PITCH_CLASSES, after) ? MIDDLE_C + (PITCH_CLASSES[after] ?? 0) : null
}

/**
 * Instruments by role: with a genre its band, with named instruments in their roles; without one only the named
 * instruments, else a basic band.
 */
function castOf(seen: Seen, { style, moods, words }: Given): Cast {
  const drums = has(words, TRIBAL) ? 'tribal' : (style.drums ?? 'rock')
  if (isDrumsAlone(seen)) return { ...NOBODY, drums }
  const { instruments, drumming } = seen
  const of = (role: Instrument['role']): Instrument | undefined => instruments.find((each) => each.role === role)
  const [keys, melody] = [of('keys'), of('melody')]
  const isAlone = seen.styles.length === 0 || has(words, ['solo', 'alone', 'unaccompanied'])
  if (instruments.length > 0 && isAlone)
    return {
      lead: voice(melody ?? keys),
      accompaniment: voice(keys),
      pad: voice(of('pad')),
      bass: voice(of('bass')),
      drums: drumming ? drums : null,
    }
  const isBare = moods.some(({ bare }) => bare === true) && style.drums === 'rock'
  return {
    lead: voice(melody ?? (instruments.length === 1 ? keys : undefined)) ?? program(style.lead),
    accompaniment: voice(keys) ?? program(style.accompaniment),
    pad: voice(of('pad')) ?? program(style.pad),
    bass: voice(of('bass')) ?? (isBare && !drumming ? null : program(style.bass)),
    drums: drumming ? drums : isBare ? null : style.drums,
  }
}

/** A cast without the instruments excluded by the prompt. */
function allowed(cast: Cast, refused: readonly string[]): Cast {
  const isRefused = (names: readonly string[]): boolean => names.some((name) => refused.includes(name))
  return {
    lead: isRefused(['melody', 'lead']) ? null : cast.lead,
    accompaniment: isRefused(['chords', 'accompaniment']) ? null : cast.accompaniment,
    pad: isRefused(['strings', 'pad', 'pads']) ? null : cast.pad,
    bass: isRefused(['bass', 'bassline']) ? null : cast.bass,
    drums: isRefused(['drums', 'percussion', 'beat', 'beats', 'drumming']) ? null : cast.drums,
  }
}

function voice(instrument: Instrument | undefined): Voice | null {
  return instrument === undefined ? null : { program: instrument.program, octave: instrument.octave ?? 0 }
}

function program(number: number | null): Voice | null {
  return number === null ? null : { program: number, octave: 0 }
}

function pitchClass(letter: string, sign: string): number {
  const base = PITCH_CLASSES[letter.toLowerCase()] ?? 0
  if (/#|♯|sharp/i.test(sign)) return (base + 1) % 12
  return /♭|b|flat/i.test(sign) ? (base + 11) % 12 : base
}

function clamped(value: number, [least, most]: readonly [number, number]): number {
  return Math.max(least, Math.min(most, value))
}
