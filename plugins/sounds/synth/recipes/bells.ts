import { highPass } from '../filters.js'
import { countOf, grain, near, put, mentions, silence, type Recipe } from '../scene.js'

/** Partials of a church bell (hum, prime, tierce, quint, nominal and above), and of a plate such as a gong. */
const BELL = [0.5, 1, 1.19, 1.5, 2, 2.51, 3.01, 4.2]
const GONG = [1, 1.34, 1.78, 2.13, 2.57, 3.14, 3.9]
const MOST = 200

/** Struck metal that rings for seconds; chimes are several of them in the wind. */
export const bell: Recipe = {
  id: 'bell',
  triggers: ['bell', 'bells', 'gong', 'wind chimes', 'windchimes', 'chimes'],
  attributes: [
    'church',
    'ringing',
    'rings',
    'ring',
    'tolling',
    'tolls',
    'toll',
    'school',
    'cow',
    'temple',
    'hand',
    'bicycle',
    'struck',
    'singing',
    'bowl',
    'wind',
    'large',
  ],
  render: (scene) => {
    const { seconds, random, modifiers, frames } = scene
    const made = silence(frames)
    const gong = mentions(scene, 'gong', 'temple', 'bowl')
    const chimes = mentions(scene, 'chimes', 'windchimes')
    const usual = gong
      ? 180
      : chimes
        ? 1_500
        : mentions(scene, 'church', 'tolling', 'tolls', 'toll')
          ? 420
          : mentions(scene, 'cow')
            ? 560
            : 880
    const base = near(scene, usual, 0.15) * 2 ** (modifiers.pitch - 0.6 * modifiers.weight)
    const strike = (hertz: number): Float32Array => {
      const long = (gong ? 5 : chimes ? 2 : 3.2) * 2 ** (modifiers.weight * 0.5)
      const partials = (gong ? GONG : BELL).map((factor, index) => ({
        hertz: hertz * factor * random.between(0.998, 1.002),
        gain: 1 / (1 + index * 0.55),
        dies: long / (2.2 + 1.1 * index),
      }))
      return grain(Math.min(long * 1.6, seconds), (time) => {
        let sum = 0
        for (const { hertz: own, gain, dies } of partials) sum += gain * Math.exp(-time / dies) * Math.sin(2 * Math.PI * own * time)
        return 0.3 * sum * Math.min(1, time * 600)
      })
    }
    const notes = (chimes ? [1, 1.125, 1.333, 1.5, 1.778] : [1]).map((factor) => strike(base * factor))
    const most = countOf(scene) ?? (chimes ? MOST : mentions(scene, 'ringing', 'rings', 'tolling', 'tolls', 'bells') ? MOST : 1)
    const step = (chimes ? 0.45 : mentions(scene, 'church', 'tolling', 'tolls', 'toll') || gong ? 2 : 0.9) / modifiers.speed
    for (let index = 0, at = 0.02; index < most && at < seconds; index++, at += step * (chimes ? random.between(0.3, 1.9) : 1)) {
      const note = notes[chimes ? Math.floor(random.next() * notes.length) : 0]
      if (note !== undefined)
        put(made, note, { at, gain: chimes ? random.between(0.3, 0.8) : 0.8, pan: chimes ? random.signed() * 0.6 : 0 })
    }
    return made
  },
}

/** Breaking glass: a crack, and pieces that ring high as they fall, fewer and fewer. */
export const shatter: Recipe = {
  id: 'shatter',
  triggers: [
    'glass breaking',
    'breaking glass',
    'glass shattering',
    'shattering glass',
    'broken glass',
    'shatter',
    'shatters',
    'shattering',
    'glass smash',
    'smashing',
  ],
  attributes: [
    'glass',
    'window',
    'bottle',
    'plate',
    'mirror',
    'vase',
    'falls',
    'floor',
    'pieces',
    'breaking',
    'breaks',
    'smashed',
    'thrown',
    'wine',
  ],
  render: (scene) => {
    const { seconds, random, modifiers, frames } = scene
    const made = silence(frames)
    const count = countOf(scene) ?? 1
    for (let blow = 0; blow < count; blow++) {
      const start = 0.02 + (blow * seconds) / count
      const sharp = highPass(1_200)
      put(
        made,
        grain(0.12, (time) => sharp(random.signed()) * Math.exp(-time / 0.018) * Math.min(1, time * 3_000)),
        { at: start, gain: 1 },
      )
      for (let piece = 0; piece < 70; piece++) {
        const hertz = near(scene, 3_600) * 2 ** (random.between(-0.7, 1.3) + modifiers.pitch * 0.5 - modifiers.weight * 0.5)
        const dies = random.between(0.008, 0.07)
        const ring = grain(
          dies * 5,
          (time) => Math.exp(-time / dies) * (Math.sin(2 * Math.PI * hertz * time) + 0.5 * Math.sin(2 * Math.PI * hertz * 1.62 * time)),
        )
        const late = random.next() ** 2.2 * 1.1
        put(made, ring, { at: start + late, gain: (0.28 * random.between(0.2, 1)) / (1 + 2 * late), pan: random.signed() * 0.8 })
      }
    }
    return made
  },
}
