import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../core/runtime/root.js'
import type { Features } from './features.js'

type Bounds = readonly [least: number, most: number]
type Measured = Exclude<keyof Features, 'share' | 'first' | 'last'>

/** What a sound must have. */
interface Wanted extends Partial<Readonly<Record<Measured, Bounds>>> {
  readonly share?: readonly { readonly from: number; readonly to: number; readonly least: number }[]
  readonly ends?: { readonly first: Bounds; readonly last: Bounds }
  /** Beats a second, of which the beat may be a half, a quarter, twice or four times as many. */
  readonly beatMultipleOf?: number
}

/** One of the sixty, as it was written before the engine. */
export interface Prompt {
  readonly kind: 'synth' | 'modifiers' | 'samples' | 'music' | 'mix'
  readonly prompt: string
  readonly seconds?: number
  readonly features: Wanted
  /** A prompt to whose sound this one is held. */
  readonly than?: string
  readonly compared?: Readonly<Partial<Record<Measured, 'higher' | 'lower'>>>
}

const BEAT_TOLERANCE = 0.04

export function prompts(): Prompt[] {
  return JSON.parse(readFileSync(join(packageRoot(), 'scripts/bench/sounds/prompts.json'), 'utf8')) as Prompt[]
}

/** What of the features of a prompt its sound lacks, in words; none where it is right. */
export function lacks({ features, compared = {} }: Prompt, found: Features, other: Features | null): string[] {
  const { share = [], ends, beatMultipleOf, ...plain } = features
  const bounds = Object.entries(plain) as [Measured, Bounds][]
  return [
    ...bounds.flatMap(([name, range]) => outside(name, found[name], range)),
    ...share.flatMap(({ from, to, least }) => outside(`share ${String(from)}-${String(to)} Hz`, found.share(from, to), [least, 1.01])),
    ...(ends === undefined ? [] : [...outside('first', found.first, ends.first), ...outside('last', found.last, ends.last)]),
    ...(beatMultipleOf === undefined || fitsBeat(found.beat, beatMultipleOf)
      ? []
      : [`beat ${found.beat.toFixed(2)} for ${String(beatMultipleOf)}`]),
    ...Object.entries(compared).flatMap(([name, how]) => unlike(name as Measured, how, { found, other })),
  ]
}

function outside(name: string, value: number, [least, most]: Bounds): string[] {
  return value >= least && value <= most ? [] : [`${name} ${value.toPrecision(3)} not in ${String(least)} to ${String(most)}`]
}

function unlike(
  name: Measured,
  how: 'higher' | 'lower',
  { found, other }: { readonly found: Features; readonly other: Features | null },
): string[] {
  if (other === null) return [`${name} has nothing to be held to`]
  const is = how === 'higher' ? found[name] > other[name] : found[name] < other[name]
  return is ? [] : [`${name} ${found[name].toPrecision(3)} is not ${how} than ${other[name].toPrecision(3)}`]
}

function fitsBeat(beat: number, wanted: number): boolean {
  return [0.25, 0.5, 1, 2, 4].some((times) => Math.abs(beat / (wanted * times) - 1) <= BEAT_TOLERANCE)
}
