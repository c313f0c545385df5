import { RATE, type Stereo } from '../../piece.js'
import { bandPass, highPass, lowPass } from '../filters.js'
import type { Random } from '../random.js'
import { beat, countOf, grain, near, put, mentions, silence, type Recipe, type Scene } from '../scene.js'

/** A resonance of a struck body. */
interface Mode {
  readonly hertz: number
  /** Seconds until it is quieter by 8.7 dB. */
  readonly decay: number
  readonly gain: number
}

/** A struck body: its modes decay, after a burst of band noise. */
function struck(
  random: Random,
  modes: readonly Mode[],
  burst: { readonly hertz: number; readonly decay: number; readonly gain: number },
): Float32Array {
  const band = bandPass(burst.hertz, 0.9)
  const longest = Math.max(burst.decay, ...modes.map(({ decay }) => decay))
  return grain(longest * 7, (time) => {
    let sum = 2 * burst.gain * band(random.signed() * Math.exp(-time / burst.decay))
    for (const { hertz, decay, gain } of modes) sum += gain * Math.exp(-time / decay) * Math.sin(2 * Math.PI * hertz * time)
    return sum * Math.min(1, time * 3_000)
  })
}

function modes(random: Random, hertz: number, decay: number): Mode[] {
  return [1, 1.59, 2.14, 2.92].map((factor, index) => ({
    hertz: hertz * factor * random.between(0.97, 1.03),
    decay: decay / (1 + index * 0.7),
    gain: 0.8 / (1 + index * 1.2),
  }))
}

const COUNTED = 60

/** Clicks of a switch, a mouse, keys, a shutter: two edges of high noise, one for down and one for up. */
export const click: Recipe = {
  id: 'click',
  triggers: [
    'click',
    'clicks',
    'clicking',
    'mouse click',
    'keyboard',
    'typing',
    'typewriter',
    'switch',
    'shutter',
    'keystroke',
    'keystrokes',
    'keypress',
  ],
  attributes: [
    'mouse',
    'button',
    'light',
    'camera',
    'key',
    'keys',
    'mechanical',
    'pen',
    'computer',
    'on',
    'off',
    'press',
    'pressed',
    'ui',
    'menu',
    'interface',
    'office',
  ],
  render: (scene) => {
    const { seconds, random, modifiers } = scene
    const made = silence(scene.frames)
    const types = mentions(scene, 'keyboard', 'typing', 'typewriter', 'keystrokes', 'keys')
    const count = countOf(scene) ?? (types || mentions(scene, 'clicks', 'clicking') ? COUNTED * 4 : 1)
    let at = 0.02
    for (let index = 0; index < count && at < seconds; index++) {
      const bright = (types ? 2_600 : 3_400) * 2 ** (modifiers.pitch - 0.6 * modifiers.weight) * random.between(0.85, 1.15)
      const down = struck(random, [{ hertz: bright * 0.45, decay: 0.004, gain: 0.5 }], { hertz: bright, decay: 0.0035, gain: 1 })
      const up = struck(random, [{ hertz: bright * 0.6, decay: 0.003, gain: 0.3 }], { hertz: bright * 1.2, decay: 0.002, gain: 0.5 })
      put(made, down, { at, gain: random.between(0.7, 0.9), pan: types ? random.signed() * 0.3 : 0 })
      put(made, up, { at: at + 0.03, gain: 0.5 })
      at += (types ? (random.next() < 0.12 ? random.between(0.3, 0.6) : random.between(0.09, 0.19)) : near(scene, 0.45)) / modifiers.speed
    }
    return made
  },
}

