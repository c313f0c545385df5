import { expect } from 'chai'
import { featuresOf, type Features } from '../../../scripts/bench/sounds/features.js'
import { RATE, type Modifiers, type Stereo } from '../piece.js'
import { modifiersOf } from '../prompt/modifiers.js'
import { wordsOf } from '../prompt/words.js'
import { looped, overlapOf } from '../sound/ends.js'
import { Random, seedOf } from './random.js'
import { RECIPES } from './recipes.js'
import { hertzOf } from './recipes/tones.js'
import type { Recipe } from './scene.js'

interface Given {
  readonly seconds?: number
  readonly seed?: number
  readonly freedom?: number
  readonly loop?: boolean
}

function recipe(id: string): Recipe {
  const found = RECIPES.find((each) => each.id === id)
  if (found === undefined) throw new Error(`no recipe ${id}`)
  return found
}

function rendered(id: string, prompt: string, { seconds = 2, seed = 1, freedom = 0, loop = false }: Given = {}): Stereo {
  const frames = Math.round(seconds * RATE) + (loop ? overlapOf(seconds) : 0)
  const words = wordsOf(prompt)
  const modifiers: Modifiers = modifiersOf(words)
  const scene = { frames, seconds: frames / RATE, modifiers, words, freedom, loopSeconds: loop ? seconds : null, random: new Random(seed) }
  const made = recipe(id).render(scene)
  return loop ? looped(made, Math.round(seconds * RATE)) : made
}

/** Measured features of a recipe in one channel. */
const heard = (id: string, prompt: string, given: Given = {}): Features => {
  const { left, right } = rendered(id, prompt, { seconds: 1, ...given })
  return featuresOf(
    left.map((sample, at) => (sample + (right[at] ?? 0)) / 2),
    RATE,
  )
}

describe('every recipe', () => {
  for (const { id, triggers } of RECIPES) {
    it(`${id} fills any length with sound, the same for the same seed, within bounds`, () => {
      for (const seconds of [0.5, 2]) {
        const [one, other] = [
          rendered(id, triggers[0] ?? id, { seconds, freedom: 1 }),
          rendered(id, triggers[0] ?? id, { seconds, freedom: 1 }),
        ]
        expect(one.left).to.have.length(seconds * RATE)
        expect(one.right).to.have.length(seconds * RATE)
        expect(one.left.every(Number.isFinite) && one.right.every(Number.isFinite)).to.equal(true)
        expect(
          one.left.some((sample) => Math.abs(sample) > 0.01),
          'loud enough',
        ).to.equal(true)
        expect(
          one.left.every((sample) => Math.abs(sample) < 8),
          'not too loud',
        ).to.equal(true)
        expect(one.left).to.deep.equal(other.left)
      }
    })
  }

  it('is asked for by words in lower case, and by no word of two recipes except those that mean both', () => {
    const both = new Set(['storm', 'thunderstorm', 'rainstorm'])
    const asked = RECIPES.flatMap(({ id, triggers }) => triggers.map((trigger) => ({ id, ask: trigger })))
    for (const { ask } of asked) expect(ask).to.equal(ask.toLowerCase())
    const shared = asked.filter(({ id, ask }) => !both.has(ask) && asked.some((other) => other.ask === ask && other.id !== id))
    expect(shared).to.deep.equal([])
  })
})

describe('noise and tones', () => {
  it('fall by what their colour says', () => {
    const slope = (prompt: string): number => heard('noise', prompt).slope
    expect(slope('white noise')).to.be.closeTo(0, 0.5)
    expect(slope('pink noise')).to.be.closeTo(-3, 0.5)
    expect(slope('brown noise')).to.be.closeTo(-6, 0.7)
    expect(slope('blue noise')).to.be.closeTo(3, 0.7)
    expect(slope('violet noise')).to.be.closeTo(6, 0.7)
  })

  it('have the frequency that is named, in hertz or kilohertz, apart from its unit or not', () => {
    for (const [prompt, hertz] of [
      ['a 440 Hz tone', 440],
      ['1.5 kHz sine', 1_500],
      ['250hz square wave', 250],
    ] as const)
      expect(heard('tone', prompt).peak).to.be.closeTo(hertz, 2)
  })

  it('read frequencies, one unit for both ends, and none out of bounds', () => {
    const read = (prompt: string): number[] => hertzOf({ words: wordsOf(prompt) })
    expect([read('from 200 to 4000 Hz'), read('from 1 kHz to 2 kHz'), read('5 Hz'), read('90 kHz'), read('3 beeps')]).to.deep.equal([
      [200, 4_000],
      [1_000, 2_000],
      [],
      [],
      [],
    ])
  })

  it('sweep between two frequencies at an even pace by octaves', () => {
    const { left } = rendered('sweep', 'sweep from 100 Hz to 1600 Hz', { seconds: 4 })
    const middle = featuresOf(left.slice(RATE * 2 - 2_048, RATE * 2 + 2_048), RATE)
    expect(middle.peak).to.be.closeTo(400, 20)
  })
})

