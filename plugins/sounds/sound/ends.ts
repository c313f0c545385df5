import { RATE, type Stereo } from '../piece.js'

/** Seconds. */
const FADE_IN = 0.003
const FADE_OUT = 0.03
const MOST_OVERLAP = 1

/** Extra samples for rendering a loop of so many seconds, so that its end can be crossfaded with its start. */
export function overlapOf(seconds: number): number {
  return Math.round(Math.min(MOST_OVERLAP, seconds / 4) * RATE)
}

/** Fades the first and last milliseconds in and out, in place. */
export function faded({ left, right }: Stereo): void {
  for (const channel of [left, right]) {
    const [rise, fall] = [Math.round(FADE_IN * RATE), Math.round(FADE_OUT * RATE)]
    for (let at = 0; at < rise; at++) channel[at] = ((channel[at] ?? 0) * at) / rise
    for (let at = 0; at < fall; at++) channel[channel.length - 1 - at] = ((channel[channel.length - 1 - at] ?? 0) * at) / fall
  }
}

/**
 * A loop of `frames` samples from a longer sound: the rest fades out over the start, which fades in. The crossfade
 * depends on their correlation, so that neither noise becomes quieter there nor a tone louder.
 */
export function looped({ left, right }: Stereo, frames: number): Stereo {
  const overlap = left.length - frames
  const [made, sources] = [{ left: left.slice(0, frames), right: right.slice(0, frames) }, [left, right]]
  const alike = correlation(sources, frames, overlap)
  for (const [index, target] of [made.left, made.right].entries()) {
    const source = sources[index] ?? left
    for (let at = 0; at < overlap; at++) {
      const [rise, fall] = [Math.sin((Math.PI * at) / (2 * overlap)), Math.cos((Math.PI * at) / (2 * overlap))]
      const whole = Math.sqrt(Math.max(0.1, 1 + 2 * alike * rise * fall))
      target[at] = ((source[at] ?? 0) * rise + (source[frames + at] ?? 0) * fall) / whole
    }
  }
  return made
}

/** A loop of `frames` samples from a longer sound: the rest is added from the start on, repeatedly. */
export function wrapped({ left, right }: Stereo, frames: number): Stereo {
  const turn = (samples: Float32Array): Float32Array => {
    const made = samples.slice(0, frames)
    for (let at = frames; at < samples.length; at++) made[at % frames] = (made[at % frames] ?? 0) + (samples[at] ?? 0)
    return made
  }
  return { left: turn(left), right: turn(right) }
}

function correlation(channels: readonly Float32Array[], frames: number, overlap: number): number {
  let [both, first, second] = [0, 0, 0]
  for (const channel of channels)
    for (let at = 0; at < overlap; at++) {
      const [a, b] = [channel[at] ?? 0, channel[frames + at] ?? 0]
      both += a * b
      first += a * a
      second += b * b
    }
  return first === 0 || second === 0 ? 0 : both / Math.sqrt(first * second)
}