/** A low struck body, with breaking or bursting sounds over it. */
export const impact: Recipe = {
  id: 'impact',
  triggers: [
    'impact',
    'impacts',
    'hit',
    'thud',
    'thump',
    'bang',
    'boom',
    'slam',
    'slams',
    'slamming',
    'explosion',
    'explosions',
    'explode',
    'exploding',
    'punch',
    'gunshot',
    'gunshots',
    'shot',
    'blast',
    'collision',
    'bump',
    'cannon',
    'firework',
    'fireworks',
    'crash',
    'gun',
  ],
  attributes: [
    'door',
    'cinematic',
    'trailer',
    'bass',
    'metal',
    'metallic',
    'body',
    'ground',
    'fall',
    'falling',
    'hitting',
    'wood',
    'wooden',
    'bomb',
    'car',
    'fist',
    'box',
    'floor',
    'dull',
  ],
  render: (scene) => {
    const { seconds, random, modifiers } = scene
    const made = silence(scene.frames)
    const count = countOf(scene) ?? (mentions(scene, 'impacts', 'explosions', 'gunshots', 'fireworks') ? COUNTED : 1)
    const bursts = mentions(scene, 'explosion', 'explosions', 'explode', 'exploding', 'blast', 'boom', 'cannon', 'bomb')
    const shoots = mentions(scene, 'gunshot', 'gunshots', 'shot', 'gun', 'firework', 'fireworks')
    const step = near(scene, bursts ? 2.4 : 0.9) / modifiers.speed
    for (let index = 0, at = 0.02; index < count && at < seconds; index++, at += step) {
      const blow = bursts ? explosion(scene, Math.min(3, seconds - at)) : shoots ? gunshot(random) : thud(scene)
      put(made, blow, { at, gain: 0.8, pan: count > 1 ? random.signed() * 0.4 : 0 })
    }
    return made
  },
}

function thud(scene: Scene): Float32Array {
  const { random, modifiers } = scene
  if (mentions(scene, 'metal', 'metallic'))
    return struck(random, modes(random, 310 * 2 ** (modifiers.pitch - modifiers.weight), 0.4), { hertz: 2_500, decay: 0.01, gain: 0.5 })
  const hertz = near(scene, 85, 0.2) * 2 ** (modifiers.pitch - 0.6 * modifiers.weight)
  const decay = 0.09 * 2 ** modifiers.weight
  let phase = 0
  const knock = struck(random, modes(random, hertz * 2.3, decay * 0.4), { hertz: 420, decay: 0.012, gain: 0.6 })
  return grain(decay * 8, (time) => {
    phase += (2 * Math.PI * hertz * (1 + 1.2 * Math.exp(-time * 45))) / RATE
    return Math.exp(-time / decay) * Math.sin(phase) + 0.45 * (knock[Math.round(time * RATE)] ?? 0)
  })
}

function explosion(scene: Scene, length: number): Float32Array {
  const { random, modifiers } = scene
  const top = 900 * 2 ** (-0.8 * modifiers.weight)
  const [body, deep] = [lowPass(top), lowPass(140)]
  return grain(length, (time) => {
    const burst = body(random.signed()) * Math.exp(-time * 3.2)
    const rumble = 3 * deep(random.signed()) * Math.exp(-time * 1.4)
    return (burst + rumble) * Math.min(1, time * 300) * Math.min(1, (length - time) * 8)
  })
}

function gunshot(random: Random): Float32Array {
  const [body, crack] = [lowPass(700), highPass(900)]
  return grain(0.6, (time) => {
    const sample = random.signed()
    return (1.6 * body(sample) * Math.exp(-time * 14) + crack(sample) * Math.exp(-time * 60)) * Math.min(1, time * 2_000)
  })
}

/** A heel and a sole for each step, alternating left and right; loose ground adds grains. */
export const footsteps: Recipe = {
  id: 'footsteps',
  triggers: ['footstep', 'footsteps', 'steps', 'walking', 'walk', 'walks', 'running', 'jogging', 'marching', 'stairs', 'heels'],
  attributes: [
    'gravel',
    'wood',
    'wooden',
    'floor',
    'snow',
    'concrete',
    'grass',
    'leaves',
    'metal',
    'mud',
    'sand',
    'boots',
    'shoes',
    'high',
    'corridor',
    'hallway',
    'person',
    'someone',
    'man',
    'woman',
    'stairs',
    'pavement',
    'up',
    'down',
    'dry',
    'on',
    'marble',
    'tiles',
    'soldiers',
    'stone',
    'forest',
  ],
  render: (scene) => {
    const { seconds, random, modifiers } = scene
    const made = silence(scene.frames)
    const runs = mentions(scene, 'running', 'jogging') ? 1.45 : 1
    const period = beat(scene, (2 * near(scene, 0.55, 0.15)) / (modifiers.speed * runs)) / 2
    const count = countOf(scene) ?? COUNTED * 4
    for (let index = 0, at = 0.04; index < count && at < seconds; index++, at += period * random.between(0.97, 1.03))
      step(scene, made, at, index % 2 === 0 ? -0.22 : 0.22)
    return made
  },
}

