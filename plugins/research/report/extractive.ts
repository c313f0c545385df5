import { line } from '../../search/contract.js'
import type { Report } from '../contract.js'
import { scoredPassages, type ScoredPassage } from '../rank/rank.js'
import type { Facet, NumberedSource } from '../run-state.js'
import { marked } from '../text/markers.js'
import { chosen, type Quote, quotesFor } from './quotes.js'

const LONGEST_TITLE = 200
/** Minimum score of a second quote in the answer relative to the best one. */
const NEARLY = 0.8
const IN_SECTION = 3
const MOST_SECTIONS = 6
/** Quotes in all sections, when there is one section per source. */
const IN_SECTIONS = 14
/** Quotes of one source in the section of a part of the question. */
const PER_SOURCE = 2
const FINDINGS = 5

export type Draft = Omit<Report, 'confidence'>

/** Input of an extractive report. */
export interface Material {
  readonly query: string
  readonly facets: readonly Facet[]
  /** Those that may be cited. */
  readonly sources: readonly NumberedSource[]
  /** Passages of these, for the query, best first. */
  readonly passages: readonly ScoredPassage[]
}

/**
 * A report of sentences taken from the sources, each with its marker, without a model: the summary is the one or two
 * best answering sentences, followed by a section for each part of the question, or for each source when there are no
 * parts.
 */
export function extractiveReport({ query, facets, sources, passages }: Material): Draft {
  const ids = new Map(sources.map((source) => [source.url, source.id]))
  const idOf = ({ passage }: Quote): number => ids.get(passage.source.url) ?? 0
  const quotes = quotesFor(query, passages)
  const answer = answerOf(quotes)
  const rest = quotes.filter((quote) => !answer.includes(quote))
  const parts = facets.slice(1).flatMap(({ question }) => {
    const own = chosen(quotesFor(question, scoredPassages(question, sources)), { most: IN_SECTION, perSource: PER_SOURCE })
    return own.length === 0
      ? []
      : [{ heading: line(question, LONGEST_TITLE), content: own.map((quote) => withMarker(quote.shown, idOf(quote))).join('\n\n') }]
  })
  return {
    title: line(query, LONGEST_TITLE),
    summary: answer.map((quote) => withMarker(quote.brief, idOf(quote))).join(' '),
    sections: parts.length > 0 ? parts.slice(0, MOST_SECTIONS) : sectionsBySource(rest, idOf),
    key_findings: chosen(quotes, { most: FINDINGS, perSource: PER_SOURCE }).map((quote) => marked(quote.sentence, idOf(quote))),
  }
}

/** The best quote; if it is one sentence, a second one with nearly the same score. */
function answerOf(quotes: readonly Quote[]): readonly Quote[] {
  const [best, second] = quotes
  if (best === undefined) return []
  const isShort = best.brief.length === 1 && second?.brief.length === 1 && second.score >= NEARLY * best.score
  return isShort ? [best, second] : [best]
}

function sectionsBySource(quotes: readonly Quote[], idOf: (quote: Quote) => number): Report['sections'] {
  const bySource = new Map<number, Quote[]>()
  for (const quote of chosen(quotes, { most: IN_SECTIONS, perSource: IN_SECTION })) {
    const known = bySource.get(idOf(quote))
    if (known !== undefined) known.push(quote)
    else if (bySource.size < MOST_SECTIONS) bySource.set(idOf(quote), [quote])
  }
  return [...bySource].map(([id, own]) => ({
    heading: line(own[0]?.passage.source.title ?? '', LONGEST_TITLE),
    content: own.map((quote) => withMarker(quote.shown, id)).join('\n\n'),
  }))
}

/** Each sentence with its marker. */
function withMarker(sentences: readonly string[], id: number): string {
  return sentences.map((sentence) => marked(sentence, id)).join(' ')
}
