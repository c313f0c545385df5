import { BAND_STYLES } from './band-styles.js'
import { type Instrument, INSTRUMENTS } from './instruments.js'
import { ORCHESTRA_STYLES } from './orchestra-styles.js'
import type { Style } from './style.js'

/** Musical content of words. */
export interface Seen {
  /** The words without negated ones: "no drums", "without a bass". */
  readonly words: readonly string[]
  /** The negated words. */
  readonly refused: readonly string[]
  /** In order of the words. */
  readonly styles: readonly Style[]
  readonly instruments: readonly Instrument[]
  /** Drums are requested explicitly. */
  readonly drumming: boolean
  readonly isMusic: boolean
  /** There is a word of music that is neither a genre nor an instrument. */
  readonly isSure: boolean
}

const SURE = (
  'music, musical, song, songs, melody, melodies, melodic, tune, tunes, soundtrack, instrumental, bgm, riff, riffs, chord, ' +
  'chords, arpeggio, arpeggios, arpeggiated, chord progression, symphony, concerto, serenade, fanfare, lullaby, ' +
  'theme song, theme tune, bass line, bassline, major scale, minor scale, jam session, musical notes, anthem, sonata'
).split(', ')
/** Words beside which an ambiguous name means music. */
const COMPANY = (
  'theme, track, band, ensemble, quartet, trio, interlude, overture, jingle, composition, bpm, major, minor, solo, upbeat, ' +
  'uplifting, catchy, melancholic, romantic'
).split(', ')
const DRUMMING = (
  'drums, drumming, percussion, drum beat, drum beats, drum loop, drum groove, drum solo, drum pattern, drum machine, ' +
  'drum kit, percussion loop, drumbeat, drumbeats, drumline, drum break, bongos, congas'
).split(', ')
const BEATS = ['beat', 'beats', 'backbeat']
const NEGATIONS = ['no', 'without', 'minus', 'not']
const ARTICLES = ['a', 'an', 'any', 'the']
const STYLE_NAMES = longestFirst([...BAND_STYLES, ...ORCHESTRA_STYLES])
const INSTRUMENT_NAMES = longestFirst(INSTRUMENTS)
const WORD = /[\p{L}\p{N}]+/gu

/** Whether a prompt requests music: by a word of music, a genre or an instrument. */
export function asksForMusic(prompt: string): boolean {
  return seenIn(prompt.toLowerCase().match(WORD) ?? []).isMusic
}

/** Parses lower-case words in order, without punctuation. */
export function seenIn(all: readonly string[]): Seen {
  const taken = new Set<number>()
  for (const [index, word] of all.entries())
    if (NEGATIONS.includes(word)) taken.add(index + 1 + (ARTICLES.includes(all[index + 1] ?? '') ? 1 : 0))
  const words = all.filter((_, index) => !taken.has(index))
  const styles = namedOf(words, STYLE_NAMES)
  const instruments = namedOf(words, INSTRUMENT_NAMES)
  const isDrumming = has(words, DRUMMING) || (has(words, BEATS) && !words.includes('heart'))
  const isSure = has(words, SURE)
  const names = [...styles, ...instruments]
  const isBacked = names.length > 0 && (has(words, COMPANY) || (styles.length > 0 && instruments.some(({ role }) => role !== 'bass')))
  const isMusic = isDrumming || isSure || isBacked || names.some(({ doubtful }) => doubtful !== true)
  return { words, refused: all.filter((_, index) => taken.has(index)), styles, instruments, drumming: isDrumming, isMusic, isSure }
}

/** Whether one of the phrases occurs in the words. */
export function has(words: readonly string[], phrases: readonly string[]): boolean {
  return phrases.some((phrase) => positionOf(words, phrase.split(' ')) >= 0)
}

/** Whether only drums are requested. */
export function isDrumsAlone({ words, instruments, isSure, drumming }: Seen): boolean {
  return drumming && instruments.length === 0 && !isSure && has(words, DRUMMING)
}

interface Name<T> {
  readonly entry: T
  readonly parts: readonly string[]
}

/** The entries named by the words, in order; of overlapping names the one with more words is used. */
function namedOf<T>(words: readonly string[], names: readonly Name<T>[]): T[] {
  const free = [...words]
  const found: { entry: T; at: number }[] = []
  for (const { entry, parts } of names) {
    const at = positionOf(free, parts)
    if (at < 0) continue
    free.fill('', at, at + parts.length)
    if (!found.some((each) => each.entry === entry)) found.push({ entry, at })
  }
  return found.sort((one, other) => one.at - other.at).map(({ entry }) => entry)
}

function positionOf(words: readonly string[], [first = '', ...rest]: readonly string[]): number {
  for (let at = words.indexOf(first); at >= 0; at = words.indexOf(first, at + 1))
    if (rest.every((part, index) => words[at + 1 + index] === part)) return at
  return -1
}

function longestFirst<T extends { readonly names: readonly string[] }>(entries: readonly T[]): Name<T>[] {
  const all = entries.flatMap((entry) => entry.names.map((name) => ({ entry, parts: name.split(' ') })))
  return all.sort((one, other) => other.parts.length - one.parts.length)
}
