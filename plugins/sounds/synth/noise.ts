import { RATE } from '../piece.js'
import type { Random } from './random.js'

/**
 * A source of samples of about -1 to 1. Its state is in a float array: numbers in closure variables are allocated
 * anew at each change.
 */
export type Source = () => number

/** Equal power per hertz. */
export function white(random: Random): Source {
  return () => random.signed()
}

/** Falls by 3 dB per octave: Paul Kellet's filter, accurate to 0.05 dB above 9 Hz at this rate. */
export function pink(random: Random): Source {
  const poles = new Float64Array(7)
  return () => {
    const sample = random.signed()
    const b0 = (poles[0] = 0.99886 * (poles[0] ?? 0) + sample * 0.0555179)
    const b1 = (poles[1] = 0.99332 * (poles[1] ?? 0) + sample * 0.0750759)
    const b2 = (poles[2] = 0.969 * (poles[2] ?? 0) + sample * 0.153852)
    const b3 = (poles[3] = 0.8665 * (poles[3] ?? 0) + sample * 0.3104856)
    const b4 = (poles[4] = 0.55 * (poles[4] ?? 0) + sample * 0.5329522)
    const b5 = (poles[5] = -0.7616 * (poles[5] ?? 0) - sample * 0.016898)
    const out = b0 + b1 + b2 + b3 + b4 + b5 + (poles[6] ?? 0) + sample * 0.5362
    poles[6] = sample * 0.115926
    return out * 0.18
  }
}

/** Falls by 6 dB per octave above 25 Hz. */
export function brown(random: Random): Source {
  const leak = Math.exp((-2 * Math.PI * 25) / RATE)
  const held = new Float64Array(1)
  return () => (held[0] = leak * (held[0] ?? 0) + 0.05 * random.signed()) * 1.8
}

/** The difference between consecutive samples of a source: 6 dB per octave more. Pink becomes blue, white becomes violet. */
export function steeper(source: Source): Source {
  const before = new Float64Array(1)
  return () => {
    const now = source()
    const step = now - (before[0] ?? 0)
    before[0] = now
    return step
  }
}

/** Slow random movement between -1 and 1, `rate` turns per second, without edges. */
export function drift(random: Random, rate: number): Source {
  const step = rate / RATE
  const state = Float64Array.of(random.signed(), random.signed(), 0)
  return () => {
    let at = (state[2] ?? 0) + step
    if (at >= 1) {
      at -= 1
      state[0] = state[1] ?? 0
      state[1] = random.signed()
    }
    state[2] = at
    const from = state[0] ?? 0
    return from + ((state[1] ?? 0) - from) * (at * at * (3 - 2 * at))
  }
}
