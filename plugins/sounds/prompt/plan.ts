import type { Modifiers, SoundOrder } from '../piece.js'
import { seedOf } from '../synth/random.js'
import { isModifier, modifiersOf } from './modifiers.js'
import { isNeutral } from './neutral.js'
import { isBound, thingsIn, wordsOfRecipe } from './things.js'
import { stretchesOf, wordsOf, type Stretch } from './words.js'

/** Minimum share of content words that must be understood; at influence 1 all of them. */
const LEAST_KNOWN = 0.4
/** Weight of a word for a place. */
const DETAIL = 0.35
/** Gain of a background part in dB. */
const BEHIND = -7
const QUIETER = -4

/** One audible thing. `T` identifies a recorded sound. */
export interface Part<T = unknown> {
  readonly order: SoundOrder
  /** dB relative to the loudest. */
  readonly gain: number
  /** Index of the step in time. */
  readonly step: number
  readonly made:
    { readonly by: 'synth'; readonly recipe: string } | { readonly by: 'music' } | { readonly by: 'sample'; readonly sample: T }
}

/** The plan for a prompt. */
export interface Plan<T = unknown> {
  readonly parts: readonly Part<T>[]
  /** Number of steps in time. */
  readonly steps: number
  /** Words without a match, in order. */
  readonly unknown: readonly string[]
}

/** Sources of sounds beside the recipes. */
export interface Sources<T> {
  /** A recorded sound and its words in the prompt; null without a match. */
  readonly sample: (order: SoundOrder) => { readonly sample: T; readonly words: readonly string[] } | null
  readonly music: (prompt: string) => boolean
}

interface Wanted {
  readonly prompt: string
  readonly seconds: number
  readonly loop: boolean
  readonly prompt_influence: number
}

interface Understood<T> {
  readonly stretch: Stretch
  readonly made: readonly (Part<T>['made'] & { readonly own: readonly string[] })[]
  readonly unknown: readonly Unknown[]
}

interface Unknown {
  readonly word: string
  readonly counts: number
}

/** Parses a prompt. Null when nothing matches, or too little for its influence: another vendor may support more. Deterministic. */
export function planOf<T>(wanted: Wanted, sources: Sources<T>): Plan<T> | null {
  const seed = seedOf(JSON.stringify([wanted.prompt, wanted.seconds, wanted.loop, wanted.prompt_influence]))
  const stretches = stretchesOf(wanted.prompt)
  const steps = 1 + Math.max(0, ...stretches.map(({ step }) => step))
  const orderOf = (words: readonly string[], modifiers: Modifiers, place: number): SoundOrder => ({
    prompt: words.join(' '),
    words,
    seconds: wanted.seconds / steps,
    loop: wanted.loop,
    seed: (seed + Math.imul(place + 1, 0x9e3779b1)) >>> 0,
    modifiers,
  })
  const understood = joined(
    stretches.flatMap((stretch) => understoodIn(stretch, sources, (words) => orderOf(words, modifiersOf(words), 0))),
  )
  const parts: Part<T>[] = []
  for (const { stretch, made } of understood)
    for (const { own, ...by } of made) {
      const modifiers = modifiersOf(own)
      // The steps of a man who walks with footsteps are played once.
      const same = parts.findIndex(
        (part) => part.step === stretch.step && by.by === 'synth' && part.made.by === 'synth' && part.made.recipe === by.recipe,
      )
      const before = parts[same]
      if (before !== undefined) {
        const words = [...before.order.words, ...stretch.words]
        const both = modifiersOf(words)
        parts[same] = {
          ...before,
          order: { ...before.order, words, prompt: words.join(' '), modifiers: both },
          gain: Math.max(before.gain, gainOf(modifiers)),
        }
        continue
      }
      // A recipe reads all words of its segment; its modifiers come only from its own words.
      parts.push({ order: orderOf(stretch.words, modifiers, parts.length), gain: gainOf(modifiers), step: stretch.step, made: by })
    }
  const [only] = parts
  if (parts.length === 1 && only?.made.by === 'music')
    parts[0] = { ...only, order: { ...only.order, prompt: wanted.prompt, words: wordsOf(wanted.prompt) } }
  const unknown = understood.flatMap((each) => each.unknown)
  const known = wordsThatCount(stretches) - unknown.length
  const weight = unknown.reduce((sum, { counts }) => sum + counts, 0)
  const needed = LEAST_KNOWN + (1 - LEAST_KNOWN) * wanted.prompt_influence
  if (parts.length === 0 || known / (known + weight) < needed - 1e-9) return null
  return { parts, steps, unknown: unknown.map(({ word }) => word) }
}

