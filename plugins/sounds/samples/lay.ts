import { RATE, type Stereo } from '../piece.js'
import type { SampleChoice } from './choose.js'

/** Seconds of the crossfade into a texture's next round; for a rhythm it only avoids a click. */
const OVERLAP = { texture: 0.5, loop: 0.006 }
/** Maximum share of a recording for the crossfade. */
const MOST_OVERLAP = 0.3
/** Fade-out in seconds of a recording that is cut off. */
const CUT = 0.04

/**
 * A recording as specified by a choice, exactly `frames` samples: a texture and a rhythm repeat, the first with a
 * crossfade; anything else is played at its start times, over silence. `sound` is the whole recording at 44,100 Hz.
 */
export function laid(sound: Stereo, choice: SampleChoice, frames: number): Stereo {
  const source = { left: atRate(sound.left, choice.rate), right: atRate(sound.right, choice.rate) }
  const made = { left: new Float32Array(frames), right: new Float32Array(frames) }
  if (choice.kind === 'texture' || choice.kind === 'loop') goRound(made, source, OVERLAP[choice.kind])
  else
    for (const [index, start] of choice.starts.entries()) {
      const from = Math.round(start * RATE)
      for (const side of ['left', 'right'] as const) once(made[side], source[side], from, choice.gains[index] ?? 1)
    }
  return made
}

/** Parses interleaved stereo samples as 32-bit little-endian floats, as written by ffmpeg with `decodeArgs`. */
export function stereoOf(bytes: Uint8Array): Stereo {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const frames = Math.floor(bytes.byteLength / 8)
  const side = (offset: number): Float32Array => Float32Array.from({ length: frames }, (_, at) => view.getFloat32(at * 8 + offset, true))
  return { left: side(0), right: side(4) }
}

/** Arguments of ffmpeg to decode a recording to standard output in the form of `stereoOf`. */
export function decodeArgs(path: string): string[] {
  return ['-v', 'error', '-nostdin', '-i', path, '-map', '0:a:0', '-ar', String(RATE), '-ac', '2', '-f', 'f32le', 'pipe:1']
}

function goRound(made: Stereo, source: Stereo, overlap: number): void {
  const { length } = source.left
  if (length === 0) return
  const crossing = Math.round(Math.min(overlap * RATE, length * MOST_OVERLAP))
  const step = length - crossing
  for (const side of ['left', 'right'] as const) {
    const [target, samples] = [made[side], source[side]]
    for (let from = 0; from < target.length; from += step)
      for (let at = 0; at < length && from + at < target.length; at++) {
        const rise = from === 0 || at >= crossing ? 1 : Math.sin((Math.PI * at) / (2 * crossing))
        const fall = at < step ? 1 : Math.cos((Math.PI * (at - step)) / (2 * crossing))
        target[from + at] = (target[from + at] ?? 0) + (samples[at] ?? 0) * rise * fall
      }
  }
}

/** Adds a recording at a sample; if the target ends first, it fades out. */
function once(target: Float32Array, samples: Float32Array, from: number, gain: number): void {
  const count = Math.min(samples.length, target.length - from)
  const cut = count < samples.length ? Math.min(count, Math.round(CUT * RATE)) : 0
  for (let at = 0; at < count; at++) {
    const fall = at < count - cut ? 1 : (count - at - 1) / cut
    target[from + at] = (target[from + at] ?? 0) + (samples[at] ?? 0) * gain * fall
  }
}

/** A channel played faster or slower, by cubic interpolation (Catmull-Rom). */
function atRate(samples: Float32Array, rate: number): Float32Array {
  if (rate === 1) return samples
  const made = new Float32Array(Math.floor(samples.length / rate))
  for (let at = 0; at < made.length; at++) {
    const place = at * rate
    const base = Math.floor(place)
    const share = place - base
    const [a, b, c, d] = [samples[base - 1] ?? 0, samples[base] ?? 0, samples[base + 1] ?? 0, samples[base + 2] ?? 0]
    made[at] = b + 0.5 * share * (c - a + share * (2 * a - 5 * b + 4 * c - d + share * (3 * (b - c) + d - a)))
  }
  return made
}
