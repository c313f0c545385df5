import { RATE } from '../../piece.js'
import { highPass, Moving, smooth } from '../filters.js'
import { brown, drift, pink } from '../noise.js'
import type { Random } from '../random.js'
import { countOf, filled, near, mentions, silence, put, type Recipe, type Scene } from '../scene.js'

/** Noise through a band that moves with the gusts; a howling wind also whistles. */
export const wind: Recipe = {
  id: 'wind',
  triggers: [
    'wind',
    'winds',
    'windy',
    'breeze',
    'gust',
    'gusts',
    'gale',
    'blizzard',
    'hurricane',
    'tornado',
    'draught',
    'storm',
    'snowstorm',
    'sandstorm',
  ],
  attributes: [
    'howling',
    'howls',
    'whistling',
    'blowing',
    'trees',
    'hill',
    'mountain',
    'desert',
    'leaves',
    'rustling',
    'through',
    'gusting',
    'winter',
    'windows',
  ],
  render: (scene) => {
    const { frames, random, modifiers } = scene
    const strength = Math.max(-1, Math.min(1, modifiers.weight * 0.6 + modifiers.loudness * 0.6))
    const howls = mentions(scene, 'howling', 'howls', 'whistling', 'blizzard', 'gale') || strength > 0.4
    const gusts = drift(random.fork(), near(scene, 0.35) * modifiers.speed)
    const strengths = new Float32Array(frames)
    const flutter = drift(random.fork(), 2.2 * modifiers.speed)
    for (let at = 0; at < frames; at++) strengths[at] = Math.max(0.08, 0.55 + 0.4 * gusts() + 0.08 * flutter())
    const middle = near(scene, 420) * 2 ** (0.9 * strength + modifiers.pitch)
    const channel = (own: Random): ((at: number) => number) => {
      const [air, deep, body, whistle, turn] = [pink(own), brown(own), new Moving(0.9), new Moving(14), drift(own, 0.5)]
      const [soft, audible] = [smooth(1_400 * 2 ** strength), highPass(70)]
      return (at) => {
        const strong = strengths[at] ?? 0
        const source = soft(air())
        body.take(source + 0.3 * deep(), middle * (0.5 + strong))
        whistle.take(source, middle * (1.05 + 0.9 * strong + 0.12 * turn()))
        return strong * audible(body.low + (howls ? 2.2 : 0.25) * whistle.band)
      }
    }
    return filled(frames, channel(random.fork()), channel(random.fork()))
  },
}

/** Air past the ear: a band that rises and falls with the loudness, from one side to the other. */
export const whoosh: Recipe = {
  id: 'whoosh',
  triggers: ['whoosh', 'whooshes', 'whooshing', 'swoosh', 'swooshes', 'swish', 'swipe', 'whip', 'woosh', 'flyby', 'swing'],
  attributes: ['sword', 'arrow', 'transition', 'passing', 'past', 'air', 'cinematic', 'by', 'quick'],
  render: (scene) => {
    const { frames, seconds, random, modifiers } = scene
    const made = silence(frames)
    const count = countOf(scene) ?? (mentions(scene, 'whooshes', 'swooshes', 'whooshing') ? Math.max(2, Math.floor(seconds / 1.2)) : 1)
    const length = Math.min(near(scene, 0.9) / modifiers.speed, (seconds / count) * 0.9)
    for (let index = 0; index < count; index++) {
      const [side, at] = [index % 2 === 0 ? 1 : -1, (seconds / count) * index]
      for (const pan of [-1, 1]) put(made, pass(scene, { length, toward: pan * side, random: random.fork() }), { at, gain: 0.8, pan })
    }
    return made
  },
}

/** One side of a passing sound: `toward` 1 for the side it moves to. */
function pass(
  { modifiers }: Scene,
  { length, toward, random }: { readonly length: number; readonly toward: number; readonly random: Random },
): Float32Array {
  const made = new Float32Array(Math.round(length * RATE))
  const [air, filter] = [pink(random), new Moving(1.1)]
  const top = 3_200 * 2 ** (modifiers.pitch - 0.8 * modifiers.weight)
  for (let at = 0; at < made.length; at++) {
    const place = at / made.length
    const height = Math.sin(Math.PI * place ** 0.8) ** 2
    filter.take(air(), 250 + top * height)
    const share = 0.5 + 0.5 * toward * (2 * place - 1)
    made[at] = (filter.band + 0.3 * filter.low) * height * Math.sqrt(Math.max(0, share))
  }
  return made
}