function understoodIn<T>(stretch: Stretch, sources: Sources<T>, orderOf: (words: readonly string[]) => SoundOrder): Understood<T>[] {
  const { words, step } = stretch
  const found = sources.sample(orderOf(words))
  const { things, unknown } = thingsIn(words)
  const weighed = unknown.map(({ word, isDetail }) => ({ word, counts: isDetail ? DETAIL : 1 }))
  const synthesized = things.map(({ recipe, own }) => ({ by: 'synth' as const, recipe: recipe.id, own }))
  if (found !== null) {
    const others = things.filter(({ hit }) => !hit.every((word) => found.words.includes(word)))
    // The door that is knocked on is not a separate sound.
    const isAttribute = others.some(({ recipe }) =>
      found.words.every((word) => recipe.attributes?.includes(word) === true || recipe.triggers.includes(word)),
    )
    if (!isAttribute) {
      const rest = synthesized.filter((_, index) => others.some(({ recipe }) => recipe === things[index]?.recipe))
      const left = weighed.filter(({ word }) => !found.words.includes(word))
      return [{ stretch, made: [{ by: 'sample', sample: found.sample, own: words }, ...rest], unknown: left }]
    }
  }
  if (!sources.music(words.join(' '))) return [{ stretch, made: synthesized, unknown: weighed }]
  const bound = words.findIndex(
    (word, at) => isBound(word) && isScene(words.slice(at), sources) && sources.music(words.slice(0, at).join(' ')),
  )
  if (bound === -1) return [{ stretch, made: [{ by: 'music', own: words }], unknown: [] }]
  const [played, around] = [words.slice(0, bound), words.slice(bound)]
  return [
    { stretch: { words: played, step }, made: [{ by: 'music', own: played }], unknown: [] },
    ...understoodIn({ words: around, step }, sources, orderOf),
  ]
}

/** Whether words after a preposition are a separate sound: the rain in "a piano in the rain". */
function isScene<T>(words: readonly string[], { music }: Sources<T>): boolean {
  return thingsIn(words).things.length > 0 && !music(words.join(' '))
}

/** Merges a segment without its own sound into the previous one, or into the next at the start; adjacent music is one piece. */
function joined<T>(all: readonly Understood<T>[]): Understood<T>[] {
  const found: Understood<T>[] = []
  let waiting: Understood<T> | null = null
  for (const each of all) {
    const before = found.at(-1)
    const isMusic = (one: Understood<T> | undefined): boolean => one?.made[0]?.by === 'music'
    if (each.made.length > 0 && !(isMusic(each) && isMusic(before) && before?.stretch.step === each.stretch.step)) {
      found.push(waiting === null ? each : merged(waiting, each, each))
      waiting = null
    } else if (before !== undefined) found[found.length - 1] = merged(before, each, before)
    else waiting = waiting === null ? each : merged(waiting, each, each)
  }
  return found
}

function merged<T>(one: Understood<T>, other: Understood<T>, { made, stretch }: Understood<T>): Understood<T> {
  const words = [...one.stretch.words, ...other.stretch.words]
  const given = one.made.length === 0 ? one.stretch.words : other.stretch.words
  const last = made.length - 1
  const own = made.map((each, index) =>
    made === one.made
      ? index === last
        ? { ...each, own: [...each.own, ...given] }
        : each
      : index === 0
        ? { ...each, own: [...given, ...each.own] }
        : each,
  )
  // Words beside music belong to it.
  const known = made.flatMap(({ by, ...rest }) => (by === 'synth' && 'recipe' in rest ? wordsOfRecipe(rest.recipe) : []))
  const unknown = made[0]?.by === 'music' ? [] : [...one.unknown, ...other.unknown].filter(({ word }) => !known.includes(word))
  return { stretch: { words, step: stretch.step }, made: own, unknown }
}

function gainOf({ distance, loudness }: Modifiers): number {
  return BEHIND * distance + (loudness < 0 ? QUIETER * -loudness : 0)
}

function wordsThatCount(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { words }) => sum + words.filter((word) => !isModifier(word) && !isNeutral(word)).length, 0)
}
