import { parseUrl } from '../../core/sdk/index.js'
import type { Offered } from './contract.js'
import type { EntityKind } from './entities.js'
import { fieldsOf, siteOf, type Field } from './kinds.js'
import { factsIn } from './facts.js'
import { personIn } from './people.js'
import { looseOf, matchOf, phraseOf, TAKES, type Match, type Phrase } from './phrase.js'
import { isFiller, stemOf, type Token } from './words.js'

/** A capability, prepared for matching sentences. */
export interface Entry {
  readonly id: string
  readonly offered: Offered
  readonly fields: readonly Field[]
  readonly phrases: readonly Phrase[]
  /** Related words with their weight, 0 to 1. */
  readonly words: ReadonlyMap<string, number>
  /** The parameter for free text; null without one. */
  readonly text: Field | null
}

/** A capability that a sentence may mean. */
export interface Candidate {
  readonly entry: Entry
  readonly score: number
  /** Its phrases in the sentence, best first. */
  readonly matches: readonly Match[]
}

/** Kinds of entities that require a parameter of the capability. */
const COUNTED: readonly EntityKind[] = ['url', 'email', 'phone', 'domain', 'ending', 'code']
/** Kinds that are nearly always a parameter's value. */
const DISTINCTIVE: readonly EntityKind[] = ['email', 'phone', 'code']
const NOT_TAKEN = -0.6
const SECOND = 0.25
const PERSON = 0.8
const SITE = 2
const TO_FORMAT = 0.8
/** Weight of single words relative to a phrase. */
const WORDS = 0.5
/** Words of a sentence matched individually, and those with full weight. */
const [MOST_WORDS, EARLY_WORDS] = [40, 10]
/** Words and entities required for a capability without a matching phrase. */
const LEAST_SIGNS = 2
/** Weight of related words, by their origin. */
const CLOSENESS = { phrase: 1, title: 1, example: 0.4, parameter: 0.4, description: 0.25 }
/** The first word of the parameter names for a file address, by file extension. */
const ENDINGS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\.(?:mp3|wav|m4a|ogg|oga|opus|flac|aac|mp4|mkv|mov|webm|avi)$/i, ['audio']],
  [/\.(?:jpe?g|png|webp|gif|tiff?|avif|svg|heic)$/i, ['image']],
  [/\.(?:pdf|xml|docx?|odt|xlsx?|pptx?|epub)$/i, ['document']],
]
const ADDRESSES = new Set(ENDINGS.flatMap(([, words]) => words))
/** Starts or ends of questions that a search can answer. */
const QUESTION = /\?\s*$|^\s*(?:who|what|when|where|why|how|which|is|are|does|do|did|can)\b/i
/** Remarks addressed to the gateway itself. */
const SMALL_TALK = /^\s*(?:(?:who|what|how)\s+(?:are|can|do|could|is|will)\s+(?:you|your)|hello|hi|hey)\b/i

/** Capabilities by their declarations: phrases, titles, aliases, examples and parameters. Built once for each set of them. */
export class Catalogue {
  readonly entries: readonly Entry[]
  readonly #weights: ReadonlyMap<string, number>
  readonly #takers: ReadonlyMap<EntityKind, number>

  constructor(capabilities: readonly Offered[]) {
    this.entries = capabilities.map(entryOf)
    this.#weights = weightsOf(this.entries)
    this.#takers = new Map(COUNTED.map((kind) => [kind, this.entries.filter((entry) => isTaken(entry, kind)).length]))
  }

