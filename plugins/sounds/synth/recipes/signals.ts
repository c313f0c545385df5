import { RATE, type Stereo } from '../../piece.js'
import { beat, centred, countOf, grain, looped, near, put, mentions, silence, type Recipe, type Scene } from '../scene.js'
import { hertzOf } from './tones.js'

type Horn = (phase: number) => number

/** A tone with a few overtones, like a loudspeaker horn. */
const horn: Horn = (phase) => {
  const angle = 2 * Math.PI * phase
  return 0.75 * Math.sin(angle) + 0.22 * Math.sin(2 * angle) + 0.14 * Math.sin(3 * angle)
}

/** Frequency of a siren: Hz by time in seconds. */
type Course = (time: number) => number

/** The frequency moves between two limits: smoothly (wail, yelp), or in steps (two tones). */
export const siren: Recipe = {
  id: 'siren',
  triggers: ['siren', 'sirens', 'ambulance', 'police', 'fire truck', 'fire engine', 'air raid', 'police car'],
  attributes: [
    'wailing',
    'wail',
    'yelp',
    'car',
    'truck',
    'engine',
    'emergency',
    'passing',
    'fire',
    'raid',
    'air',
    'european',
    'city',
    'street',
    'by',
    'vehicle',
  ],
  render: (scene) => {
    const course = courseOf(scene)
    const shift = 2 ** scene.modifiers.pitch
    const passes = mentions(scene, 'passing', 'by')
    let phase = 0
    return centred(scene.frames, (at) => {
      const place = at / scene.frames
      // Doppler effect: higher when approaching, lower after passing.
      const doppler = passes ? 1 - 0.06 * Math.tanh((place - 0.5) * 8) : 1
      phase = (phase + (course(at / RATE) * shift * doppler) / RATE) % 1
      return 0.5 * horn(phase) * (passes ? 1 / (1 + 40 * (place - 0.5) ** 2) : 1)
    })
  },
}

function courseOf(scene: Scene): Course {
  const { modifiers } = scene
  if (mentions(scene, 'air', 'raid')) return waved(scene, { low: 220, high: 480, rate: 0.12 })
  if (mentions(scene, 'ambulance', 'european')) {
    const half = beat(scene, (2 * near(scene, 0.75, 0.15)) / modifiers.speed) / 2
    return (time) => (Math.floor(time / half) % 2 === 0 ? 960 : 720)
  }
  if (mentions(scene, 'yelp')) return waved(scene, { low: 600, high: 1_500, rate: 3 })
  return waved(scene, { low: 550, high: 1_450, rate: near(scene, 0.38, 0.2) })
}

function waved(scene: Scene, { low, high, rate }: { readonly low: number; readonly high: number; readonly rate: number }): Course {
  const turns = looped(scene, Math.max(rate * scene.modifiers.speed, 0.8 / scene.seconds))
  return (time) => low * (high / low) ** (0.5 - 0.5 * Math.cos(2 * Math.PI * turns * time))
}

/** A pattern of tones: duration, interval, tones per group, seconds between groups. */
interface Pattern {
  readonly hertz: readonly number[]
  readonly length: number
  readonly step: number
  readonly group: number
  readonly rest: number
  readonly wave: Horn
}

const sine: Horn = (phase) => Math.sin(2 * Math.PI * phase)
/** A piezo speaker: a tone with odd overtones. */
const piezo: Horn = (phase) =>
  0.8 * Math.sin(2 * Math.PI * phase) + 0.2 * Math.sin(6 * Math.PI * phase) + 0.07 * Math.sin(10 * Math.PI * phase)

/** Repeating warnings. */
export const alarm: Recipe = {
  id: 'alarm',
  triggers: [
    'alarm',
    'alarms',
    'alarm clock',
    'smoke detector',
    'smoke alarm',
    'buzzer',
    'klaxon',
    'alert',
    'warning',
    'burglar',
    'evacuation',
  ],
  attributes: [
    'clock',
    'smoke',
    'fire',
    'detector',
    'car',
    'beeping',
    'ringing',
    'sounding',
    'digital',
    'emergency',
    'red',
    'spaceship',
    'submarine',
    'house',
    'security',
    'beep',
    'beeps',
    'signal',
    'system',
    'game',
    'show',
    'wrong',
    'answer',
  ],
  render: (scene) => patterned(scene, alarmOf(scene), Infinity),
}

function alarmOf(scene: Scene): Pattern {
  if (mentions(scene, 'buzzer')) return { hertz: [140], length: 0.8, step: 1.3, group: 1, rest: 0, wave: buzz }
  if (mentions(scene, 'klaxon', 'submarine', 'spaceship'))
    return { hertz: [380, 480], length: 0.48, step: 0.5, group: 2, rest: 0.25, wave: horn }
  if (mentions(scene, 'smoke', 'detector', 'fire')) return { hertz: [3_100], length: 0.5, step: 1, group: 3, rest: 1, wave: piezo }
  if (mentions(scene, 'car', 'burglar', 'security', 'house'))
    return { hertz: [900, 1_300], length: 0.24, step: 0.25, group: 2, rest: 0, wave: horn }
  return { hertz: [2_050], length: 0.09, step: 0.16, group: 4, rest: 0.36, wave: piezo }
}

