import { FORMATS, type FormatName } from '../formats.js'
import { RATE, type SoundOrder, type Stereo } from '../piece.js'
import type { Part } from '../prompt/plan.js'
import type { SampleChoice } from '../samples/choose.js'
import { laid, stereoOf } from '../samples/lay.js'
import { faded, looped, overlapOf, wrapped } from '../sound/ends.js'
import { levelled, loudnessOf, TARGET } from '../sound/loudness.js'
import { pcmOf, wavOf } from '../sound/pcm.js'
import { resampled } from '../sound/resample.js'
import { inSpace } from '../sound/space.js'
import { Random } from '../synth/random.js'
import { RECIPES } from '../synth/recipes.js'
import { silence, type Scene } from '../synth/scene.js'

/** A recorded sound, the index of its bytes among the files, and how it is played. */
export interface Placed {
  readonly place: number
  readonly choice: SampleChoice
}

/** Input of the rendering. */
export interface Rendering {
  readonly parts: readonly Part<Placed>[]
  readonly steps: number
  readonly seconds: number
  readonly loop: boolean
  /** From 0 for literal to 1 for free. */
  readonly freedom: number
  readonly format: FormatName
  /** Path of the sound font. */
  readonly soundfont: string
}

/** Plays the music of an order; null when none is requested. */
export type Musician = (order: SoundOrder) => Promise<Stereo | null>

/** Integrated loudness in LUFS; null for silence. */
export interface Rendered {
  readonly lufs: number | null
}

/** Seconds in which a step fades under the next one. */
const RINGING = 0.5
/** Seconds that a struck sound of a loop rings into its start. */
const TAIL = 4

/** Runs in a sandboxed process: renders all parts, mixes them, and returns a WAV file, or PCM for formats that a program encodes. */
export async function rendered(
  files: readonly Uint8Array[],
  wanted: Rendering,
  musician: Musician | null,
): Promise<{ result: Rendered; data: Uint8Array }> {
  const frames = Math.round(wanted.seconds * RATE)
  const mix = silence(frames)
  for (const part of wanted.parts) {
    const made = await partOf(part, { files, wanted, musician })
    const level = loudnessOf([made.left, made.right], RATE)
    if (level > -Infinity) lay(mix, made, { at: Math.round((frames * part.step) / wanted.steps), gain: TARGET - level + part.gain })
  }
  if (!wanted.loop) faded(mix)
  const { kind, rate, channels } = FORMATS[wanted.format]
  const sources = channels === 1 ? [mono(mix)] : [mix.left, mix.right]
  const length = Math.round(wanted.seconds * rate)
  const finished = sources.map((source) => resampled(source, { from: RATE, to: rate, frames: length, round: wanted.loop }))
  const lufs = levelled(finished, rate)
  return { result: { lufs: lufs === -Infinity ? null : lufs }, data: kind === 'wav' ? wavOf(finished, rate) : pcmOf(finished) }
}

interface Given {
  readonly files: readonly Uint8Array[]
  readonly wanted: Rendering
  readonly musician: Musician | null
}

/** Renders one part with its length and its position in the room; a loop is already seamless. */
async function partOf({ order, made }: Part<Placed>, { files, wanted, musician }: Given): Promise<Stereo> {
  const frames = Math.round(order.seconds * RATE)
  if (made.by === 'music') return await music(order, musician)
  const isLoop = order.loop && wanted.steps === 1
  const isStruck = made.by === 'sample' && (made.sample.choice.kind === 'hit' || made.sample.choice.kind === 'event')
  const behind = isLoop ? (isStruck ? TAIL * RATE : overlapOf(order.seconds)) : wanted.steps === 1 ? 0 : RINGING * RATE
  const longer = frames + behind
  const sound =
    made.by === 'sample'
      ? recorded(made.sample, files, longer)
      : synthesized(made.recipe, order, { frames: longer, freedom: wanted.freedom, loop: isLoop })
  inSpace(sound, order.modifiers)
  if (!isLoop) {
    dying(sound, frames)
    return sound
  }
  return isStruck ? wrapped(sound, frames) : looped(sound, frames)
}

/** Fades out after so many samples, in place. */
function dying({ left, right }: Stereo, frames: number): void {
  for (const channel of [left, right])
    for (let at = frames; at < channel.length; at++) channel[at] = (channel[at] ?? 0) * (1 - (at - frames) / (channel.length - frames)) ** 2
}

function recorded({ place, choice }: Placed, files: readonly Uint8Array[], frames: number): Stereo {
  const bytes = files[place]
  if (bytes === undefined) throw new Error('a recorded sound is missing')
  return laid(stereoOf(bytes), choice, frames)
}

function synthesized(
  id: string,
  { modifiers, words, seed, seconds }: SoundOrder,
  { frames, freedom, loop }: { readonly frames: number; readonly freedom: number; readonly loop: boolean },
): Stereo {
  const recipe = RECIPES.find((each) => each.id === id)
  if (recipe === undefined) throw new Error(`there is no recipe ${id}`)
  const scene: Scene = {
    frames,
    seconds: frames / RATE,
    modifiers,
    words,
    freedom,
    loopSeconds: loop ? seconds : null,
    random: new Random(seed),
  }
  return recipe.render(scene)
}

async function music(order: SoundOrder, musician: Musician | null): Promise<Stereo> {
  const made = (await musician?.(order)) ?? null
  if (made === null) throw new Error('the music has nothing to play')
  const { echo, distance } = order.modifiers
  if (!order.loop || (echo === 0 && distance === 0)) {
    inSpace(made, order.modifiers)
    return made
  }
  // The reverb of a loop rings from its end into its start.
  const twice = { left: doubled(made.left), right: doubled(made.right) }
  inSpace(twice, order.modifiers)
  return { left: twice.left.slice(made.left.length), right: twice.right.slice(made.right.length) }
}

function doubled(channel: Float32Array): Float32Array {
  const made = new Float32Array(channel.length * 2)
  made.set(channel)
  made.set(channel, channel.length)
  return made
}

function lay(target: Stereo, source: Stereo, { at, gain }: { readonly at: number; readonly gain: number }): void {
  const factor = 10 ** (gain / 20)
  for (const [to, from] of [
    [target.left, source.left],
    [target.right, source.right],
  ] as const) {
    const end = Math.min(from.length, to.length - at)
    for (let index = 0; index < end; index++) to[at + index] = (to[at + index] ?? 0) + (from[index] ?? 0) * factor
  }
}

function mono({ left, right }: Stereo): Float32Array {
  return left.map((sample, at) => (sample + (right[at] ?? 0)) / 2)
}
