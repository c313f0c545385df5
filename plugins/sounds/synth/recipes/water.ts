import { RATE } from '../../piece.js'
import { highPass, lowPass, Moving, smooth } from '../filters.js'
import { brown, drift, pink, white } from '../noise.js'
import type { Random } from '../random.js'
import { beat, filled, grain, near, put, mentions, scattered, silence, type Recipe, type Scene } from '../scene.js'

/** Individual drops over the hiss of all others; more of both for heavy rain. */
export const rain: Recipe = {
  id: 'rain',
  triggers: [
    'rain',
    'rains',
    'raining',
    'rainfall',
    'raindrop',
    'raindrops',
    'drizzle',
    'drizzling',
    'downpour',
    'rainstorm',
    'thunderstorm',
    'storm',
    'sprinkler',
    'hail',
  ],
  attributes: [
    'leaves',
    'roof',
    'tin',
    'metal',
    'window',
    'umbrella',
    'tent',
    'pattering',
    'patter',
    'pouring',
    'steady',
    'shower',
    'puddle',
    'puddles',
    'falling',
    'glass',
    'drops',
  ],
  render: (scene) => {
    const { frames, random, modifiers } = scene
    const weight = Math.max(
      -1,
      Math.min(1, modifiers.weight + (mentions(scene, 'drizzle', 'drizzling') ? -0.7 : mentions(scene, 'downpour', 'pouring') ? 0.7 : 0)),
    )
    const body = rainBody(scene)
    const hiss = (own: Random): ((at: number) => number) => {
      const [source, high, low, slow] = [pink(own), highPass(near(scene, body.from)), lowPass(near(scene, body.to)), drift(own, 0.4)]
      return () => low(high(source())) * (1 + 0.12 * slow())
    }
    const made = filled(frames, hiss(random.fork()), hiss(random.fork()))
    const drops = Array.from({ length: 24 }, () => drop(random, body))
    const rate = near(scene, 140 * 5 ** weight) * modifiers.speed
    const gain = 0.32 * 3 ** -weight
    scattered(scene, rate, (at) => {
      const chosen = drops[Math.floor(random.next() * drops.length)]
      if (chosen !== undefined) put(made, chosen, { at, gain: gain * random.next() ** 3, pan: random.signed() * 0.9 })
    })
    return made
  },
}

interface Surface {
  /** Frequency range of the hiss in Hz. */
  readonly from: number
  readonly to: number
  /** Frequency of a drop's ring in Hz, and its decay in seconds. */
  readonly ring: number
  readonly decay: number
}

function rainBody(scene: Scene): Surface {
  if (mentions(scene, 'tin', 'metal')) return { from: 500, to: 9_000, ring: 2_400, decay: 0.012 }
  if (mentions(scene, 'roof', 'tent', 'umbrella')) return { from: 350, to: 7_000, ring: 1_100, decay: 0.008 }
  if (mentions(scene, 'window', 'glass', 'hail')) return { from: 700, to: 12_000, ring: 3_600, decay: 0.006 }
  return { from: 600, to: 11_000, ring: 3_000, decay: 0.004 }
}

function drop(random: Random, { ring, decay }: Surface): Float32Array {
  const hertz = ring * 2 ** random.signed()
  const dies = decay * random.between(0.5, 1.5)
  return grain(dies * 6, (time) => Math.exp(-time / dies) * (Math.sin(2 * Math.PI * hertz * time) + 0.6 * random.signed()))
}

/** Waves of about seven seconds: each swells, breaks with a hiss that opens and closes, and runs back; they overlap. */
export const sea: Recipe = {
  id: 'sea',
  triggers: ['sea', 'ocean', 'wave', 'waves', 'surf', 'seaside', 'seashore', 'tide', 'shore'],
  attributes: ['beach', 'breaking', 'crashing', 'rolling', 'shore', 'coast', 'lapping', 'rocks', 'sand', 'sandy', 'boat', 'against'],
  render: (scene) => {
    const { frames, seconds, random, modifiers } = scene
    const period = near(scene, 7) / modifiers.speed
    const starts: { at: number; size: number; rise: number }[] = []
    for (let at = -period * random.between(0.15, 0.4); at < seconds; at += period * random.between(0.85, 1.15))
      starts.push({ at, size: random.between(0.7, 1), rise: period * random.between(0.26, 0.36) })
    const level = new Float32Array(frames)
    for (const { at, size, rise } of starts) swell(level, { at, size, rise, fall: period * 0.17 })
    const channel = (own: Random): ((at: number) => number) => {
      const [hiss, deep, filter, soft] = [pink(own), brown(own), new Moving(0.6), smooth(900 + 300 * modifiers.weight)]
      return (at) => {
        const loud = level[at] ?? 0
        filter.take(hiss(), 350 + 5_500 * loud)
        return filter.low * (0.05 + loud) + soft(deep()) * (0.08 + 0.35 * loud * (1 + 0.5 * modifiers.weight))
      }
    }
    return filled(frames, channel(random.fork()), channel(random.fork()))
  },
}

