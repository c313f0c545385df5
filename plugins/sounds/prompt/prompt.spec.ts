import { expect } from 'chai'
import { asksForMusic } from '../music/vocabulary.js'
import { asksForLoop, asksForWords } from './intent.js'
import { modifiersOf } from './modifiers.js'
import { planOf, type Plan, type Sources } from './plan.js'
import { stretchesOf, wordsOf } from './words.js'

const ALL: Sources<string> = {
  sample: ({ words }) => {
    const name = ['crow', 'door', 'cowbell'].find((word) => words.includes(word))
    return name === undefined ? null : { sample: name, words: [name] }
  },
  music: asksForMusic,
}
const NONE: Sources<string> = { sample: () => null, music: () => false }

const planned = (prompt: string, { sources = ALL, influence = 0.3 } = {}): Plan<string> | null =>
  planOf({ prompt, seconds: 5, loop: false, prompt_influence: influence }, sources)
/** The plan of a prompt, in words. */
const made = (prompt: string, options: Parameters<typeof planned>[1] = {}): string[] | null =>
  planned(prompt, options)?.parts.map(({ made: by }) => (by.by === 'synth' ? by.recipe : by.by === 'music' ? 'music' : by.sample)) ?? null

describe('words of a prompt', () => {
  it('are in lower case, with points and apostrophes inside alone', () => {
    expect(wordsOf("Rain, at 1.5 kHz. Don't 'stop'…")).to.deep.equal(['rain', 'at', '1.5', 'khz', "don't", 'stop'])
  })

  it('are in stretches at marks and conjunctions, one after the other behind then, and left out behind without', () => {
    expect(stretchesOf('Rain and wind, then a beep. No thunder with a siren')).to.deep.equal([
      { words: ['rain'], step: 0 },
      { words: ['wind'], step: 0 },
      { words: ['a', 'beep'], step: 1 },
      { words: ['a', 'siren'], step: 1 },
    ])
  })

  it('keep the names of music that have a conjunction in them', () => {
    expect(stretchesOf('fast drum and bass')).to.have.length(1)
  })

  it('take no longer on hostile text', () => {
    for (const text of ["'.".repeat(32_768), 'then '.repeat(13_000), 'a'.repeat(65_536), 'no and '.repeat(9_000), '1.'.repeat(32_768)]) {
      const began = performance.now()
      stretchesOf(text.slice(0, 65_536))
      expect(performance.now() - began, text.slice(0, 10)).to.be.below(200)
    }
  })
})

describe('a prompt', () => {
  const cases: readonly (readonly [string, readonly string[] | null])[] = [
    ['heavy rain', ['rain']],
    ['rain and distant thunder', ['rain', 'thunder']],
    ['footsteps on gravel in the rain', ['footsteps', 'rain']],
    ['a thunderstorm', ['rain', 'thunder']],
    ['a thunderstorm with heavy rain', ['rain', 'thunder']],
    ['birds chirping at dawn', ['birds']],
    ['glass breaking on the floor', ['shatter']],
    ['a fire alarm', ['alarm']],
    ['running water', ['stream']],
    ['an engine running', ['motor']],
    ['440hz tone', ['tone']],
    ['the beep of a heart monitor', ['beep']],
    ['crow in the rain', ['crow', 'rain']],
    ['knocking on a door', ['knock']],
    ['door', ['door']],
    ['calm piano melody with rain', ['music', 'rain']],
    ['sad piano music in the rain', ['music', 'rain']],
    ['piano and violin music', ['music']],
    ['wind without thunder', ['wind']],
    ['a dog barking', null],
    ['a dog barking in the rain', null],
    ['something', null],
  ]
  for (const [prompt, parts] of cases)
    it(`"${prompt}" is ${parts === null ? 'nothing that is known' : `made of ${parts.join(' and ')}`}`, () => {
      expect(made(prompt)).to.deep.equal(parts)
    })

  it('is synthesized alone where there are neither recordings nor instruments', () => {
    expect([made('rain', { sources: NONE }), made('crow', { sources: NONE }), made('piano music', { sources: NONE })]).to.deep.equal([
      ['rain'],
      null,
      null,
    ])
  })

  it('must be understood wholly at influence 1, and names what was left out below', () => {
    expect(made('rain on a zeppelin', { influence: 1 })).to.equal(null)
    expect(planned('rain on a zeppelin')).to.deep.include({ unknown: ['zeppelin'] })
  })

  it('gives the modifiers to the thing that they stand with', () => {
    const parts = planned('soft rain and heavy distant thunder')?.parts ?? []
    expect(parts.map(({ order: { modifiers } }) => [modifiers.loudness, modifiers.distance, modifiers.weight])).to.deep.equal([
      [-0.6, 0, 0],
      [0, 0.8, 0.8],
    ])
    const steps = planned('fast footsteps in heavy rain')?.parts ?? []
    expect(steps.map(({ order: { modifiers } }) => [modifiers.speed, modifiers.weight])).to.deep.equal([
      [1.6, 0],
      [1, 0.8],
    ])
  })

  it('puts what is far or soft behind the rest', () => {
    const [near, far] = planned('rain with a distant siren')?.parts ?? []
    expect(near?.gain).to.equal(0)
    expect(far?.gain).to.be.below(-5)
  })

  it('has one after the other behind then, each for its share of the time', () => {
    const plan = planned('a beep, then rain')
    expect(plan?.parts.map(({ step, order }) => [step, order.seconds])).to.deep.equal([
      [0, 2.5],
      [1, 2.5],
    ])
  })

  it('has the same seeds each time, and others for another prompt', () => {
    const seeds = (prompt: string): number[] => planned(prompt)?.parts.map(({ order }) => order.seed) ?? []
    expect(seeds('rain and wind')).to.deep.equal(seeds('rain and wind'))
    expect(new Set([...seeds('rain and wind'), ...seeds('rain and  wind')]).size).to.equal(4)
  })
})

describe('modifiers', () => {
  it('are stronger behind very, weaker behind slightly, and within their bounds', () => {
    expect(modifiersOf(['very', 'soft']).loudness).to.be.closeTo(-0.84, 1e-9)
    expect(modifiersOf(['slightly', 'distant']).distance).to.be.closeTo(0.4, 1e-9)
    expect(modifiersOf(['huge', 'massive', 'giant']).weight).to.equal(1)
    expect(modifiersOf(['fast', 'fast', 'fast', 'fast']).speed).to.equal(2.5)
  })
})

describe('spoken words', () => {
  for (const prompt of [
    'a man says hello',
    'text to speech of a poem',
    '"Welcome home" by a female voice',
    'robot voice saying "danger"',
    'a narrator reading the news',
    'announcement at a station: mind the gap',
    'a song with lyrics about the sea',
    'a woman whispering "come here"',
  ])
    it(`are asked for by: ${prompt}`, () => {
      expect(asksForWords(prompt)).to.equal(true)
    })
  for (const prompt of [
    'rain',
    'a crowd talking in a café',
    'choir singing ah',
    'a talking drum',
    'the hum of a loudspeaker',
    'wind whispering in the trees',
    'a "whoosh" of air',
    'singing bowl',
  ])
    it(`are not asked for by: ${prompt}`, () => {
      expect(asksForWords(prompt)).to.equal(false)
    })
})

describe('a loop', () => {
  it('is asked for by its word', () => {
    expect(['ocean waves, loop', 'a seamless hum', 'Looping rain'].map(asksForLoop)).to.deep.equal([true, true, true])
    expect(['rain', 'the loopy one'].map(asksForLoop)).to.deep.equal([false, false])
  })
})