describe('what the words change', () => {
  it('is the number of beeps and knocks', () => {
    expect(heard('beep', 'three short beeps', { seconds: 3 }).count).to.equal(3)
    expect(heard('beep', 'a beep', { seconds: 3 }).count).to.equal(1)
    expect(heard('knock', 'four knocks', { seconds: 3 }).count).to.equal(4)
  })

  it('is how fast steps and hearts go', () => {
    expect(heard('footsteps', 'fast footsteps', { seconds: 4 }).onsets).to.be.above(
      heard('footsteps', 'slow footsteps', { seconds: 4 }).onsets,
    )
    expect(heard('heartbeat', 'fast heartbeat', { seconds: 4 }).beat).to.be.closeTo(1.6 / 0.86, 0.2)
  })

  it('is the ground of steps, and how dense rain is', () => {
    expect(heard('footsteps', 'footsteps on gravel').centroid).to.be.above(2 * heard('footsteps', 'footsteps on a wooden floor').centroid)
    expect(heard('rain', 'heavy rain').crest).to.be.below(heard('rain', 'light rain').crest)
  })

  it('is how high something is', () => {
    expect(heard('beep', 'high pitched beep').peak).to.be.above(1.5 * heard('beep', 'low pitched beep').peak)
  })

  it('is left open within a quarter where there is freedom, and not without', () => {
    const sounds = (freedom: number): Set<number> =>
      new Set([1, 2, 3, 4].map((seed) => rendered('siren', 'siren', { seed, freedom, seconds: 3 }).left[2 * RATE] ?? 0))
    expect(sounds(0).size).to.equal(1)
    expect(sounds(1).size).to.equal(4)
  })
})

describe('a loop of a recipe', () => {
  for (const id of ['tone', 'hum', 'siren', 'rain', 'clock', 'heartbeat'])
    it(`${id} goes on over its seam as it does elsewhere`, () => {
      const { left } = rendered(id, recipe(id).triggers[0] ?? id, { loop: true, seconds: 3 })
      const level = (from: number, to: number): number =>
        Math.sqrt(left.subarray(from, to).reduce((sum, each) => sum + each * each, 0) / (to - from))
      const whole = level(0, left.length)
      expect(level(0, RATE), 'first second').to.be.within(whole * 0.6, whole * 1.6)
      const most = left.reduce((largest, each, at) => (at === 0 ? 0 : Math.max(largest, Math.abs(each - (left[at - 1] ?? 0)))), 0)
      expect(Math.abs((left[0] ?? 0) - (left.at(-1) ?? 0))).to.be.at.most(most)
    })
})

describe('numbers of chance', () => {
  it('are spread evenly between 0 and 1, and others for another seed', () => {
    const random = new Random(seedOf('rain'))
    const values = Array.from({ length: 10_000 }, () => random.next())
    expect(values.reduce((sum, each) => sum + each, 0) / values.length).to.be.closeTo(0.5, 0.02)
    expect([Math.min(...values) >= 0, Math.max(...values) < 1]).to.deep.equal([true, true])
    expect(new Random(1).next()).not.to.equal(new Random(2).next())
  })

  it('leave gaps that are as long on average as the rate says', () => {
    const random = new Random(3)
    const gaps = Array.from({ length: 10_000 }, () => random.gap(20))
    expect(gaps.reduce((sum, each) => sum + each, 0) / gaps.length).to.be.closeTo(0.05, 0.003)
  })
})
