import { KINDS, nothing, wordsOf, type Content, type Kind } from './content.js'
import { holdsAddresses, holdsNumbers, isSheet, isText, ofOneSheet } from './formats.js'
import { contentOf } from './read.js'

export interface CompareArgs {
  readonly from: string
  readonly to: string
  /** Format of the result files: txt for the text of a PDF; null when they are not compared. */
  readonly result: string | null
}

/** Content that a conversion left out. */
export interface Losses {
  /** Words of the source, and how many are missing in the result. */
  readonly words: number
  readonly missing: number
  /** Blocks of the source by kind, and how many have nearly no word in the result. */
  readonly kinds: readonly { readonly kind: Kind | 'pictures'; readonly of: number; readonly missing: number }[]
  /** Names of sheets that a single-table format cannot hold. */
  readonly sheets: readonly string[]
  /** Pictures in the source; null when not counted. */
  readonly pictures: number | null
  /** Pages of the source that may be empty; null when unknown. */
  readonly breaks: number | null
}

/** Share of missing words above which a block is left out: a few of them may occur elsewhere too. */
const ABSENT = 0.75
/** Shorter words are not searched inside others, where a mark or the end of a line divided one. */
const DIVIDED = 5
/** Most characters searched for such words; the rest counts as found. */
const MOST_SEARCHED = 300_000_000

/** Compares the words and blocks of a source, the first file, with those of a result, the others. Runs in the sandbox. */
export default async function compare(
  [source = new Uint8Array(), ...results]: readonly Uint8Array[],
  args: CompareArgs,
): Promise<{ readonly result: Losses }> {
  const { from, to, result: format } = args
  const content = await contentOf(source, from)
  const made = nothing()
  if (format !== null)
    for (const each of results) {
      const { blocks, pictures } = await contentOf(each, format, 'result')
      made.blocks.push(...blocks)
      made.pictures = pictures === null || made.pictures === null ? null : made.pictures + pictures
    }
  const single = ofOneSheet(to)
  const compared = format === null || (single && content.sheets.length > 0) ? null : missingOf(content, made, args)
  return {
    result: {
      words: compared?.words ?? content.blocks.reduce((sum, { text }) => sum + wordsOf(text).length, 0),
      missing: compared?.missing ?? 0,
      kinds: [...(compared?.kinds ?? []), ...picturesLost(content, made, args)],
      sheets: single ? content.sheets : [],
      pictures: content.pictures,
      breaks: Number.isFinite(content.breaks) ? content.breaks : null,
    },
  }
}

function picturesLost(source: Content, made: Content, { from, to, result }: CompareArgs) {
  const of = source.pictures ?? 0
  // Pictures in addresses stay there in text formats that are not inspected.
  const kept = result === to ? made.pictures : isText(to) && !holdsAddresses(from) ? 0 : null
  return kept === null || of <= kept ? [] : [{ kind: 'pictures' as const, of, missing: of - kept }]
}

function missingOf(source: Content, made: Content, { from, to }: CompareArgs) {
  const result = new Words(made, !isSheet(from) && !isSheet(to))
  const counted = holdsNumbers(from) || holdsNumbers(to) ? /\p{L}/u : /./
  const counts = new Map<Kind, { of: number; missing: number }>()
  let [words, missing] = [0, 0]
  for (const { kind, text } of source.blocks) {
    const own = wordsOf(text).filter((word) => counted.test(word))
    if (own.length === 0) continue
    const lost = own.filter((word) => !result.takes(word))
    const absent = lost.length >= own.length * ABSENT && !result.has(own)
    const count = counts.get(kind) ?? { of: 0, missing: 0 }
    counts.set(kind, { of: count.of + 1, missing: count.missing + (absent ? 1 : 0) })
    words += own.length
    missing += absent ? own.length : lost.filter((word) => word.length < DIVIDED || !result.has([word])).length
  }
  const kinds = KINDS.flatMap((kind) => {
    const count = counts.get(kind)
    return count === undefined || count.missing === 0 ? [] : [{ kind, ...count }]
  })
  return { words, missing, kinds }
}

/** The words of a result, each of which matches one word of the source; in sheets, where cells may repeat others, any number. */
class Words {
  readonly #counts = new Map<string, number>()
  readonly #once: boolean
  readonly #all: string
  #searched = 0

  constructor({ blocks }: Content, once: boolean) {
    const words = blocks.flatMap(({ text }) => wordsOf(text))
    for (const word of words) this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1)
    this.#all = words.join('')
    this.#once = once
  }

  takes(word: string): boolean {
    const left = this.#counts.get(word) ?? 0
    if (left > 0 && this.#once) this.#counts.set(word, left - 1)
    return left > 0
  }

  /** Whether words are consecutive in the result, regardless of how they are divided there. */
  has(words: readonly string[]): boolean {
    const text = words.join('')
    if (text.length < DIVIDED) return false
    this.#searched += this.#all.length
    return this.#searched > MOST_SEARCHED || this.#all.includes(text)
  }
}
