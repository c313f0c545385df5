import type { Offered } from './contract.js'
import type { EntityKind } from './entities.js'
import { fieldsOf, type Field } from './kinds.js'
import { personIn } from './people.js'
import { looseOf, matchOf, phraseOf, TAKES, type Match, type Phrase } from './phrase.js'
import type { Token } from './words.js'

/** A capability, ready to be compared with sentences. */
export interface Entry {
  readonly id: string
  readonly offered: Offered
  readonly fields: readonly Field[]
  readonly phrases: readonly Phrase[]
  /** The parameter that takes free text; null without. */
  readonly text: Field | null
}

/** A capability that a sentence could mean. */
export interface Candidate {
  readonly entry: Entry
  readonly score: number
  /** Its phrases that are in the sentence, the best first. */
  readonly matches: readonly Match[]
}

/** Kinds of entities that a capability must have a parameter for. */
const COUNTED: readonly EntityKind[] = ['url', 'email', 'phone', 'domain', 'ending']
const NOT_TAKEN = -0.6
const SECOND = 0.25
const PERSON = 0.8
/** What the ending of a file says of the parameter that takes its address, by the first word of its name. */
const ENDINGS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\.(?:mp3|wav|m4a|ogg|oga|opus|flac|aac|mp4|mkv|mov|webm|avi)$/i, ['audio']],
  [/\.(?:jpe?g|png|webp|gif|tiff?|avif|svg|heic)$/i, ['image']],
  [/\.(?:pdf|xml|docx?|odt|xlsx?|pptx?|epub)$/i, ['document']],
]
const ADDRESSES = new Set(ENDINGS.flatMap(([, words]) => words))
/** Questions that a search can answer begin or end so. */
const QUESTION = /\?\s*$|^\s*(?:who|what|when|where|why|how|which|is|are|does|do|did|can)\b/i
/** Words to the gateway itself. */
const SMALL_TALK = /^\s*(?:who|what|how)\s+(?:are|can|do|could|is|will)\s+(?:you|your)\b/i

/** Capabilities by what they declare: phrases, titles, aliases, examples and parameters. Built once for each set of them. */
export class Catalogue {
  readonly entries: readonly Entry[]
  readonly #weights: ReadonlyMap<string, number>
  readonly #takers: ReadonlyMap<EntityKind, number>

  constructor(capabilities: readonly Offered[]) {
    this.entries = capabilities.map(entryOf)
    this.#weights = weightsOf(this.entries)
    this.#takers = new Map(COUNTED.map((kind) => [kind, this.entries.filter((entry) => isTaken(entry, kind)).length]))
  }

  /** The capabilities that a sentence could mean, the likeliest first. */
  candidates(message: string, tokens: readonly Token[]): Candidate[] {
    const isQuestion = QUESTION.test(message) && tokens.length > 2 && !SMALL_TALK.test(message)
    return this.entries
      .flatMap((entry): Candidate[] => {
        const matches = entry.phrases
          .filter((phrase) => isQuestion || !phrase.isQuestion)
          .flatMap((phrase) => matchOf(phrase, tokens, entry.fields, this.#weights) ?? [])
          .sort((one, other) => other.score - one.score)
        const [best, second] = matches
        if (best === undefined) return []
        return [{ entry, matches, score: best.score + SECOND * (second?.score ?? 0) + this.#evidence(entry, tokens) }]
      })
      .sort((one, other) => other.score - one.score)
  }

  /** What the addresses and numbers in a sentence say for a capability or against it. */
  #evidence(entry: Entry, tokens: readonly Token[]): number {
    const takesPeople = entry.fields.some(({ kind }) => kind.of === 'first-name')
    let sum = takesPeople && personIn(tokens, new Set()) !== null ? PERSON : 0
    for (const kind of COUNTED) {
      const entity = tokens.find((token) => token.entity?.kind === kind)?.entity
      if (entity === undefined || entity === null) continue
      const weight = rarity(this.#takers.get(kind) ?? 0, this.entries.length) / 2
      sum += isTaken(entry, kind) ? weight : NOT_TAKEN
      if (kind === 'url') sum += endingFits(entry, entity.value)
    }
    return sum
  }
}

function entryOf(offered: Offered): Entry {
  const { id, title, aliases, phrases, examples, formatOf, input } = offered
  const said = phrases.map(({ say, params }) => phraseOf(say, params))
  const names = [title, id, ...aliases, ...examples.map((example) => example.title)].map((text) => looseOf(text))
  const slots = said.flatMap(({ parts }) => parts.flatMap((part) => ('slot' in part ? [part.slot] : [])))
  const fields = fieldsOf(input, formatOf, new Set(slots))
  const texts = fields.filter(({ kind }) => kind.of === 'text' || kind.of === 'code')
  const often = (name: string): number => slots.filter((slot) => slot === name).length
  const [text = null] = [...texts].sort((one, other) => often(other.name) - often(one.name))
  return { id, offered, fields, phrases: [...said, ...names], text }
}

/** A word weighs more the fewer capabilities have it in their phrases (Robertson and Spärck Jones). */
function weightsOf(entries: readonly Entry[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { phrases } of entries) {
    const stems = phrases.flatMap(({ parts }) => parts.flatMap((part) => ('slot' in part ? [] : part.stems)))
    for (const stem of new Set(stems)) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  }
  return new Map([...counts].map(([stem, count]) => [stem, rarity(count, entries.length)]))
}

function rarity(count: number, all: number): number {
  return Math.log(1 + (all - count + 0.5) / (count + 0.5))
}

function isTaken({ fields }: Entry, kind: EntityKind): boolean {
  return fields.some(({ kind: { of } }) => TAKES.get(of)?.[0] === kind)
}

function endingFits({ fields }: Entry, url: string): number {
  const path = url.replace(/[?#].*$/, '')
  const found = ENDINGS.find(([ending]) => ending.test(path))?.[1]
  const named = fields.flatMap(({ name, kind }) => (kind.of === 'url' ? [name.split('_')[0] ?? ''] : [])).filter((name) => ADDRESSES.has(name)) // prettier-ignore
  if (named.length === 0) return 0
  return found?.some((word) => named.includes(word)) === true ? 0.5 : found === undefined ? 0 : NOT_TAKEN
}
