import { expect } from 'chai'
import { existsSync, readdirSync } from 'node:fs'
import { skip } from '../../../test/support/needs.js'
import { RATE, type SoundOrder, type Stereo } from '../piece.js'
import { LEFT_OUT, SAMPLES } from './catalogue.js'
import { pathOf, SAMPLE_FOLDER, sampleFor, type SampleChoice } from './choose.js'
import { laid, stereoOf } from './lay.js'

const MODIFIERS = { loudness: 0, distance: 0, weight: 0, speed: 1, echo: 0, pitch: 0 }
const order = (prompt: string, more: Partial<SoundOrder> = {}): SoundOrder => ({
  prompt,
  words: prompt.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [],
  seconds: 5,
  loop: false,
  seed: 3,
  modifiers: MODIFIERS,
  ...more,
})
const chosen = (prompt: string, more?: Partial<SoundOrder>): string | undefined => sampleFor(order(prompt, more))?.file
const choice = (more: Partial<SampleChoice>): SampleChoice => ({ file: 'x', kind: 'hit', rate: 1, starts: [0], gains: [1], ...more })
const constant = (frames: number, value = 0.5): Stereo => ({
  left: new Float32Array(frames).fill(value),
  right: new Float32Array(frames).fill(-value),
})

describe('recorded sounds of sounds.generate', () => {
  it('are chosen by their names, in any order and form', () => {
    expect(chosen('a church bell tolling')).to.equal('perc_bell')
    expect(chosen('door slamming')).to.equal('perc_door')
    expect(chosen('doors that slam')).to.equal('perc_door')
    expect(chosen('crows cawing')).to.equal('misc_crow')
    expect(chosen('scratching a vinyl record')).to.equal('vinyl_scratch')
    expect(chosen('crackle of an old record')).to.equal('vinyl_hiss')
    expect(chosen('cash register cha-ching')).to.equal('perc_till')
  })

  it('are not chosen where the words name something else', () => {
    for (const prompt of [
      'rain',
      'glass breaking',
      'piano music',
      'a phone call',
      'beeps',
      'wind in the trees',
      'a drum beat',
      'doorbell',
      'record a song',
    ])
      expect(chosen(prompt), prompt).to.equal(undefined)
  })

  it('are chosen by more of the words first', () => {
    expect(chosen('splash of a cymbal')).to.match(/^drum_splash/)
    expect(chosen('closed hi hat')).to.equal('drum_cymbal_closed')
    expect(chosen('electronic snare')).to.equal('elec_snare')
  })

  it('are chosen by how hard they are struck', () => {
    expect(chosen('snare', { modifiers: { ...MODIFIERS, loudness: -0.6 } })).to.equal('drum_snare_soft')
    expect(chosen('snare', { modifiers: { ...MODIFIERS, loudness: 0.8 } })).to.equal('drum_snare_hard')
  })

  it('are the same for the same order', () => {
    const robots = Array.from({ length: 20 }, (_, seed) => chosen('a robot', { seed }))
    expect(robots).to.deep.equal(Array.from({ length: 20 }, (_, seed) => chosen('a robot', { seed })))
    expect(new Set(robots).size).to.be.greaterThan(1)
  })

  it('are heard as often as the words say', () => {
    const starts = (prompt: string, more?: Partial<SoundOrder>) => sampleFor(order(prompt, more))?.starts.length
    expect(starts('a snare drum')).to.equal(1)
    expect(starts('three finger snaps')).to.equal(3)
    expect(starts('cowbells')).to.equal(10)
    expect(starts('cowbell, repeated', { modifiers: { ...MODIFIERS, speed: 2 } })).to.equal(20)
    expect(starts('two church bells', { seconds: 2 })).to.equal(2)
    for (const start of sampleFor(order('nine crows', { seconds: 2 }))?.starts ?? [9]) expect(start).to.be.below(2)
  })

  it('are played once over silence, and cut without a click', () => {
    const { left, right } = laid(constant(1_000), choice({ starts: [0.1, 0.19], gains: [1, 0.5] }), 9_000)
    expect([left[4_409], left[4_410], left[5_409], left[5_410]]).to.deep.equal([0, 0.5, 0.5, 0])
    expect(right[4_410]).to.equal(-0.5)
    expect(left[8_379]).to.be.closeTo(0.25, 0.001)
    expect(Math.abs(left.at(-1) ?? 1)).to.be.below(0.01)
  })

  it('go round as textures with the level that they have', () => {
    const tone = Float32Array.from({ length: RATE }, (_, at) => Math.sin(at * at * 1e-4))
    const { left } = laid({ left: tone, right: tone }, choice({ kind: 'texture' }), 4 * RATE)
    expect(left.length).to.equal(4 * RATE)
    const level = (from: number) => Math.sqrt(left.subarray(from, from + 4_410).reduce((sum, each) => sum + each * each, 0) / 4_410)
    for (let at = 0; at + 4_410 < left.length; at += 4_410) expect(level(at)).to.be.within(0.4, 1.1)
  })

  it('go round as rhythms in their own time', () => {
    const beat = new Float32Array(22_050)
    beat[2_000] = 1
    const { left } = laid({ left: beat, right: beat }, choice({ kind: 'loop' }), 3 * 22_050)
    const strokes = [...left.keys()].filter((at) => (left[at] ?? 0) > 0.5)
    expect(strokes.length).to.equal(3)
    expect((strokes[1] ?? 0) - (strokes[0] ?? 0)).to.be.within(21_700, 22_050)
  })

  it('are played faster for a higher pitch', () => {
    const { left } = laid(constant(1_000), choice({ rate: 2 }), 1_000)
    expect([left[490], left[510]]).to.deep.equal([0.5, 0])
    expect(sampleFor(order('bell', { modifiers: { ...MODIFIERS, pitch: 1 } }))?.rate).to.be.greaterThan(1.3)
    expect(sampleFor(order('bell', { modifiers: { ...MODIFIERS, weight: 1 } }))?.rate).to.be.lessThan(0.9)
  })

  it('are read from floats of two channels by turns', () => {
    const bytes = new Uint8Array(new Float32Array([0.25, -0.25, 0.5, -0.5]).buffer)
    expect(stereoOf(bytes)).to.deep.equal({ left: new Float32Array([0.25, 0.5]), right: new Float32Array([-0.25, -0.5]) })
  })

  it('name each recording once and none that is left out', () => {
    const files = SAMPLES.map(({ file }) => file)
    expect(new Set(files).size).to.equal(files.length)
    expect(files.filter((file) => Object.hasOwn(LEFT_OUT, file))).to.deep.equal([])
  })

  it('are all in the package of Debian', function () {
    if (!existsSync(SAMPLE_FOLDER)) skip(this, 'sonic-pi-samples is not installed')
    const there = new Set(readdirSync(SAMPLE_FOLDER))
    expect(SAMPLES.map(({ file }) => pathOf({ file }).split('/').at(-1) ?? '').filter((name) => !there.has(name))).to.deep.equal([])
    expect(Object.keys(LEFT_OUT).filter((file) => !there.has(`${file}.flac`))).to.deep.equal([])
  })
})
