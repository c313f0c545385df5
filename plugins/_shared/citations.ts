import { claimsOf, isGerman, type Claim, type Claims } from './claims/claims.js'
import { nameForm } from './claims/common-words.js'
import { SourceIndex } from './claims/source-index.js'
import { WantedKeys } from './claims/wanted-keys.js'
import { Words } from './claims/words.js'
import { sentenceEnds } from './sentences.js'

/** A source of a generated text. */
export interface CitedSource {
  /** The content that supports the text: title, snippet and text, in parts of any length. */
  readonly passages: readonly string[]
}

export interface StruckSentence {
  /** The sentence as it was written. */
  readonly sentence: string
  /** `uncited`: it cites no existing source, and no source supports it. `unsupported`: the cited sources do not support it. */
  readonly reason: 'uncited' | 'unsupported'
  /** The cited sources, counted from 1. */
  readonly cited: readonly number[]
  /** The figures, dates and names that were not found. */
  readonly missing: readonly string[]
}

interface CheckedText {
  readonly text: string
  /** Sentences with a figure, date or name that their sources support. */
  readonly kept: number
  readonly struck: readonly StruckSentence[]
}

interface Part {
  readonly written: string
  /** Words of the sentence without its markers. */
  readonly words: Words
  readonly cited: readonly number[]
  readonly claims: Claims
}