function swell(
  level: Float32Array,
  { at, size, rise, fall }: { readonly at: number; readonly size: number; readonly rise: number; readonly fall: number },
): void {
  const start = Math.round(at * RATE)
  const end = Math.min(level.length, start + Math.round((rise + fall * 7) * RATE))
  for (let index = Math.max(0, start); index < end; index++) {
    const time = (index - start) / RATE
    const height = time < rise ? (time / rise) ** 2.5 : Math.exp(-(time - rise) / fall)
    level[index] = Math.max(level[index] ?? 0, size * height)
  }
}

/** Bubbles: each is a tone that rises as it decays (Minnaert), over a bed of noise. Slow ones alone are a drip. */
export const stream: Recipe = {
  id: 'stream',
  triggers: [
    'stream',
    'brook',
    'creek',
    'river',
    'waterfall',
    'fountain',
    'water',
    'faucet',
    'drip',
    'drips',
    'dripping',
    'tap',
    'rapids',
    'bubbles',
    'bubbling',
  ],
  attributes: [
    'babbling',
    'trickling',
    'trickle',
    'flowing',
    'running',
    'mountain',
    'forest',
    'pouring',
    'splashing',
    'gurgling',
    'leaking',
    'drops',
    'drop',
    'rocks',
    'boiling',
  ],
  render: (scene) => {
    const { frames, random, modifiers } = scene
    const drips = mentions(scene, 'drip', 'drips', 'dripping', 'leaking')
    const falls = mentions(scene, 'waterfall', 'rapids')
    const bed = drips ? 0 : falls ? 1 : 0.16 * 2 ** modifiers.weight
    const channel = (own: Random): ((at: number) => number) => {
      const [source, high, low, slow] = [pink(own), highPass(250), lowPass(falls ? 7_000 : 3_500), drift(own, 3)]
      return () => bed * low(high(source())) * (1 + 0.25 * slow())
    }
    const made = bed === 0 ? silence(frames) : filled(frames, channel(random.fork()), channel(random.fork()))
    const deep = 2 ** (-modifiers.weight + modifiers.pitch)
    const bubble = (at: number): void => {
      const hertz = (drips ? random.between(900, 1_700) : 450 * 5 ** random.next()) * deep
      const dies = drips ? 0.035 : random.between(0.008, 0.04)
      const rise = random.between(2, 9)
      const tone = new Float32Array(Math.round(dies * 4 * RATE))
      const fall = Math.exp(-1 / (dies * RATE))
      for (let index = 0, phase = 0, level = 1; index < tone.length; index++, level *= fall) {
        phase += (2 * Math.PI * hertz * (1 + (rise * index) / RATE)) / RATE
        tone[index] = Math.min(1, index / 49) * level * Math.sin(phase)
      }
      put(made, tone, { at, gain: drips ? 0.8 : 0.5 * random.next() ** 2, pan: drips ? random.signed() * 0.2 : random.signed() * 0.8 })
    }
    if (drips) {
      const period = beat(scene, near(scene, 0.9) / modifiers.speed)
      for (let at = 0.1; at < scene.seconds; at += period * random.between(0.9, 1.1)) bubble(at)
    } else scattered(scene, near(scene, falls ? 60 : 75) * modifiers.speed, bubble)
    return made
  },
}

/** Water noise without bubbles, as of a machine or a shower head: even noise in one band. */
export const shower: Recipe = {
  id: 'shower',
  triggers: ['shower', 'hose', 'spray', 'spraying', 'steam', 'hissing', 'sizzling', 'frying'],
  attributes: ['bathroom', 'water', 'running', 'pan', 'kettle', 'garden'],
  render: (scene) => {
    const channel = (own: Random): ((at: number) => number) => {
      const [source, high, slow] = [white(own), highPass(near(scene, 1_800)), drift(own, 5)]
      const low = lowPass(near(scene, 9_000))
      return () => low(high(source())) * (0.5 + 0.08 * slow())
    }
    return filled(scene.frames, channel(scene.random.fork()), channel(scene.random.fork()))
  },
}