const buzz: Horn = (phase) => 0.5 * Math.tanh(4 * Math.sin(2 * Math.PI * phase)) + 0.2 * Math.sin(6 * Math.PI * phase)

/** Short tones: the requested number, or until the end for beeping. */
export const beep: Recipe = {
  id: 'beep',
  triggers: [
    'beep',
    'beeps',
    'beeping',
    'bleep',
    'bleeps',
    'ping',
    'notification',
    'chime',
    'blip',
    'blips',
    'sonar',
    'ding',
    'heart monitor',
    'pager',
    'doorbell',
    'telephone',
    'phone',
    'ringtone',
  ],
  attributes: [
    'short',
    'long',
    'electronic',
    'digital',
    'computer',
    'ui',
    'microwave',
    'monitor',
    'heart',
    'hospital',
    'ecg',
    'success',
    'error',
    'message',
    'truck',
    'reversing',
    'app',
    'submarine',
    'hz',
    'khz',
    'hertz',
    'button',
    'message',
    'bell',
    'door',
    'ringing',
    'ring',
    'rings',
    'rotary',
    'dong',
    'menu',
    'game',
    'at',
    'of',
  ],
  render: (scene) => {
    const pattern = beepOf(scene)
    const repeats = mentions(
      scene,
      'beeping',
      'beeps',
      'bleeps',
      'blips',
      'monitor',
      'sonar',
      'reversing',
      'telephone',
      'phone',
      'ringing',
      'ringtone',
    )
    return patterned(
      scene,
      pattern,
      countOf(scene) ?? (repeats ? Infinity : mentions(scene, 'chime', 'notification', 'doorbell', 'ding') ? pattern.hertz.length : 1),
    )
  },
}

function beepOf(scene: Scene): Pattern {
  const named = hertzOf(scene)
  const pitch = 2 ** (scene.modifiers.pitch * 1.2)
  const length = mentions(scene, 'long') ? 0.6 : 0.15
  if (mentions(scene, 'doorbell', 'dong'))
    return { hertz: [659 * pitch, 523 * pitch], length: 0.9, step: 0.7, group: 2, rest: 3, wave: struck }
  if (mentions(scene, 'chime', 'notification', 'success'))
    return { hertz: [880 * pitch, 1_318 * pitch], length: 0.5, step: 0.14, group: 2, rest: 2, wave: struck }
  if (mentions(scene, 'telephone', 'phone', 'ringtone'))
    return { hertz: [1_330 * pitch, 1_060 * pitch], length: 0.045, step: 0.05, group: 28, rest: 1.6, wave: piezo }
  if (mentions(scene, 'ping', 'sonar', 'ding', 'submarine'))
    return { hertz: [1_100 * pitch], length: 1.2, step: 2.2, group: 1, rest: 0, wave: struck }
  if (mentions(scene, 'monitor', 'ecg', 'hospital'))
    return { hertz: [1_000 * pitch], length: 0.12, step: 0.85, group: 1, rest: 0, wave: sine }
  const hertz = named.length > 0 ? named : [near(scene, 1_000, 0.2) * pitch]
  return { hertz, length, step: length * 2 + 0.15, group: 1, rest: 0, wave: piezo }
}

/** Decays like a struck sound; `patterned` applies that envelope. */
const struck: Horn = (phase) => sine(phase) + 0.25 * Math.sin(4 * Math.PI * phase)

function patterned(scene: Scene, pattern: Pattern, most: number): Stereo {
  const made = silence(scene.frames)
  const { hertz, length, step, group, rest, wave } = pattern
  const cycle = group * step + rest
  // All groups of a loop fill it.
  const speed = cycle / beat(scene, cycle / scene.modifiers.speed)
  const isStruck = wave === struck
  const long = length / (isStruck ? 1 : Math.max(1, speed))
  const tones = hertz.map((own) =>
    grain(long, (time) => {
      const edges = Math.min(1, time * 400, (long - time) * 400)
      return 0.5 * edges * (isStruck ? Math.exp((-time * 4) / long) : 1) * wave((own * time) % 1)
    }),
  )
  let [at, index] = [0.03, 0]
  while (at < scene.seconds && index < most) {
    const tone = tones[index % tones.length]
    // A truncated tone is left out, except the first.
    if (tone !== undefined && (index === 0 || at + Math.min(long, 0.2) <= scene.seconds)) put(made, tone, { at, gain: 1 })
    index++
    at += (step + (index % group === 0 ? rest : 0)) / speed
  }
  return made
}
