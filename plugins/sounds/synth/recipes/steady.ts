import { RATE } from '../../piece.js'
import { bandPass, lowPass, smooth } from '../filters.js'
import { brown, drift, pink, white } from '../noise.js'
import { beat, centred, countOf, filled, grain, looped, near, put, mentions, silence, type Recipe } from '../scene.js'

/** Overtones of the mains, 50 Hz or 60 in America, or of a machine, with slight beating. */
export const hum: Recipe = {
  id: 'hum',
  triggers: [
    'hum',
    'humming',
    'hums',
    'buzz',
    'buzzing',
    'drone',
    'transformer',
    'refrigerator',
    'fridge',
    'fluorescent',
    'mains',
    'generator',
    'power line',
    'freezer',
    'spaceship',
    'computer',
  ],
  attributes: [
    'electric',
    'electrical',
    'electricity',
    'light',
    'low',
    'deep',
    'power',
    'line',
    'station',
    'machine',
    'of',
    'kitchen',
    'amplifier',
    'american',
    'server',
    'engine',
    'ambient',
    'bass',
    'monitor',
  ],
  render: (scene) => {
    const { frames, random, modifiers } = scene
    const base = looped(scene, (mentions(scene, 'american') ? 60 : 50) * 2 ** modifiers.pitch)
    const buzzes = mentions(scene, 'buzz', 'buzzing', 'fluorescent')
    const overtones = Array.from({ length: buzzes ? 24 : 8 }, (_, index) => ({
      hertz: base * (index + 1),
      gain: (index % 2 === 1 ? 1 : 0.45) / (index + 1) ** (buzzes ? 0.75 : 1.5),
      phase: random.next(),
      sway: drift(random.fork(), 0.7),
    }))
    const rustle = drift(random.fork(), 2)
    return centred(frames, () => {
      let sum = 0
      for (const part of overtones) {
        part.phase = (part.phase + part.hertz / RATE) % 1
        sum += part.gain * Math.sin(2 * Math.PI * part.phase) * (1 + 0.06 * part.sway())
      }
      return 0.3 * sum * (1 + 0.02 * rustle())
    })
  },
}

/** Moving air of a machine: noise below a few kHz with the tone of its blades. */
export const fan: Recipe = {
  id: 'fan',
  triggers: [
    'fan',
    'air conditioner',
    'conditioner',
    'ventilation',
    'vacuum',
    'hairdryer',
    'ventilator',
    'airplane',
    'aeroplane',
    'jet',
    'cabin',
  ],
  attributes: ['air', 'cleaner', 'hair', 'dryer', 'plane', 'inside', 'ceiling', 'electric', 'interior'],
  render: (scene) => {
    const { frames, random, modifiers } = scene
    const strong = mentions(scene, 'vacuum', 'hairdryer', 'jet', 'hair')
    const blades = looped(scene, (strong ? 330 : 105) * modifiers.speed * 2 ** modifiers.pitch)
    let phase = 0
    const tone = new Float32Array(frames)
    for (let at = 0; at < frames; at++) {
      phase = (phase + blades / RATE) % 1
      tone[at] = (strong ? 0.1 : 0.05) * (Math.sin(2 * Math.PI * phase) + 0.5 * Math.sin(4 * Math.PI * phase))
    }
    const channel = (): ((at: number) => number) => {
      const own = random.fork()
      const [air, deep, low] = [pink(own), brown(own), lowPass(strong ? 5_000 : 1_800)]
      return (at) => low(0.6 * air() + 0.3 * deep()) + (tone[at] ?? 0)
    }
    return filled(frames, channel(), channel())
  },
}