/** `[2]`, `[1, 3]`, `[^4]`, `[Source 5]`, `[Sources 1 and 2]`, `【6†x】`. */
const MARKER = /[[【]\^?(sources? ?|quelle )?(\d{1,4}(?:(?: ?[,;] ?| and | und |, ?sources? )\d{1,4}){0,9})(?:†[^[\]【】\n]{0,40})?[\]】]/gi
/** A source named in words; its number is not a figure of the sentence. */
const IN_WORDS = /\bsources? \d{1,3}(?:(?:,| and|, and) \d{1,3}){0,9}\b/gi
/** A heading or a table row, which gets no marker. */
const UNMARKED = /^\s*[#|]/
/** Prefix of a line before its text: markers of lists, quotes and headings. */
const OPENING = /^(?:\s{0,20}(?:#{1,6}|[-*+•>]|\d{1,3}[.)])(?=\s))?\s{0,20}/
const END = /[.!?…。！？]["'”’)]{0,3}$/
/** Appended to a sentence that is marked instead of removed. */
const UNVERIFIED = '[not in its sources]'

/**
 * Checks each sentence of a text that has a figure, a date or a name against the sources it cites as `[n]` or
 * `[Source n]`, counted from 1. Figures are compared by value in any grouping, with their unit where both sides have
 * one, dates in any form, names by their words or initials; figures must be near some other word of the sentence. A
 * sentence without a citation gets the marker of the first source that supports all of it; sources cited on the same
 * line are tried first. Unsupported sentences are removed or marked. Markers of sources that do not exist are
 * removed. Names are found by their capitals: scripts without capitals have none, and in German a single word is not
 * a name. Rounded figures do not match. Time grows linearly with both texts: about 20 ms for 64 KiB of each, five
 * times as long for adversarial texts; run it in a worker.
 */
export function checkCitations(
  text: string,
  sources: readonly CitedSource[],
  { unsupported = 'remove' }: { readonly unsupported?: 'remove' | 'mark' } = {},
): CheckedText {
  const german = isGerman(text.slice(0, 20_000))
  const label = /\[sources? ?\d/i.test(text) ? 'Source ' : ''
  const lines = text.split('\n').map((line) => {
    const opening = OPENING.exec(line)?.[0] ?? ''
    return { opening, mark: UNMARKED.test(line) ? null : label, parts: partsOf(line.slice(opening.length), sources.length, german) }
  })
  const check = new Check(
    sources,
    lines.flatMap(({ parts }) => parts),
  )
  const kept: string[] = []
  for (const { opening, mark, parts } of lines) {
    const ofLine = [...new Set(parts.flatMap(({ cited }) => cited))]
    const written = parts.flatMap((part) => {
      const cited = check.cited(part, ofLine)
      if (cited !== null) return [withMarkers(part, cited, mark)]
      return unsupported === 'remove' ? [] : [withMark(part, label)]
    })
    // A line with nothing left is removed with its prefix.
    if (parts.length === 0 || written.length > 0) kept.push(`${opening}${written.join('').trimEnd()}`.trimEnd())
  }
  const checked = kept
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return { text: checked, kept: check.kept, struck: check.struck }
}

/** The supported sentences, and the outcome of the others. */
class Check {
  kept = 0
  readonly struck: StruckSentence[] = []
  readonly #sources: readonly SourceIndex[]
  readonly #ordinary: (word: string) => boolean

  constructor(sources: readonly CitedSource[], parts: readonly Part[]) {
    const wanted = parts.flatMap(({ claims: { claims, terms } }) => [
      ...claims.flatMap(({ ways, unless }) => [...ways.flat(), ...(unless === null ? [] : [unless])]),
      ...terms,
    ])
    const keys = new WantedKeys(wanted)
    this.#sources = sources.map(({ passages }) => new SourceIndex(passages, keys))
    const plain = plainWords(parts)
    this.#ordinary = (word) => plain.has(word) || this.#sources.some((source) => source.has(word))
  }

  /** The sources that a sentence may cite, null when the sentence must be removed. */
  cited(part: Part, ofLine: readonly number[]): readonly number[] | null {
    const { terms } = part.claims
    const claims = part.claims.claims.filter(({ unless }) => unless === null || !this.#ordinary(unless))
    if (claims.length === 0) return part.cited
    const missingIn = (number: number, of: readonly Claim[]): readonly Claim[] => this.#sources[number - 1]?.missing(of, terms) ?? of
    if (part.cited.length > 0) {
      const missing = part.cited.reduce<readonly Claim[]>((left, number) => (left.length === 0 ? left : missingIn(number, left)), claims)
      return this.#ended(part, missing, part.cited, 'unsupported')
    }
    const found = [...ofLine, ...this.#sources.map((_source, at) => at + 1)].find((number) => missingIn(number, claims).length === 0)
    return this.#ended(part, found === undefined ? claims : [], found === undefined ? [] : [found], 'uncited')
  }

  #ended({ written, cited }: Part, missing: readonly Claim[], holding: readonly number[], reason: StruckSentence['reason']) {
    if (missing.length === 0) {
      this.kept++
      return holding
    }
    this.struck.push({ sentence: written.trim(), reason, cited, missing: [...new Set(missing.map(({ shown }) => shown()))] })
    return null
  }
}

function partsOf(line: string, count: number, german: boolean): Part[] {
  let from = 0
  return sentenceEnds(line).map((to) => {
    const written = line.slice(from, to)
    from = to
    const marked = written.includes('[') || written.includes('【')
    const cited = marked ? [...new Set([...written.matchAll(MARKER)].flatMap(([, , list = '']) => numbersOf(list, count)))] : []
    const words = new Words((marked ? written.replace(MARKER, ' ') : written).replace(IN_WORDS, ' ').trim())
    return { written, words, cited, claims: claimsOf(words, german) }
  })
}

/** Keys of the words that occur without a capital somewhere in the text. */
function plainWords(parts: readonly Part[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { words } of parts) for (const [at, word] of words.folded.entries()) if (!words.isCapital(at)) found.add(word)
  return new Set([...found].map((word) => `l:${nameForm(word)}`))
}

/** The sources named by a marker, without those that do not exist. */
function numbersOf(list: string, count: number): number[] {
  return (list.match(/\d+/g) ?? []).map(Number).filter((number) => number >= 1 && number <= count)
}

/** The sentence with only the markers of existing sources; `label` is null where an uncited sentence gets none. */
function withMarkers({ written, cited }: Part, holding: readonly number[], label: string | null): string {
  const named = replaced(written, cited)
  if (cited.length > 0 || holding.length === 0 || label === null) return named
  return withBehind(named, holding.map((number) => `[${label}${number}]`).join(''))
}

function withMark({ written, cited }: Part, label: string): string {
  return withBehind(replaced(written, cited), label === '' ? UNVERIFIED : `*${UNVERIFIED}*`)
}

function replaced(written: string, existing: readonly number[]): string {
  const clean = written.replace(MARKER, (_whole, label: string | undefined, list: string) =>
    numbersOf(list, Infinity)
      .filter((number) => existing.includes(number))
      .map((number) => `[${label === undefined ? '' : 'Source '}${number}]`)
      .join(''),
  )
  return clean === written ? written : clean.replace(/ {2,}/g, ' ').replace(/ ([.,;:!?])/g, '$1')
}

/** Inserts a marker before the final stop of a sentence; trailing blanks are kept. */
function withBehind(sentence: string, mark: string): string {
  const bare = sentence.trimEnd()
  const end = END.exec(bare)?.[0] ?? ''
  return `${bare.slice(0, bare.length - end.length)} ${mark}${end}${sentence.slice(bare.length)}`
}
