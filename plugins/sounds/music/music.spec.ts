import { expect } from 'chai'
import { existsSync, readFileSync } from 'node:fs'
import { BasicSoundBank } from 'spessasynth_core'
import { skip } from '../../../test/support/needs.js'
import { SOUND_FONT } from '../../_vendors/music.js'
import { RATE, type SoundOrder, type Stereo } from '../piece.js'
import { asksForMusic } from './vocabulary.js'
import { BAND_STYLES } from './band-styles.js'
import { composed } from './compose.js'
import { ORCHESTRA_STYLES } from './orchestra-styles.js'
import { planOf } from './plan.js'
import { renderMusic } from './render.js'
import { barsOf, type Note } from './score.js'

/** A sound font with one wave for every instrument. */
const ONE_WAVE = new Uint8Array(BasicSoundBank.getSampleSoundBankFile())
const MODIFIERS = { loudness: 0, distance: 0, weight: 0, speed: 1, echo: 0, pitch: 0 }

const order = (prompt: string, more: Partial<SoundOrder> = {}): SoundOrder => ({
  prompt,
  words: prompt.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [],
  seconds: 6,
  loop: false,
  seed: 7,
  modifiers: MODIFIERS,
  ...more,
})
const plan = (prompt: string, more?: Partial<SoundOrder>) => {
  const made = planOf(order(prompt, more))
  if (made === null) throw new Error(`no music in ${prompt}`)
  return made
}
const score = (prompt: string, more?: Partial<SoundOrder>) => composed(plan(prompt, more), order(prompt, more))
const rendered = async (prompt: string, more?: Partial<SoundOrder>, font = ONE_WAVE): Promise<Stereo> => {
  const made = await renderMusic(order(prompt, more), font)
  if (made === null) throw new Error(`no music in ${prompt}`)
  return made
}

/** Strength of a frequency (Goertzel) in a part of a channel, over the second after `from`. */
function strength(samples: Float32Array, hertz: number, from = 0.2): number {
  const [first, count] = [Math.round(from * RATE), RATE]
  const factor = 2 * Math.cos((2 * Math.PI * hertz) / RATE)
  let [one, two] = [0, 0]
  for (let at = 0; at < count; at++) [one, two] = [(samples[first + at] ?? 0) + factor * one - two, one]
  return Math.sqrt(Math.max(0, one * one + two * two - factor * one * two)) / count
}
const hertz = (key: number): number => 440 * 2 ** ((key - 69) / 12)
const peak = (samples: Float32Array): number => samples.reduce((most, each) => Math.max(most, Math.abs(each)), 0)

/** Beats per minute of a piece: the best autocorrelation of its onsets. */
function tempoIn({ left }: Stereo, least: number, most: number): number {
  const hop = 441
  const levels = Array.from({ length: Math.floor(left.length / hop) }, (_, at) =>
    Math.log(1e-4 + left.subarray(at * hop, at * hop + hop).reduce((sum, each) => sum + each * each, 0)),
  )
  const rises = levels.map((level, at) => Math.max(0, level - (levels[at - 1] ?? level)))
  const alike = (lag: number): number => rises.reduce((sum, rise, at) => sum + rise * (rises[at + lag] ?? 0), 0)
  const tempi = Array.from({ length: most - least + 1 }, (_, index) => least + index)
  return tempi.reduce((best, bpm) => (alike(Math.round(6_000 / bpm)) > alike(Math.round(6_000 / best)) ? bpm : best))
}

