import { sentences } from '../_shared/sentences.js'
import type { Contradiction, NumberedSource } from './run-state.js'
import { statementOf, type Figure, type Statement } from './statement.js'

/** Two sentences are about the same subject when they share this much of their content words (Jaccard), or of those of the shorter one. */
const SAME_SUBJECT = 0.5
const SAME_SUBJECT_OF_SHORTER = 0.75
/** An assertion and its denial must share more, since one word may change what is denied. */
const SAME_ASSERTION = 0.7
const FEWEST_TERMS = 2
/** Relative difference below which figures are equal, due to rounding or measurement. */
const TOLERANCE = 0.02
const MOST_COMPARED = 200
const MOST_OF_A_SOURCE = 40
const MOST_FOUND = 5
const SHORTEST = 20
const LONGEST = 300

interface Candidate extends Statement {
  readonly source: number
  readonly domain: string
  /** Terms of the source's title and of the headings above the sentence. */
  readonly about: ReadonlySet<string>
  readonly shared: number
}

type Difference = 'figure' | 'date' | 'denial'

interface Found {
  readonly difference: Difference
  readonly subject: string
  readonly statements: Candidate[]
}

/**
 * Contradictions between sources of different domains: different figures, different dates, or an assertion and its
 * denial about the same subject. Only sentences that share a word with the query are compared, and only those with
 * one figure of a unit or one date, so that the comparison is unambiguous; figures of different years, and of things
 * with different names or versions, do not contradict. At most five, in the order of the sources.
 */
export function contradictions(query: string, sources: readonly NumberedSource[]): Contradiction[] {
  const wanted = statementOf(query).terms
  const candidates = sources
    .flatMap((source) => candidatesOf(source, wanted))
    .sort((one, other) => other.shared - one.shared)
    .slice(0, MOST_COMPARED)
    .sort((one, other) => one.source - other.source)
  const found: Found[] = []
  for (const [at, one] of candidates.entries())
    for (const other of candidates.slice(at + 1)) {
      if (one.source === other.source || one.domain === other.domain) continue
      const difference = differenceOf(one, other)
      if (difference !== null) add(found, difference, one, other)
    }
  return found.slice(0, MOST_FOUND).map(({ subject, statements }) => ({
    subject,
    statements: statements.map(({ source, text }) => ({ source, text })),
  }))
}

/** A contradiction as a line of a report: the statements, each with its marker. */
export function statedContradiction({ statements }: Contradiction): string {
  const quoted = statements.map(({ source, text }) => `"${text.replace(/[.;]{1,4}$/, '').replaceAll('"', "'")}" [Source ${String(source)}]`)
  return `${quoted.join('; ')}.`
}

function candidatesOf({ id, domain, title, passages }: NumberedSource, wanted: ReadonlySet<string>): Candidate[] {
  const found = passages
    .filter(({ isProse }) => isProse)
    .flatMap(({ text, headings }) => {
      const about = statementOf([title, ...headings].join(' ')).terms
      return sentences(text)
        .filter((sentence) => sentence.length >= SHORTEST && sentence.length <= LONGEST)
        .map((sentence) => ({ ...statementOf(sentence), source: id, domain, about }))
    })
    .filter(({ states, terms }) => states && terms.size >= FEWEST_TERMS)
    .map((statement) => ({ ...statement, shared: common(statement.terms, wanted) }))
    .filter(({ shared }) => shared > 0)
  return found.sort((one, other) => other.shared - one.shared).slice(0, MOST_OF_A_SOURCE)
}

