import { RATE } from '../../piece.js'
import { bandPass, highPass, lowPass, smooth } from '../filters.js'
import { brown, drift, pink, white } from '../noise.js'
import type { Random } from '../random.js'
import { filled, grain, near, put, mentions, scattered, silence, type Recipe } from '../scene.js'

/** Samples between two levels of a rumble. */
const COARSE = 64

/** Crackles of widely varying loudness over a low flutter. */
export const fire: Recipe = {
  id: 'fire',
  triggers: ['fire', 'campfire', 'fireplace', 'flame', 'flames', 'bonfire', 'burning', 'torch', 'crackling', 'wildfire'],
  attributes: ['crackling', 'crackle', 'wood', 'log', 'logs', 'cozy', 'warm', 'roaring'],
  render: (scene) => {
    const { frames, random, modifiers } = scene
    const channel = (own: Random): ((at: number) => number) => {
      const [deep, soft, flutter, slow] = [brown(own), smooth(420), drift(own, 9), drift(own, 1.3)]
      const [air, high] = [pink(own), highPass(2_500)]
      return () => soft(deep()) * (0.13 + 0.06 * flutter() + 0.045 * slow()) * (1 + 0.7 * modifiers.weight) + 0.035 * high(air())
    }
    const made = filled(frames, channel(random.fork()), channel(random.fork()))
    scattered(scene, near(scene, 14 * 1.8 ** modifiers.weight) * modifiers.speed, (at) => {
      const band = bandPass(900 * 6 ** random.next(), 1.6)
      const dies = random.between(0.0008, 0.006)
      const crackle = grain(dies * 7, (time) => band(random.signed() * Math.exp(-time / dies)) * 2.4)
      put(made, crackle, { at, gain: 0.12 + 1.5 * random.next() ** 5, pan: random.signed() * 0.7 })
    })
    return made
  },
}

/** A crack, unless it is far, and a rumble in several pushes that fades. */
export const thunder: Recipe = {
  id: 'thunder',
  triggers: ['thunder', 'thunderclap', 'thunderstorm', 'thunderstorms', 'lightning', 'storm', 'rainstorm'],
  attributes: ['clap', 'rumble', 'rumbling', 'rolling', 'strike', 'strikes', 'bolt'],
  render: (scene) => {
    const { frames, seconds, random, modifiers } = scene
    const made = silence(frames)
    const far = modifiers.distance
    for (let at = seconds > 1 ? near(scene, 0.15) : 0; at < seconds; at += random.between(9, 13) / modifiers.speed) {
      const length = Math.min(seconds - at, near(scene, 6))
      if (far < 0.3) {
        const bright = smooth(7_000)
        const dies = Math.min(0.14, length / 8)
        const crack = grain(
          dies * 6,
          (time) => bright(random.signed()) * Math.exp(-time / dies) * (0.6 + 0.4 * random.next()) * Math.min(1, time * 400),
        )
        put(made, crack, { at, gain: 0.45, pan: random.signed() * 0.4 })
      }
      for (const pan of [-0.8, 0.8]) put(made, rumble(random.fork(), { length, far }), { at, gain: 1, pan })
    }
    return made
  },
}

function rumble(random: Random, { length, far }: { readonly length: number; readonly far: number }): Float32Array {
  const pushes = Array.from({ length: 5 }, (_, index) => ({
    at: index === 0 ? 0 : random.next() ** 1.4 * length * 0.5,
    size: index === 0 && far < 0.3 ? 1 : random.between(0.3, 0.8),
    rise: far > 0.3 ? random.between(0.15, 0.5) : 0.02,
    dies: length * random.between(0.1, 0.2),
  }))
  const [deep, first, second] = [brown(random), lowPass(260 - 130 * far), lowPass(340 - 160 * far)]
  const levels = Float32Array.from({ length: Math.ceil((length * RATE) / COARSE) + 1 }, (_, at) => {
    const time = (at * COARSE) / RATE
    return pushes.reduce(
      (sum, push) =>
        sum + (time > push.at ? push.size * Math.min(1, (time - push.at) / push.rise) * Math.exp(-(time - push.at) / push.dies) : 0),
      0,
    )
  })
  return grain(length, (time) => {
    const place = (time * RATE) / COARSE
    const from = Math.floor(place)
    const level = (levels[from] ?? 0) + ((levels[from + 1] ?? 0) - (levels[from] ?? 0)) * (place - from)
    return second(first(deep())) * level * Math.min(1, (length - time) / (length * 0.15))
  })
}

/** The surface noise of a record, and the noise of a radio between stations. */
export const crackle: Recipe = {
  id: 'crackle',
  triggers: ['vinyl', 'gramophone', 'record', 'static', 'radio'],
  attributes: ['crackle', 'crackling', 'noise', 'old', 'needle', 'hiss', 'between', 'stations', 'tv', 'interference', 'player', 'surface'],
  render: (scene) => {
    const { frames, random, modifiers } = scene
    const radio = mentions(scene, 'static', 'radio')
    const channel = (own: Random): ((at: number) => number) => {
      const [hiss, high, low, slow] = [white(own), highPass(radio ? 400 : 900), lowPass(radio ? 6_500 : 11_000), drift(own, 6)]
      return () => low(high(hiss())) * (radio ? 0.5 + 0.15 * slow() : 0.06)
    }
    const made = filled(frames, channel(random.fork()), channel(random.fork()))
    scattered(scene, (radio ? 6 : 22) * modifiers.speed, (at) => {
      const [dies, band] = [random.between(0.0002, 0.0012), highPass(700)]
      put(
        made,
        grain(dies * 8, (time) => band(random.signed() * Math.exp(-time / dies))),
        { at, gain: random.next() ** 3, pan: random.signed() * 0.5 },
      )
    })
    return made
  },
}
