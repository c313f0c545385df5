import { RATE } from '../piece.js'

/** One filter with its state, which is in a float array for the same reason as in `Source`: a sample in, a sample out. */
export type Filter = (sample: number) => number

/** First-order low pass, 6 dB per octave. */
export function smooth(hertz: number): Filter {
  const share = 1 - Math.exp((-2 * Math.PI * hertz) / RATE)
  const held = new Float64Array(1)
  return (sample) => (held[0] = (held[0] ?? 0) + share * (sample - (held[0] ?? 0)))
}

/** Second-order filters from Robert Bristow-Johnson's Audio EQ Cookbook. `q` 0.707 has no resonance. */
export function lowPass(hertz: number, q = Math.SQRT1_2): Filter {
  const { cos, alpha } = angle(hertz, q)
  return biquad([(1 - cos) / 2, 1 - cos, (1 - cos) / 2], [1 + alpha, -2 * cos, 1 - alpha])
}

export function highPass(hertz: number, q = Math.SQRT1_2): Filter {
  const { cos, alpha } = angle(hertz, q)
  return biquad([(1 + cos) / 2, -1 - cos, (1 + cos) / 2], [1 + alpha, -2 * cos, 1 - alpha])
}

/** 0 dB at its centre. */
export function bandPass(hertz: number, q: number): Filter {
  const { cos, alpha } = angle(hertz, q)
  return biquad([alpha, 0, -alpha], [1 + alpha, -2 * cos, 1 - alpha])
}

/**
 * A filter with a moving frequency: the low pass and the band pass of one state variable filter (Andrew Simper's
 * form, stable at any speed).
 */
export class Moving {
  readonly #damp: number
  #first = 0
  #second = 0
  low = 0
  band = 0

  constructor(q: number) {
    this.#damp = 1 / q
  }

  /** Processes a sample at a frequency in Hz below half the rate; `low` and `band` are then its outputs. */
  take(sample: number, hertz: number): void {
    const g = Math.tan((Math.PI * Math.min(hertz, 20_000)) / RATE)
    const a1 = 1 / (1 + g * (g + this.#damp))
    const rest = sample - this.#second
    const band = a1 * (this.#first + g * rest)
    const low = this.#second + g * band
    this.#first = 2 * band - this.#first
    this.#second = 2 * low - this.#second
    this.low = low
    this.band = band * this.#damp
  }
}

function angle(hertz: number, q: number): { cos: number; alpha: number } {
  const w = (2 * Math.PI * Math.min(hertz, RATE * 0.49)) / RATE
  return { cos: Math.cos(w), alpha: Math.sin(w) / (2 * q) }
}

function biquad([b0, b1, b2]: readonly [number, number, number], [a0, a1, a2]: readonly [number, number, number]): Filter {
  const [n0, n1, n2, d1, d2] = [b0 / a0, b1 / a0, b2 / a0, a1 / a0, a2 / a0]
  const held = new Float64Array(2)
  return (sample) => {
    const out = n0 * sample + (held[0] ?? 0)
    held[0] = n1 * sample - d1 * out + (held[1] ?? 0)
    held[1] = n2 * sample - d2 * out
    return out
  }
}