/** The difference between two statements; null when there is none, or it is uncertain. */
function differenceOf(one: Candidate, other: Candidate): Difference | null {
  const shared = common(one.terms, other.terms)
  const likeness = shared / (one.terms.size + other.terms.size - shared)
  const ofShorter = shared / Math.min(one.terms.size, other.terms.size)
  if (shared < FEWEST_TERMS || (likeness < SAME_SUBJECT && (ofShorter < SAME_SUBJECT_OF_SHORTER || shared < 3))) return null
  if (!sameNames(one, other)) return null
  if (one.denies !== other.denies) return likeness >= SAME_ASSERTION && agreeInFigures(one, other) ? 'denial' : null
  const otherTime = one.dates.length > 0 && other.dates.length > 0 && !datesAgree(one.dates, other.dates)
  const figures = comparable(one, other)
  if (figures.some(([first, second]) => !sameValue(first, second))) return otherTime ? null : 'figure'
  return otherTime && one.dates.length === 1 && other.dates.length === 1 && likeness >= SAME_SUBJECT ? 'date' : null
}

/** Figures of a unit that occurs once in each statement. */
function comparable(one: Candidate, other: Candidate): (readonly [Figure, Figure])[] {
  return one.figures.flatMap((figure) => {
    const same = ({ unit }: Figure) => unit === figure.unit
    const [match, ...further] = other.figures.filter(same)
    return match === undefined || further.length > 0 || one.figures.filter(same).length > 1 ? [] : [[figure, match] as const]
  })
}

/** Whether two numbers are equal within their written precision; confused thousands and decimals do not contradict. */
function sameValue(one: Figure, other: Figure): boolean {
  const difference = Math.abs(one.value - other.value)
  const larger = Math.max(Math.abs(one.value), Math.abs(other.value))
  if (difference <= TOLERANCE * larger) return true
  // A figure that ends in zeros counts as rounded only when the other one is more precise.
  const coarse = Math.max(one.step, other.step)
  if (one.step !== other.step && difference <= coarse / 2) return true
  const smaller = Math.min(Math.abs(one.value), Math.abs(other.value))
  return smaller > 0 && Math.abs(larger / smaller - 1_000) < 1e-6
}

function agreeInFigures(one: Candidate, other: Candidate): boolean {
  const figures = comparable(one, other)
  return (
    figures.length === Math.max(one.figures.length, other.figures.length) &&
    figures.every(([first, second]) => sameValue(first, second)) &&
    (one.dates.length === 0 || other.dates.length === 0 || datesAgree(one.dates, other.dates))
  )
}

/** A year matches a day in it. */
function datesAgree(one: readonly string[], other: readonly string[]): boolean {
  return one.some((date) => other.some((second) => date.startsWith(second) || second.startsWith(date)))
}

/** Whether the names of one include those of the other; a sentence without names uses those of its title and headings. */
function sameNames(one: Candidate, other: Candidate): boolean {
  if (one.names.size === 0 || other.names.size === 0) {
    const [named, bare] = one.names.size > 0 ? [one, other] : [other, one]
    return named.names.size === 0 || common(named.names, bare.about) > 0
  }
  return common(one.names, other.names) === Math.min(one.names.size, other.names.size)
}

function common(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0
  for (const term of one) if (other.has(term)) shared++
  return shared
}

/** Adds a pair, to an existing contradiction of one of them if any. Each source has one statement per contradiction. */
function add(found: Found[], difference: Difference, one: Candidate, other: Candidate): void {
  const place = found.find((entry) => entry.difference === difference && entry.statements.some((each) => each === one || each === other))
  if (place === undefined) {
    const known = found.some(({ statements }) => [one, other].every(({ source }) => statements.some((each) => each.source === source)))
    const subject = subjectOf(one, other)
    if (!known || !found.some((entry) => entry.subject === subject)) found.push({ difference, subject, statements: [one, other] })
    return
  }
  for (const each of [one, other]) if (!place.statements.some(({ source }) => source === each.source)) place.statements.push(each)
}

/** The shared words, in the form and order of the first. */
function subjectOf(one: Candidate, other: Candidate): string {
  const words = one.text.match(/[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*/gu) ?? []
  const shared = words.filter((word) => {
    const [term] = statementOf(word).terms
    return term !== undefined && one.terms.has(term) && other.terms.has(term)
  })
  return [...new Set(shared)].slice(0, 8).join(' ')
}