function step(scene: Scene, made: Stereo, at: number, pan: number): void {
  const { random, modifiers } = scene
  const heavy = 2 ** (-0.5 * modifiers.weight)
  const loose = mentions(scene, 'gravel', 'leaves', 'snow', 'sand', 'grass')
  const gain = random.between(0.75, 1)
  if (loose) {
    const snow = mentions(scene, 'snow', 'sand', 'grass')
    for (const [late, share] of [
      [0, 1],
      [0.13, 0.7],
    ] as const)
      for (let grains = snow ? 60 : 34; grains > 0; grains--) {
        const dies = snow ? 0.004 : random.between(0.0015, 0.006)
        const band = bandPass((snow ? 1_500 : 1_900) * 2.4 ** random.signed() * heavy, snow ? 0.8 : 1.8)
        const crunch = grain(dies * 6, (time) => band(random.signed() * Math.exp(-time / dies)))
        put(made, crunch, {
          at: at + late + 0.1 * random.next() ** 1.4,
          gain: gain * share * random.between(0.1, 0.9),
          pan: pan + random.signed() * 0.15,
        })
      }
    put(made, struck(random, [{ hertz: 95 * heavy, decay: 0.03, gain: 0.25 }], { hertz: 300, decay: 0.02, gain: 0.1 }), { at, gain, pan })
    return
  }
  const wood = mentions(scene, 'wood', 'wooden', 'floor', 'stairs')
  const metal = mentions(scene, 'metal')
  const [hertz, decay, bright] = metal ? [420, 0.12, 2_600] : wood ? [165, 0.035, 700] : [120, 0.018, 1_500]
  const heel = struck(random, modes(random, hertz * heavy, decay), { hertz: bright * heavy, decay: 0.006, gain: 0.5 })
  const sole = struck(random, modes(random, hertz * 1.25 * heavy, decay * 0.6), { hertz: bright * 0.8 * heavy, decay: 0.012, gain: 0.3 })
  put(made, heel, { at, gain, pan })
  put(made, sole, { at: at + Math.min(0.09, 0.09 / modifiers.speed), gain: gain * 0.5, pan })
}

/** Knuckles on wood. */
export const knock: Recipe = {
  id: 'knock',
  triggers: ['knock', 'knocks', 'knocking', 'rapping', 'woodpecker', 'hammer', 'hammering', 'tapping'],
  attributes: ['door', 'wood', 'wooden', 'table', 'window', 'glass', 'metal', 'nail', 'on', 'fingers', 'desk'],
  render: (scene) => {
    const { seconds, random, modifiers } = scene
    const made = silence(scene.frames)
    const on = mentions(scene, 'hammer', 'hammering', 'woodpecker', 'tapping')
    const count = countOf(scene) ?? (on ? COUNTED * 4 : mentions(scene, 'knocks', 'knocking') ? 3 : 2)
    const period = beat(scene, (on ? (mentions(scene, 'woodpecker') ? 0.07 : 0.5) : near(scene, 0.28, 0.15)) / modifiers.speed)
    const [hertz, decay] = mentions(scene, 'glass', 'window') ? [900, 0.05] : mentions(scene, 'metal', 'nail') ? [620, 0.14] : [230, 0.03]
    const low = 2 ** (modifiers.pitch - 0.5 * modifiers.weight)
    for (let index = 0, at = 0.05; index < count && at < seconds; index++, at += period * random.between(0.96, 1.04))
      put(made, struck(random, modes(random, hertz * low, decay), { hertz: hertz * 3.5 * low, decay: 0.005, gain: 0.5 }), {
        at,
        gain: random.between(0.75, 0.95),
      })
    return made
  },
}