  /** The capabilities that a sentence may mean, the most likely first. */
  candidates(message: string, tokens: readonly Token[]): Candidate[] {
    const isQuestion = QUESTION.test(message) && tokens.length > 2 && !SMALL_TALK.test(message)
    return this.entries
      .flatMap((entry): Candidate[] => {
        const matches = entry.phrases
          .filter((phrase) => isQuestion || !phrase.isQuestion)
          .flatMap((phrase) => matchOf(phrase, tokens, entry.fields, this.#weights) ?? [])
          .sort((one, other) => other.score - one.score)
        const [best, second] = matches
        const words = this.#words(entry, tokens)
        const evidence = this.#evidence(entry, tokens)
        const hasSigns = words.count + evidence.taken >= LEAST_SIGNS || evidence.isDistinctive
        if (best === undefined && !hasSigns) return []
        const said = (best?.score ?? 0) + SECOND * (second?.score ?? 0)
        return [{ entry, matches, score: said + WORDS * words.sum + evidence.sum }]
      })
      .sort((one, other) => other.score - one.score)
  }

  /** Score of a sentence's single words for a capability. */
  #words({ words }: Entry, tokens: readonly Token[]): { readonly sum: number; readonly count: number } {
    const seen = new Set<string>()
    let [sum, count, place] = [0, 0, 0]
    for (const { stem, entity, isFiller: filler } of tokens) {
      if (entity !== null || filler || seen.has(stem)) continue
      if (++place > MOST_WORDS) break
      seen.add(stem)
      const closeness = words.get(stem) ?? 0
      sum += closeness * (this.#weights.get(stem) ?? 0) * (place > EARLY_WORDS ? 0.5 : 1)
      if (closeness >= CLOSENESS.parameter) count++
    }
    return { sum, count }
  }

  /** Score of a sentence's addresses, numbers and names for or against a capability. */
  #evidence(entry: Entry, tokens: readonly Token[]): { readonly sum: number; readonly taken: number; readonly isDistinctive: boolean } {
    let [sum, taken, isDistinctive] = [0, 0, false]
    const name = entry.fields.find(({ kind }) => kind.of === 'first-name')
    if (name !== undefined && personIn(tokens, new Set()) !== null) [sum, taken] = [PERSON, 1]
    else if (name?.required === true) sum -= PERSON
    const target = entry.fields.filter(
      ({ name: own, kind }) => kind.of === 'format' || (kind.of === 'choice' && /(?:^|_)format$/.test(own)),
    )
    if (target.length > 0 && tokens.some((token) => token.entity?.kind === 'url') && factsIn(tokens, target).length > 0) sum += TO_FORMAT
    for (const kind of COUNTED) {
      const entity = tokens.find((token) => token.entity?.kind === kind)?.entity
      if (entity === undefined || entity === null) continue
      const weight = rarity(this.#takers.get(kind) ?? 0, this.entries.length)
      const isSpecific = DISTINCTIVE.includes(kind) && (this.#takers.get(kind) ?? 0) > 0
      const isOwn = isTaken(entry, kind)
      if (isOwn) [taken, isDistinctive] = [taken + 1, isDistinctive || isSpecific]
      if (isOwn) sum += isSpecific ? weight : weight / 2
      else if (kind !== 'code' || isSpecific) sum += isSpecific ? NOT_TAKEN * 2 : NOT_TAKEN
      if (kind !== 'url') continue
      const site = siteFits(entry, entity.value)
      isDistinctive ||= site > 0
      sum += site + endingFits(entry, entity.value)
    }
    return { sum, taken, isDistinctive }
  }
}

/** Start of a list of related words in any order. */
const LIST = /^\*\s+/

function entryOf(offered: Offered): Entry {
  const { id, title, description, aliases, phrases, examples, formatOf, input } = offered
  const said = phrases.filter(({ say }) => !LIST.test(say)).map(({ say, params }) => phraseOf(say, params))
  const names = [title, id, ...aliases].map((text) => looseOf(text))
  const slots = said.flatMap(({ parts }) => parts.flatMap((part) => ('slot' in part ? [part.slot] : [])))
  const fields = fieldsOf(input, formatOf, new Set(slots))
  const texts = fields.filter(({ kind }) => kind.of === 'text' || kind.of === 'code')
  const often = (name: string): number => slots.filter((slot) => slot === name).length
  const [text = null] = [...texts].sort((one, other) => often(other.name) - often(one.name))
  const words = new Map<string, number>()
  const add = (stem: string, closeness: number): void => {
    if (stem !== '' && !isFiller(stem)) words.set(stem, Math.max(closeness, words.get(stem) ?? 0))
  }
  const addAll = (given: string, closeness: number): void => given.split(/[^\p{L}\p{N}]+/u).forEach((word) => add(stemOf(word), closeness))
  addAll(description, CLOSENESS.description)
  for (const { name, kind } of fields) addAll('values' in kind ? [name, ...kind.values].join(' ') : name, CLOSENESS.parameter)
  for (const example of examples) addAll(example.title, CLOSENESS.example)
  for (const name of [title, id, ...aliases]) addAll(name, CLOSENESS.title)
  for (const { say } of phrases) if (LIST.test(say)) addAll(say, CLOSENESS.phrase)
  for (const { parts } of said)
    for (const part of parts) for (const stem of 'slot' in part ? part.holds : part.stems) add(stem, CLOSENESS.phrase)
  return { id, offered, fields, phrases: [...said, ...names], words, text }
}

/** A word weighs more the fewer capabilities it is related to (Robertson and Spärck Jones). */
function weightsOf(entries: readonly Entry[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { words } of entries)
    for (const [stem, closeness] of words) if (closeness >= CLOSENESS.title) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  return new Map([...counts].map(([stem, count]) => [stem, rarity(count, entries.length)]))
}

function rarity(count: number, all: number): number {
  return Math.log(1 + (all - count + 0.5) / (count + 0.5))
}

function isTaken({ fields }: Entry, kind: EntityKind): boolean {
  const has = (wanted: Field['kind']['of']): boolean => fields.some(({ kind: { of } }) => of === wanted)
  if (kind === 'code') return has('code')
  // A person's company may be given by its domain.
  if (kind === 'domain' && has('first-name') && has('organisation')) return true
  return fields.some(({ kind: { of } }) => TAKES.get(of)?.[0] === kind)
}

/** `linkedin_url` takes LinkedIn addresses, which is strong evidence. */
function siteFits({ fields }: Entry, url: string): number {
  const host = parseUrl(url)?.hostname ?? ''
  return fields.some(({ name, kind }) => kind.of === 'url' && siteOf(name) !== null && host.includes(siteOf(name) ?? '')) ? SITE : 0
}

function endingFits({ fields }: Entry, url: string): number {
  const path = url.replace(/[?#].*$/, '')
  // The format of a file is recognised by its extension.
  if (fields.some(({ kind }) => kind.of === 'source-format')) return /\.\w{1,5}$/.test(parseUrl(path)?.pathname ?? '') ? 0 : NOT_TAKEN
  const found = ENDINGS.find(([ending]) => ending.test(path))?.[1]
  const named = fields.flatMap(({ name, kind }) => (kind.of === 'url' ? [name.split('_')[0] ?? ''] : [])).filter((name) => ADDRESSES.has(name)) // prettier-ignore
  if (named.length === 0) return 0
  return found?.some((word) => named.includes(word)) === true ? 0.5 : found === undefined ? 0 : NOT_TAKEN
}