/** Strokes of a motor: bursts of low noise at the rate of its cylinders. */
export const motor: Recipe = {
  id: 'motor',
  triggers: [
    'engine',
    'motor',
    'motorcycle',
    'motorbike',
    'car',
    'truck',
    'tractor',
    'lawnmower',
    'helicopter',
    'boat',
    'chainsaw',
    'train',
    'diesel',
  ],
  attributes: [
    'idling',
    'flying',
    'overhead',
    'hovering',
    'idle',
    'running',
    'starting',
    'driving',
    'blades',
    'passing',
    'by',
    'diesel',
    'mower',
    'inside',
    'sports',
    'old',
  ],
  render: (scene) => {
    const { frames, random, modifiers } = scene
    const usual = mentions(scene, 'helicopter')
      ? 11
      : mentions(scene, 'chainsaw', 'motorcycle', 'motorbike')
        ? 70
        : mentions(scene, 'tractor', 'diesel', 'train')
          ? 17
          : 28
    const rate = looped(scene, near(scene, usual, 0.15) * modifiers.speed * 2 ** (modifiers.pitch - 0.4 * modifiers.weight))
    const [source, sway, low, body] = [white(random.fork()), drift(random.fork(), 3), lowPass(900), lowPass(240)]
    let phase = 0
    return centred(frames, () => {
      phase = (phase + (rate * (1 + 0.015 * sway())) / RATE) % 1
      const stroke = Math.exp(-phase * 7)
      return (
        stroke * (0.5 * low(source()) + 1.1 * body(source())) + 0.35 * Math.sin(2 * Math.PI * phase) + 0.2 * Math.sin(4 * Math.PI * phase)
      )
    })
  },
}

/** Two low thuds per beat; the second is shorter and follows after a third of a second. */
export const heartbeat: Recipe = {
  id: 'heartbeat',
  triggers: ['heartbeat', 'heartbeats', 'heart', 'pulse'],
  attributes: ['beat', 'beating', 'beats', 'pounding', 'human', 'racing', 'resting', 'calm', 'baby'],
  render: (scene) => {
    const { seconds, random, modifiers } = scene
    const made = silence(scene.frames)
    const racing = mentions(scene, 'racing', 'pounding', 'baby') ? 1.6 : 1
    const period = beat(scene, near(scene, 0.86, 0.15) / (modifiers.speed * racing))
    const pitch = 2 ** (modifiers.pitch - 0.3 * modifiers.weight)
    const thud = (hertz: number, decay: number): Float32Array => {
      const [skin, source] = [lowPass(160), random.fork()]
      return grain(
        decay * 6,
        (time) =>
          Math.exp(-time / decay) *
          (Math.sin(2 * Math.PI * hertz * pitch * time * (1 + 0.4 * Math.exp(-time * 30))) + 1.2 * skin(source.signed())) *
          Math.min(1, time * 150),
      )
    }
    const most = countOf(scene) ?? Infinity
    for (let index = 0, at = 0.05; index < most && at < seconds; index++, at += period * random.between(0.98, 1.02)) {
      put(made, thud(52, 0.055), { at, gain: 0.9 })
      put(made, thud(66, 0.04), { at: at + period * 0.34, gain: 0.6 })
    }
    return made
  },
}

/** A tick and a tock per second, or at a number of beats per minute. */
export const clock: Recipe = {
  id: 'clock',
  triggers: ['clock', 'clocks', 'tick', 'ticks', 'ticking', 'tock', 'metronome', 'stopwatch', 'timer', 'watch'],
  attributes: ['old', 'grandfather', 'wall', 'bpm', 'time', 'bomb', 'pocket', 'wooden', 'countdown', 'at'],
  render: (scene) => {
    const { seconds, random, modifiers, words } = scene
    const made = silence(scene.frames)
    const named = words[words.indexOf('bpm') - 1] ?? ''
    const bpm = /^\d{2,3}$/.test(named)
      ? Math.max(20, Math.min(400, Number(named)))
      : (mentions(scene, 'watch', 'stopwatch', 'pocket') ? 240 : mentions(scene, 'metronome') ? 120 : 60 * near(scene, 1, 0.05)) *
        modifiers.speed
    // A tick and a tock are one period.
    const step = beat(scene, 120 / bpm) / 2
    const low = mentions(scene, 'grandfather', 'wooden') ? 0.55 : 1
    const tick = (hertz: number): Float32Array => {
      const [band, body] = [bandPass(hertz * low, 4), bandPass(hertz * 0.42 * low, 9)]
      const soften = smooth(9_000)
      return grain(0.07, (time) => {
        const blow = random.signed() * Math.exp(-time / 0.0022)
        return soften(4 * band(blow) + 5 * body(blow)) * Math.min(1, time * 4_000)
      })
    }
    const [first, second] = [tick(3_900), tick(3_200)]
    for (let index = 0, at = 0.05; at < seconds; index++, at += step) put(made, index % 2 === 0 ? first : second, { at, gain: 0.9 })
    return made
  },
}