describe('music of sounds.generate', () => {
  it('is asked for by words of music, genres and instruments', () => {
    for (const prompt of [
      'slow piano music',
      'a jazz trio',
      'lo-fi hip hop beat',
      'church organ',
      'upbeat 8-bit theme',
      'war drums',
      'dark ambient pad',
      'epic trailer theme',
    ])
      expect(asksForMusic(prompt), prompt).to.equal(true)
  })

  it('is not asked for by words that mean something else without company', () => {
    for (const prompt of [
      'a haunted house',
      'rock falling down a cliff',
      'metal door slam',
      'heart beat',
      'ambient forest at night',
      'epic explosion',
      'car horn',
      'drum roll',
      'rain without music',
      'train whistle',
    ])
      expect(asksForMusic(prompt), prompt).to.equal(false)
  })

  it('is null for a prompt that asks for none', async () => {
    expect(await renderMusic(order('rain on a tin roof'), ONE_WAVE)).to.equal(null)
  })

  it('takes tempo, key and instruments from the words', () => {
    expect(plan('techno at 133 bpm')).to.include({ bpm: 133, given: true })
    expect(plan('piano in F# minor').key).to.deep.equal({ tonic: 6, mode: 'minor' })
    expect(plan('song in B flat major').key).to.deep.equal({ tonic: 10, mode: 'major' })
    expect(plan('sad violin and piano').cast).to.deep.include({
      lead: { program: 40, octave: 0 },
      accompaniment: { program: 0, octave: 0 },
      bass: null,
      drums: null,
    })
    expect(plan('jazz with a muted trumpet').cast).to.deep.include({
      lead: { program: 59, octave: 0 },
      bass: { program: 32, octave: 0 },
      drums: 'swing',
    })
    expect(plan('pop song without drums').cast.drums).to.equal(null)
    expect(plan('tribal war drums').cast).to.deep.equal({ lead: null, accompaniment: null, pad: null, bass: null, drums: 'tribal' })
    expect(plan('slow adagio for strings').bpm).to.equal(66)
  })

  it('turns moods into modes and tempi', () => {
    expect(plan('sad piano music').key.mode).to.equal('minor')
    expect(plan('happy ukulele tune').key.mode).to.equal('major')
    const [calm, fast] = [
      plan('calm music', { modifiers: { ...MODIFIERS, speed: 0.6 } }),
      plan('energetic music', { modifiers: { ...MODIFIERS, speed: 1.6 } }),
    ]
    expect(fast.bpm).to.be.greaterThan(calm.bpm * 2)
  })

  it('fits whole bars into every length', () => {
    for (const seconds of [0.5, 1, 2.3, 5, 7.77, 13, 22])
      for (const bpm of [60, 97, 140, 174])
        for (const loop of [false, true]) {
          const bars = barsOf({ seconds, loop, bpm, given: false, beats: 4 })
          expect((bars.end * 60) / bars.bpm).to.be.closeTo(seconds, 1e-9)
          expect(bars.bpm / bpm, `${String(seconds)} s at ${String(bpm)}`).to.be.within(
            loop && seconds < 1.5 ? 0.6 : 0.75,
            loop && seconds < 1.5 ? 2.01 : 1.34,
          )
          if (loop) expect(bars.end % 1).to.equal(0)
        }
    expect(barsOf({ seconds: 7, loop: false, bpm: 120, given: true, beats: 4 })).to.deep.equal({ bpm: 120, starts: [0, 4, 8], end: 14 })
  })

  it('ends on the tonic after a dominant', () => {
    const { notes, bpm } = score('classical music in C major', { seconds: 12 })
    const last = Math.max(...notes.map(({ start }) => start))
    const final = notes.filter(({ start }) => start === last)
    expect(final.every(({ key }) => [0, 4, 7].includes(key % 12))).to.equal(true)
    expect(final.find(({ channel }) => channel === 2)?.key ?? 0).to.satisfy((key: number) => key % 12 === 0)
    expect(final.every(({ start, length }) => Math.abs(((start + length) * 60) / bpm - 12) < 1e-6)).to.equal(true)
    const before = notes.filter(({ channel, start }) => channel === 3 && start === last - 4)
    expect(before.map(({ key }) => key % 12).sort()).to.deep.equal([11, 2, 7].sort())
  })

  it('writes a piece of every genre, whose notes all lie within its length and the range of instruments', () => {
    for (const { names } of [...BAND_STYLES, ...ORCHESTRA_STYLES])
      for (const loop of [false, true]) {
        const [prompt, seconds] = [`${names[0] ?? ''} music`, 9.3]
        const { notes, parts, bpm } = score(prompt, { seconds, loop })
        expect(notes.length, prompt).to.be.greaterThan(8)
        const channels = new Set(parts.map(({ channel }) => channel))
        expect(new Set(notes.map(({ channel }) => channel)), prompt).to.deep.equal(channels)
        const isWrong = ({ key, start, length, velocity }: Note): boolean =>
          key < 24 || key > 108 || velocity < 20 || velocity > 127 || length <= 0 || start < 0 || (start * 60) / bpm >= seconds
        expect(notes.filter(isWrong), prompt).to.deep.equal([])
      }
  })

  it('keeps melodies in the key', () => {
    const scale = [2, 4, 5, 7, 9, 10, 0]
    const melody = score('flute melody in D minor', { seconds: 20 }).notes.filter(({ channel }) => channel === 0)
    expect(melody.length).to.be.greaterThan(12)
    // The leading tone of the dominant may replace the seventh degree.
    expect(melody.every(({ key }) => [...scale, 1].includes(key % 12))).to.equal(true)
    expect(new Set(melody.map(({ key }) => key)).size).to.be.greaterThan(4)
  })

  it('is the same for the same order and another for another seed', async () => {
    const [one, same, other] = [
      await rendered('jazz', { seconds: 1 }),
      await rendered('jazz', { seconds: 1 }),
      await rendered('jazz', { seconds: 1, seed: 8 }),
    ]
    expect(Buffer.from(one.left.buffer).equals(Buffer.from(same.left.buffer))).to.equal(true)
    expect(Buffer.from(one.right.buffer).equals(Buffer.from(same.right.buffer))).to.equal(true)
    expect(Buffer.from(one.left.buffer).equals(Buffer.from(other.left.buffer))).to.equal(false)
  })

  it('is exactly as long as asked for and ends in silence', async () => {
    for (const seconds of [0.5, 1.234, 4]) {
      const { left, right } = await rendered('piano music', { seconds })
      expect([left.length, right.length]).to.deep.equal([Math.round(seconds * RATE), Math.round(seconds * RATE)])
      expect(peak(left)).to.be.greaterThan(0.01)
      expect(peak(left.subarray(left.length - 44))).to.be.lessThan(peak(left) / 1_000)
    }
  })

  it('has the tones of the chord that is asked for', async () => {
    const { left } = await rendered('a C minor chord on the organ', { seconds: 2 })
    const [within, beside] = [
      [60, 63, 67],
      [61, 62, 64, 66],
    ].map((keys) => keys.map((key) => Math.max(...[key - 12, key, key + 12].map((each) => strength(left, hertz(each))))))
    expect(Math.min(...(within ?? []))).to.be.greaterThan(5 * Math.max(...(beside ?? [])))
  })

  it('plays the note that is asked for', async () => {
    const { left } = await rendered('a long flute note A4', { seconds: 2 })
    expect(strength(left, 440)).to.be.greaterThan(10 * Math.max(strength(left, 415.3), strength(left, 466.2), strength(left, 392)))
  })

  it('rises through a scale', async () => {
    const { left } = await rendered('C major scale on piano', { seconds: 8 })
    const at = (from: number, keys: readonly number[]) =>
      keys.reduce((best, key) => (strength(left, hertz(key), from) > strength(left, hertz(best), from) ? key : best))
    const keys = [60, 62, 64, 65, 67, 69, 71, 72]
    expect(at(0, keys)).to.equal(60)
    expect(at(7, keys)).to.equal(72)
  })

  it('runs from its end into its beginning as a loop', async () => {
    const { left } = await rendered('rock band', { seconds: 2, loop: true })
    const steps = left.slice(1).map((each, at) => Math.abs(each - (left[at] ?? 0)))
    expect(Math.abs((left[0] ?? 0) - (left.at(-1) ?? 0))).to.be.at.most(peak(steps))
    const level = (from: number, to: number) => Math.sqrt(left.subarray(from, to).reduce((sum, each) => sum + each * each, 0) / (to - from))
    expect(level(left.length - 4_410, left.length)).to.be.greaterThan(level(0, left.length) / 10)
  })

  it('has the tempo that is asked for, with the instruments of Debian', async function () {
    if (!existsSync(SOUND_FONT)) skip(this, 'timgm6mb-soundfont is not installed')
    const made = await rendered('drum beat at 126 bpm', { seconds: 8 }, readFileSync(SOUND_FONT))
    expect(tempoIn(made, 100, 160)).to.be.within(124, 128)
  })

  it('has another sound for each instrument of Debian', async function () {
    if (!existsSync(SOUND_FONT)) skip(this, 'timgm6mb-soundfont is not installed')
    const font = readFileSync(SOUND_FONT)
    const overtones = async (name: string) => {
      const { left } = await rendered(`a long ${name} note A4`, { seconds: 2 }, font)
      const band = (middle: number) =>
        Array.from({ length: 17 }, (_, at) => strength(left, middle - 8 + at, 0.5) ** 2).reduce((sum, each) => sum + each)
      return [2, 3].map((times) => Math.sqrt(band(440 * times) / band(440)))
    }
    const [[second = 0, third = 0] = [], whistle, brass] = [
      await overtones('clarinet'),
      await overtones('ocarina'),
      await overtones('trumpet'),
    ]
    expect(third).to.be.greaterThan(5 * second)
    expect(Math.max(...whistle)).to.be.lessThan(0.1)
    expect(Math.min(...brass)).to.be.greaterThan(1)
  })
})
