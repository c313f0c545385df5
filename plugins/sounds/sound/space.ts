import { RATE, type Modifiers, type Stereo } from '../piece.js'
import { lowPass, smooth } from '../synth/filters.js'

/** Delays in samples of the combs and of the all passes (Freeverb), and the offset of the right channel. */
const COMBS = [1116, 1277, 1422, 1617]
const ALL_PASSES = [556, 225]
const SPREAD = 23

/**
 * Places a sound in a room, in place: distant sounds lose high frequencies and definition, soft ones are duller, and
 * rooms reverberate.
 */
export function inSpace(sound: Stereo, { distance, echo, loudness }: Modifiers): void {
  const room = Math.min(1, echo + 0.25 * distance)
  for (const [index, channel] of [sound.left, sound.right].entries()) {
    if (distance > 0) {
      const [first, second] = [lowPass(16_000 * 0.05 ** distance), smooth(16_000 * 0.06 ** distance)]
      for (let at = 0; at < channel.length; at++) channel[at] = second(first(channel[at] ?? 0))
    }
    if (loudness < 0) {
      const dull = smooth(18_000 * 0.35 ** -loudness)
      for (let at = 0; at < channel.length; at++) channel[at] = dull(channel[at] ?? 0)
    }
    if (room > 0) reverberate(channel, room, index * SPREAD)
  }
}

function reverberate(channel: Float32Array, room: number, spread: number): void {
  const wet = new Float32Array(channel.length)
  const seconds = 0.5 + 3 * room
  for (const delay of COMBS) comb(channel, wet, { delay: delay + spread, feedback: 10 ** ((-3 * (delay + spread)) / RATE / seconds) })
  for (const delay of ALL_PASSES) allPass(wet, delay + spread)
  const share = 0.22 * room
  for (let at = 0; at < channel.length; at++) channel[at] = (channel[at] ?? 0) * (1 - 0.3 * room) + share * (wet[at] ?? 0)
}

/** Adds the output of a comb filter whose high frequencies decay faster. */
function comb(
  source: Float32Array,
  target: Float32Array,
  { delay, feedback }: { readonly delay: number; readonly feedback: number },
): void {
  const line = new Float32Array(delay)
  for (let at = 0, place = 0, held = 0; at < source.length; at++) {
    const out = line[place] ?? 0
    held = out * 0.75 + held * 0.25
    line[place] = (source[at] ?? 0) + held * feedback
    place = place + 1 === delay ? 0 : place + 1
    target[at] = (target[at] ?? 0) + out
  }
}

function allPass(channel: Float32Array, delay: number): void {
  const line = new Float32Array(delay)
  for (let at = 0, place = 0; at < channel.length; at++) {
    const [input, before] = [channel[at] ?? 0, line[place] ?? 0]
    line[place] = input + before * 0.5
    channel[at] = before - input * 0.5
    place = place + 1 === delay ? 0 : place + 1
  }
}
