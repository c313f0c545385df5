import { isModifier } from './modifiers.js'
import { isNeutral } from './neutral.js'
import { RECIPES } from '../synth/recipes.js'
import type { Recipe } from '../synth/scene.js'

/** Words that end the description of the thing before them. */
const BOUNDS = new Set(['in', 'on', 'at', 'under', 'through', 'near', 'by', 'into', 'against', 'behind', 'from'])

/** The words of a recipe. */
export function wordsOfRecipe(id: string): readonly string[] {
  return RECIPES.filter((recipe) => recipe.id === id).flatMap(understood)
}

function understood({ triggers, attributes = [] }: Recipe): string[] {
  return [...triggers.flatMap((trigger) => trigger.split(' ')), ...attributes]
}

/** Whether a word ends the description of the thing before it. */
export function isBound(word: string): boolean {
  return BOUNDS.has(word)
}

/** A recipe matched by a segment of a prompt. */
export interface Thing {
  readonly recipe: Recipe
  /** The matching words. */
  readonly hit: readonly string[]
  /** The words that modify it, in order. */
  readonly own: readonly string[]
}

/** The things of a segment, and its unused words. */
export interface Things {
  readonly things: readonly Thing[]
  readonly unknown: readonly Unknown[]
}

interface Unknown {
  readonly word: string
  /** It follows a thing and describes its place. */
  readonly isDetail: boolean
}

interface Hit {
  readonly from: number
  readonly to: number
  readonly recipes: readonly Recipe[]
}

/** The recipes matched by a segment of a prompt, in order. */
export function thingsIn(words: readonly string[]): Things {
  const hits = withoutAttributes(hitsIn(words), words)
  const seen = new Set<Recipe>()
  const things = hits.flatMap(({ recipes, from, to }, index) => {
    const fresh = recipes.filter((recipe) => !seen.has(recipe))
    fresh.forEach((recipe) => seen.add(recipe))
    const before = hits[index - 1]
    const after = hits[index + 1]
    const start = before === undefined ? 0 : boundBetween(words, before.to, from)
    const end = after === undefined ? words.length : boundBetween(words, to, after.from)
    return fresh.map((recipe) => ({ recipe, hit: words.slice(from, to), own: words.slice(start, end) }))
  })
  const known = new Set(things.flatMap(({ recipe }) => understood(recipe)))
  const firstEnd = hits[0]?.to ?? words.length
  const placed = words.findIndex((word, at) => at >= firstEnd && BOUNDS.has(word))
  const unknown = words.flatMap((word, at) =>
    known.has(word) || isModifier(word) || isNeutral(word) || isMeasure(word) ? [] : [{ word, isDetail: placed !== -1 && at > placed }],
  )
  return { things, unknown }
}

function hitsIn(words: readonly string[]): Hit[] {
  const hits: Hit[] = []
  for (let at = 0; at < words.length; at++) {
    const [word = '', next = ''] = [words[at], words[at + 1]]
    const pair = RECIPES.filter(({ triggers }) => triggers.includes(`${word} ${next}`))
    const recipes = pair.length > 0 ? pair : RECIPES.filter(({ triggers }) => triggers.includes(unitOf(word)))
    if (recipes.length === 0) continue
    const to = at + (pair.length > 0 ? 2 : 1)
    hits.push({ from: at, to, recipes })
    at = to - 1
  }
  return hits
}

/** A word that only describes another thing of the segment is not a separate thing: the water of running water does not walk. */
function withoutAttributes(hits: readonly Hit[], words: readonly string[]): Hit[] {
  return hits.filter(({ from, to, recipes }) => {
    const between = words.slice(from, to)
    return !hits.some(
      (other) =>
        other.from !== from &&
        other.recipes.some(
          (recipe) =>
            !recipes.includes(recipe) &&
            between.every((word) => recipe.attributes?.includes(word) === true) &&
            !isMutual(other, recipes, words),
        ),
    )
  })
}

/** Two things that describe each other: the first is the attribute. */
function isMutual(other: Hit, recipes: readonly Recipe[], words: readonly string[]): boolean {
  const between = words.slice(other.from, other.to)
  return (
    recipes.some(({ attributes }) => between.every((word) => attributes?.includes(word) === true)) &&
    other.recipes.every((recipe) => RECIPES.indexOf(recipe) > RECIPES.indexOf(recipes[0] ?? recipe))
  )
}

function boundBetween(words: readonly string[], from: number, to: number): number {
  const found = words.findIndex((word, at) => at >= from && at < to && BOUNDS.has(word))
  return found === -1 ? from : found
}

/** `440hz` requests a tone like hz. */
function unitOf(word: string): string {
  return /^\d{1,5}(?:\.\d{1,3})?(k?hz)$/.exec(word)?.[1] ?? word
}

function isMeasure(word: string): boolean {
  return (
    /^\d{1,5}(?:\.\d{1,3})?(?:k?hz|bpm|s|ms)?$/.test(word) ||
    [
      'one',
      'two',
      'three',
      'four',
      'five',
      'six',
      'seven',
      'eight',
      'nine',
      'ten',
      'once',
      'twice',
      'double',
      'triple',
      'several',
      'couple',
      'bpm',
    ].includes(word)
  )
}
