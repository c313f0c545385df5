import { RATE } from '../piece.js'
import type { Random } from './random.js'

/** A source of samples of about -1 to 1. */
export type Source = () => number

/** The same power in every hertz. */
export function white(random: Random): Source {
  return () => random.signed()
}

/** Falls by 3 dB an octave: Paul Kellet's filter, true to 0.05 dB above 9 Hz at this rate. */
export function pink(random: Random): Source {
  let [b0, b1, b2, b3, b4, b5, b6] = [0, 0, 0, 0, 0, 0, 0]
  return () => {
    const sample = random.signed()
    b0 = 0.99886 * b0 + sample * 0.0555179
    b1 = 0.99332 * b1 + sample * 0.0750759
    b2 = 0.969 * b2 + sample * 0.153852
    b3 = 0.8665 * b3 + sample * 0.3104856
    b4 = 0.55 * b4 + sample * 0.5329522
    b5 = -0.7616 * b5 - sample * 0.016898
    const out = b0 + b1 + b2 + b3 + b4 + b5 + b6 + sample * 0.5362
    b6 = sample * 0.115926
    return out * 0.18
  }
}

/** Falls by 6 dB an octave above 25 Hz. */
export function brown(random: Random): Source {
  const leak = Math.exp((-2 * Math.PI * 25) / RATE)
  let held = 0
  return () => {
    held = leak * held + 0.05 * random.signed()
    return held * 1.8
  }
}

/** The difference of a source from one sample to the next: 6 dB an octave more. Pink becomes blue, white becomes violet. */
export function steeper(source: Source): Source {
  let before = 0
  return () => {
    const now = source()
    const step = now - before
    before = now
    return step
  }
}

/** Slow random movement between -1 and 1, `rate` turns a second, without edges. */
export function drift(random: Random, rate: number): Source {
  const step = rate / RATE
  let [from, to, at] = [random.signed(), random.signed(), 0]
  return () => {
    at += step
    if (at >= 1) {
      at -= 1
      from = to
      to = random.signed()
    }
    return from + (to - from) * (at * at * (3 - 2 * at))
  }
}
