import type { Pcm } from './wav.js'

/** Seconds. */
const FADE = 0.005
const BETWEEN_SENTENCES = 0.25
const BETWEEN_PARAGRAPHS = 0.5

/** A piece of sound, and whether it ends a paragraph. */
export interface Part extends Pcm {
  readonly endsParagraph: boolean
}

/**
 * Concatenates sounds with silence in between. The first and last five milliseconds of each are faded, so that no
 * click is audible. Throws RangeError for none, and for different sample rates.
 */
export function joined(parts: readonly Part[]): Pcm {
  const [first] = parts
  if (first === undefined) throw new RangeError('there is no sound to join')
  const { rate } = first
  if (parts.some((part) => part.rate !== rate)) throw new RangeError('sounds of different rates cannot be joined')
  const gapOf = ({ endsParagraph }: Part): number => Math.round(rate * (endsParagraph ? BETWEEN_PARAGRAPHS : BETWEEN_SENTENCES))
  const gaps = parts.slice(0, -1).reduce((sum, part) => sum + gapOf(part), 0)
  const samples = new Int16Array(parts.reduce((sum, part) => sum + part.samples.length, gaps))
  let at = 0
  for (const part of parts) {
    samples.set(part.samples, at)
    fade(samples.subarray(at, at + part.samples.length), rate)
    at += part.samples.length + gapOf(part)
  }
  return { rate, samples }
}

/** Modifies the samples in place. */
function fade(samples: Int16Array, rate: number): void {
  const length = Math.min(Math.round(rate * FADE), Math.floor(samples.length / 2))
  for (let at = 0; at < length; at++) {
    const [head, tail] = [samples[at] ?? 0, samples[samples.length - 1 - at] ?? 0]
    samples[at] = Math.round((head * at) / length)
    samples[samples.length - 1 - at] = Math.round((tail * at) / length)
  }
}

/** The first channel of a multichannel sound. */
export function mono({ rate, channels, samples }: Pcm & { readonly channels: number }): Pcm {
  return channels === 1 ? { rate, samples } : { rate, samples: samples.filter((_, at) => at % channels === 0) }
}
