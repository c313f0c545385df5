import { RATE, type Modifiers, type Stereo } from '../piece.js'
import type { Random } from './random.js'

/** Input of a recipe. */
export interface Scene {
  readonly frames: number
  readonly seconds: number
  readonly modifiers: Modifiers
  /** The words of its part of the prompt, in order. */
  readonly words: readonly string[]
  readonly random: Random
  /** From 0 for literal to 1 for free: how far unspecified properties may deviate from the usual. */
  readonly freedom: number
  /** Length of a loop: the rest is crossfaded with its start. Null for a sound played once. */
  readonly loopSeconds: number | null
}

/** A kind of sound. */
export interface Recipe {
  readonly id: string
  /** Words and phrases that request it. */
  readonly triggers: readonly string[]
  /** Words that describe it and request nothing by themselves. */
  readonly attributes?: readonly string[]
  readonly render: (scene: Scene) => Stereo
}

export function silence(frames: number): Stereo {
  return { left: new Float32Array(frames), right: new Float32Array(frames) }
}

/** Whether one of the words occurs in the part of the prompt. */
export function mentions({ words }: Pick<Scene, 'words'>, ...any: readonly string[]): boolean {
  return any.some((word) => words.includes(word))
}

/** A value near the usual: within the share `most`, wider with more freedom. */
export function near({ random, freedom }: Scene, usual: number, most = 0.25): number {
  return usual * (1 + random.signed() * most * freedom)
}

/** A frequency rounded to whole periods per loop; unchanged without a loop. */
export function looped({ loopSeconds }: Pick<Scene, 'loopSeconds'>, hertz: number): number {
  return loopSeconds === null ? hertz : Math.max(1, Math.round(hertz * loopSeconds)) / loopSeconds
}

/** The same for an interval between events, in seconds. */
export function beat(scene: Pick<Scene, 'loopSeconds'>, seconds: number): number {
  return 1 / looped(scene, 1 / seconds)
}

/** Fills both channels by a function of the sample index. */
export function filled(frames: number, left: (at: number) => number, right: (at: number) => number): Stereo {
  const made = silence(frames)
  for (let at = 0; at < frames; at++) {
    made.left[at] = left(at)
    made.right[at] = right(at)
  }
  return made
}

/** The same in both channels. */
export function centred(frames: number, sample: (at: number) => number): Stereo {
  const left = new Float32Array(frames)
  for (let at = 0; at < frames; at++) left[at] = sample(at)
  return { left, right: left.slice() }
}

/** Position and gain of a grain. */
export interface Spot {
  /** Seconds. */
  readonly at: number
  readonly gain: number
  /** -1 left to 1 right. */
  readonly pan?: number
}

/** Adds a short sound to a long one; samples beyond the end are dropped. */
export function put(target: Stereo, grain: Float32Array, { at, gain, pan = 0 }: Spot): void {
  const start = Math.round(at * RATE)
  const [left, right] = [gain * Math.cos(((pan + 1) * Math.PI) / 4), gain * Math.sin(((pan + 1) * Math.PI) / 4)]
  const end = Math.min(grain.length, target.left.length - start)
  for (let index = Math.max(0, -start); index < end; index++) {
    const sample = grain[index] ?? 0
    target.left[start + index] = (target.left[start + index] ?? 0) + sample * left
    target.right[start + index] = (target.right[start + index] ?? 0) + sample * right
  }
}

/** A short sound by a function of its time in seconds. */
export function grain(seconds: number, sample: (time: number) => number): Float32Array {
  const made = new Float32Array(Math.max(1, Math.round(seconds * RATE)))
  for (let at = 0; at < made.length; at++) made[at] = sample(at / RATE)
  return made
}

/** Independent events, `rate` per second on average. */
export function scattered({ seconds, random }: Pick<Scene, 'seconds' | 'random'>, rate: number, event: (at: number) => void): void {
  for (let at = random.gap(rate); at < seconds; at += random.gap(rate)) event(at)
}

const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const OTHERS: Readonly<Record<string, number>> = { single: 1, once: 1, double: 2, twice: 2, couple: 2, triple: 3, several: 4 }

/** The requested count; null when not stated. Numbers with a unit do not count. */
export function countOf({ words }: Pick<Scene, 'words'>): number | null {
  for (const [at, word] of words.entries()) {
    const spelled = NUMBERS.indexOf(word) + 1
    if (spelled > 0) return spelled
    const other = OTHERS[word]
    if (other !== undefined) return other
    if (/^\d{1,2}$/.test(word) && !['hz', 'khz', 'hertz', 'bpm', 'seconds', 'second'].includes(words[at + 1] ?? '') && Number(word) > 0)
      return Number(word)
  }
  return null
}
