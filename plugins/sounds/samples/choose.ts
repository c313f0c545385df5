import { SAMPLE_FOLDER } from '../../_vendors/samples.js'
import type { SoundOrder } from '../piece.js'
import { Random } from '../synth/random.js'
import { SAMPLES } from './catalogue.js'

export { SAMPLE_FOLDER }

/** A recorded sound. */
export interface Sample {
  /** Name of the file, without folder and extension. */
  readonly file: string
  /** A stroke; a single event; a continuous sound; a rhythm of whole bars. */
  readonly kind: 'hit' | 'event' | 'texture' | 'loop'
  readonly seconds: number
  /** Its names in prompts. */
  readonly names: readonly string[]
  /** -1 for a soft stroke, 1 for a hard one, 0 for neither. */
  readonly force: -1 | 0 | 1
}

export type SampleIndex = readonly Sample[]

/** Which recording is played, when and how. JSON. */
export interface SampleChoice {
  readonly file: string
  readonly kind: Sample['kind']
  /** Factor on speed and pitch. */
  readonly rate: number
  /** Start times in seconds; a texture and a loop start once and fill the length. */
  readonly starts: readonly number[]
  /** Factor on the amplitude, by start. */
  readonly gains: readonly number[]
}

const NUMBERS: Readonly<Record<string, number>> = {
  ...{ once: 1, single: 1, one: 1, twice: 2, two: 2, double: 2, pair: 2, thrice: 3, three: 3, triple: 3, four: 4, five: 5, six: 6 },
  ...{ seven: 7, eight: 8, nine: 9, ten: 10, twelve: 12 },
}
const MOST_PLAYS = 60
const REPEATED = [
  'repeated',
  'repeatedly',
  'repeating',
  'several',
  'multiple',
  'many',
  'continuous',
  'continuously',
  'constant',
  'steady',
  'series',
  'pattern',
]
/** Seconds between strokes, without a word of speed. */
const STROKES_APART = 0.5
/** Seconds between the end of an event and the next. */
const EVENTS_APART = 0.25
/** Semitones for the highest pitch, and for the largest weight. */
const PITCH = 7
const WEIGHT = 4

/** By sample, so that a call stems only the words of its prompt. */
const NAMES: ReadonlyMap<Sample, readonly (readonly string[])[]> = new Map(SAMPLES.map((sample) => [sample, stemsOf(sample)]))

/** The recorded sound named by the words of an order, and how it is played; null without a match. The same order gives the same choice. */
export function sampleFor(order: SoundOrder, index: SampleIndex = SAMPLES): SampleChoice | null {
  const stems = order.words.map(stemOf)
  const rated = index.flatMap((sample) => {
    const rating = Math.max(0, ...namesOf(sample).map((parts) => ratingOf(parts, stems)))
    return rating === 0 ? [] : [{ sample, rating }]
  })
  const best = Math.max(...rated.map(({ rating }) => rating))
  const random = new Random(order.seed)
  const force = order.modifiers.loudness + order.modifiers.weight / 2
  const fitting = rated.filter(({ rating }) => rating === best).map(({ sample }) => ({ sample, off: Math.abs(sample.force - force) }))
  const nearest = Math.min(...fitting.map(({ off }) => off))
  const alike = fitting.filter(({ off }) => off === nearest)
  const chosen = alike[Math.floor(random.next() * alike.length)]?.sample
  return chosen === undefined ? null : playing(chosen, order, random)
}

/** The FLAC file of a choice. */
export function pathOf({ file }: Pick<SampleChoice, 'file'>): string {
  return `${SAMPLE_FOLDER}/${file}.flac`
}

/** The stems of the words of each name. */
function namesOf(sample: Sample): readonly (readonly string[])[] {
  return NAMES.get(sample) ?? stemsOf(sample)
}

function stemsOf({ names }: Sample): string[][] {
  return names.map((name) => name.split(' ').map(stemOf))
}

/** Score of a name by the stems of its words: higher with more words; 0 when one is missing. */
function ratingOf(parts: readonly string[], stems: readonly string[]): number {
  return parts.every((part) => stems.includes(part)) ? parts.length : 0
}

function playing({ file, kind, seconds }: Sample, { words, seconds: length, loop, modifiers }: SoundOrder, random: Random): SampleChoice {
  const rate = 2 ** ((modifiers.pitch * PITCH - modifiers.weight * WEIGHT) / 12)
  if (kind === 'texture' || kind === 'loop') return { file, kind, rate, starts: [0], gains: [1] }
  const played = seconds / rate
  const usual = kind === 'hit' ? Math.max(STROKES_APART, Math.min(played, STROKES_APART * 2)) : played + EVENTS_APART
  const step = usual / modifiers.speed
  const count = playsOf(words, kind, { step, length, loop })
  const starts = Array.from({ length: count }, (_, at) => at * Math.min(step, length / count))
  const natural = kind === 'event' && count > 1 && !loop
  return {
    file,
    kind,
    rate,
    starts: starts.map((start, at) => (natural && at > 0 ? start + random.between(0, 0.1) * step : start)),
    gains: starts.map(() => (count > 1 ? random.between(0.8, 1) : 1)),
  }
}

/** Number of repetitions: as stated by a number, else one, or as many as fit when the words imply repetition. */
function playsOf(
  words: readonly string[],
  kind: Sample['kind'],
  { step, length, loop }: { readonly step: number; readonly length: number; readonly loop: boolean },
): number {
  const fitting = Math.max(1, Math.min(MOST_PLAYS, Math.floor(length / step)))
  const number = words.map(numberOf).find((value) => value !== null) ?? null
  if (number !== null) return Math.max(1, Math.min(number, MOST_PLAYS))
  const isPlural = words.some((word) => REPEATED.includes(word)) || words.some((word) => /[^su]s$/.test(word) && word.length > 3)
  if (isPlural) return fitting
  return loop && kind === 'hit' ? fitting : 1
}

function numberOf(word: string): number | null {
  if (Object.hasOwn(NUMBERS, word)) return NUMBERS[word] ?? null
  return /^[1-9]\d?$/.test(word) ? Number(word) : null
}

/** A word without endings of plurals, participles and the like, so that "slamming" is "slam". */
export function stemOf(word: string): string {
  const single = /[^su]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word
  const verb =
    single.length > 5 && single.endsWith('ing')
      ? single.slice(0, -3)
      : single.length > 4 && single.endsWith('ed')
        ? single.slice(0, -2)
        : single
  const last = verb.at(-1)
  const plain = verb !== single && verb.length > 3 && last === verb.at(-2) && last !== 'l' && last !== 's' ? verb.slice(0, -1) : verb
  return plain.length > 3 && plain.endsWith('e') ? plain.slice(0, -1) : plain
}
