import { RATE } from '../../piece.js'
import { lowPass } from '../filters.js'
import { brown, pink, steeper, white, type Source } from '../noise.js'
import type { Random } from '../random.js'
import { centred, filled, looped, mentions, type Recipe, type Scene } from '../scene.js'

type Wave = (phase: number) => number

/** The frequencies in a prompt, in Hz, 20 to 20,000, in order. */
export function hertzOf({ words }: Pick<Scene, 'words'>): number[] {
  return words.flatMap((word, at) => {
    const joined = /^(\d{1,5}(?:\.\d{1,3})?)(k?hz)$/.exec(word)
    const unit = joined?.[2] ?? words[at + 1] ?? ''
    const value = joined === null ? (/^\d{1,5}(?:\.\d{1,3})?$/.test(word) ? Number(word) : NaN) : Number(joined[1])
    const factor = ['khz', 'kilohertz'].includes(unit) ? 1_000 : ['hz', 'hertz'].includes(unit) ? 1 : impliedFactor(words, at)
    const hertz = value * factor
    return hertz >= 20 && hertz <= 20_000 ? [hertz] : []
  })
}

/** In "from 200 to 4000 Hz" the second unit applies to the first. */
function impliedFactor(words: readonly string[], at: number): number {
  if (words[at + 1] !== 'to') return NaN
  const unit = /^(?:\d+(?:\.\d+)?)?(k?hz|hertz|kilohertz)$/.exec(words[at + 3] ?? '')?.[1] ?? /(k?hz)$/.exec(words[at + 2] ?? '')?.[1]
  return unit === undefined ? NaN : unit.startsWith('k') ? 1_000 : 1
}

/** The wave named by a prompt; squares and saws are band-limited for a rate of 44,100 (PolyBLEP). */
export function waveOf(scene: Pick<Scene, 'words'>, hertz: number): Wave {
  const step = hertz / RATE
  if (mentions(scene, 'square')) return (phase) => 0.7 * ((phase < 0.5 ? 1 : -1) + edge(phase, step) - edge((phase + 0.5) % 1, step))
  if (mentions(scene, 'saw', 'sawtooth')) return (phase) => 0.7 * (2 * phase - 1 - edge(phase, step))
  if (mentions(scene, 'triangle')) return (phase) => 1 - 4 * Math.abs(phase - 0.5)
  return (phase) => Math.sin(2 * Math.PI * phase)
}

function edge(phase: number, step: number): number {
  if (phase < step) return 2 * (phase / step) - (phase / step) ** 2 - 1
  if (phase > 1 - step) return ((phase - 1) / step) ** 2 + 2 * ((phase - 1) / step) + 1
  return 0
}

export const tone: Recipe = {
  id: 'tone',
  triggers: [
    'tone',
    'tones',
    'sine',
    'sinewave',
    'square wave',
    'sawtooth',
    'triangle wave',
    'hz',
    'hertz',
    'khz',
    'kilohertz',
    'oscillator',
    'dial tone',
  ],
  attributes: [
    'wave',
    'test',
    'pure',
    'square',
    'triangle',
    'saw',
    'continuous',
    'constant',
    'dial',
    'phone',
    'synth',
    'of',
    'frequency',
    'binaural',
  ],
  render: (scene) => {
    const named = hertzOf(scene)
    const usual = mentions(scene, 'dial') ? [350, 440] : [440 * 2 ** scene.modifiers.pitch]
    const waves = (named.length > 0 ? named : usual).slice(0, 8).map((hertz) => {
      const exact = looped(scene, hertz)
      return { hertz: exact, wave: waveOf(scene, exact), phase: 0 }
    })
    return centred(scene.frames, () => {
      let sum = 0
      for (const part of waves) {
        sum += part.wave(part.phase)
        part.phase = (part.phase + part.hertz / RATE) % 1
      }
      return (0.5 * sum) / waves.length
    })
  },
}

export const sweep: Recipe = {
  id: 'sweep',
  triggers: [
    'sweep',
    'sweeps',
    'sweeping',
    'glissando',
    'rising tone',
    'falling tone',
    'frequency chirp',
    'riser',
    'laser',
    'zap',
    'slide whistle',
  ],
  attributes: [
    'rising',
    'falling',
    'frequency',
    'from',
    'to',
    'up',
    'down',
    'tone',
    'hz',
    'khz',
    'hertz',
    'logarithmic',
    'sine',
    'slide',
    'whistle',
    'gun',
    'shooting',
    'shot',
    'blaster',
    'ascending',
    'descending',
    'upward',
    'downward',
    'synth',
  ],
  render: (scene) => {
    const shoots = mentions(scene, 'laser', 'zap')
    const falls = shoots || mentions(scene, 'falling', 'down', 'descending', 'downward')
    const [first, last] = hertzOf(scene)
    const [low, high] = shoots ? [200, 3_200] : [200, 4_000]
    const [from, to] = first !== undefined && last !== undefined ? [first, last] : falls ? [high, low] : [low, high]
    const frames = shoots ? Math.min(scene.frames, Math.round((0.35 / scene.modifiers.speed) * RATE)) : scene.frames
    let phase = 0
    return centred(scene.frames, (at) => {
      if (at >= frames) return 0
      const hertz = from * (to / from) ** (at / frames)
      phase = (phase + hertz / RATE) % 1
      return 0.5 * waveOf(scene, hertz)(phase) * (shoots ? 1 - at / frames : 1)
    })
  },
}

const COLOURS: readonly { readonly words: readonly string[]; readonly source: (random: Random) => Source }[] = [
  { words: ['pink'], source: pink },
  { words: ['brown', 'brownian', 'red'], source: brown },
  { words: ['blue', 'azure'], source: (random) => steeper(pink(random)) },
  { words: ['violet', 'purple'], source: (random) => steeper(white(random)) },
  { words: ['grey', 'gray'], source: grey },
]

/** Equally loud at every pitch: less where hearing is most sensitive, more at both ends. */
function grey(random: Random): Source {
  const [even, deep, low] = [white(random), brown(random), lowPass(1_200)]
  return () => {
    const sample = even()
    return 0.5 * (sample - 0.7 * low(sample)) + 0.8 * deep()
  }
}

export const noise: Recipe = {
  id: 'noise',
  triggers: ['noise', 'hiss'],
  attributes: [
    'white',
    'pink',
    'brown',
    'brownian',
    'red',
    'blue',
    'azure',
    'violet',
    'purple',
    'grey',
    'gray',
    'sleeping',
    'sleep',
    'tape',
    'tv',
    'colour',
    'color',
  ],
  render: (scene) => {
    const colour = COLOURS.find(({ words }) => mentions(scene, ...words))?.source ?? white
    const [left, right] = [colour(scene.random.fork()), colour(scene.random.fork())]
    return filled(
      scene.frames,
      () => 0.5 * left(),
      () => 0.5 * right(),
    )
  },
}
