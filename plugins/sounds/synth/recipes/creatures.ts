import { RATE } from '../../piece.js'
import type { Random } from '../random.js'
import { beat, grain, near, put, mentions, scattered, silence, type Recipe } from '../scene.js'

/** Songbirds: phrases of short whistles, each bird with its own pitch and place. */
export const birds: Recipe = {
  id: 'birds',
  triggers: [
    'bird',
    'birds',
    'songbird',
    'songbirds',
    'birdsong',
    'chirping',
    'chirp',
    'chirps',
    'tweeting',
    'dawn chorus',
    'sparrow',
    'sparrows',
    'robin',
    'canary',
  ],
  attributes: [
    'singing',
    'song',
    'forest',
    'morning',
    'birds',
    'bird',
    'chorus',
    'dawn',
    'happy',
    'cheerful',
    'tropical',
    'jungle',
    'call',
    'calls',
    'calling',
  ],
  render: (scene) => {
    const { random, modifiers } = scene
    const made = silence(scene.frames)
    const one = mentions(scene, 'bird', 'chirp', 'robin', 'canary', 'sparrow') && !mentions(scene, 'birds')
    const voices = Array.from({ length: one ? 1 : 5 }, () => ({
      hertz: near(scene, 3_400) * 1.5 ** random.signed() * 2 ** (modifiers.pitch * 0.6 - modifiers.weight * 0.5),
      pan: one ? 0 : random.signed() * 0.9,
      gain: random.between(0.35, 0.9),
    }))
    const sing = (at: number, voice: number): void => {
      const { hertz, pan, gain } = voices[voice] ?? { hertz: 3_400, pan: 0, gain: 0.5 }
      const notes = Math.round(random.between(2, 7))
      const step = random.between(0.09, 0.17) / modifiers.speed
      const bend = random.between(-0.35, 0.45)
      for (let note = 0; note < notes; note++)
        put(made, whistle(random, { hertz: hertz * random.between(0.9, 1.12), length: step * 0.75, bend }), {
          at: at + note * step,
          gain,
          pan,
        })
    }
    sing(0.05, 0)
    scattered(scene, (one ? 0.7 : 2.2) * modifiers.speed, (at) => sing(at, Math.floor(random.next() * voices.length)))
    return made
  },
}

function whistle(
  random: Random,
  { hertz, length, bend }: { readonly hertz: number; readonly length: number; readonly bend: number },
): Float32Array {
  const trill = random.next() < 0.3 ? 0.06 : 0
  let phase = 0
  return grain(length, (time) => {
    const place = time / length
    phase += (hertz * (1 + bend * (place - 0.5) + trill * Math.sin(2 * Math.PI * 55 * time))) / RATE
    return 0.6 * Math.sin(Math.PI * place) ** 0.7 * Math.sin(2 * Math.PI * phase)
  })
}

/** Crickets: pulses of a high tone in threes, each insect with its own pace. */
export const crickets: Recipe = {
  id: 'crickets',
  triggers: ['cricket', 'crickets', 'cicada', 'cicadas', 'insects'],
  attributes: ['chirping', 'chirp', 'chirps', 'night', 'summer', 'grass', 'field', 'meadow', 'singing'],
  render: (scene) => {
    const { seconds, random, modifiers } = scene
    const made = silence(scene.frames)
    for (let insect = mentions(scene, 'cricket', 'cicada') ? 1 : 4; insect > 0; insect--) {
      const hertz = near(scene, 4_400, 0.1) * random.between(0.92, 1.08) * 2 ** (modifiers.pitch * 0.4)
      const period = beat(scene, random.between(0.42, 0.6) / modifiers.speed)
      const pulse = grain(0.022, (time) => 0.4 * Math.sin(Math.PI * (time / 0.022)) * Math.sin(2 * Math.PI * hertz * time))
      const [pan, gain] = [random.signed() * 0.9, random.between(0.4, 1)]
      for (let at = random.next() * period; at < seconds; at += period)
        for (let index = 0; index < 3; index++) put(made, pulse, { at: at + index * 0.034, gain, pan })
    }
    return made
  },
}
