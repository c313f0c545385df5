import { line } from '../../search/contract.js'
import type { Report } from '../contract.js'
import { scoredPassages, type ScoredPassage } from '../rank/rank.js'
import type { Facet, NumberedSource } from '../run-state.js'
import { marked } from '../text/markers.js'
import { bestSentence, windowsOf, type Window } from './windows.js'

const LONGEST_TITLE = 200
const IN_SUMMARY = 3
/** Characters of each quote in the summary. */
const SUMMARY_WINDOW = 300
const IN_SECTION = 4
const MOST_SECTIONS = 8
const FINDINGS = 5
const PER_SOURCE = 2

export type Draft = Omit<Report, 'confidence'>

/** What an extractive report is made from. */
export interface Material {
  readonly query: string
  readonly facets: readonly Facet[]
  /** Those that may be cited. */
  readonly sources: readonly NumberedSource[]
  /** Of these, for the query, the best first. */
  readonly passages: readonly ScoredPassage[]
}

/** A report of sentences taken from the sources, each with its marker, without a model: the summary for the whole question, a section for each part of it or else each source. */
export function extractiveReport({ query, facets, sources, passages }: Material): Draft {
  const ids = new Map(sources.map((source) => [source.url, source.id]))
  const idOf = ({ passage }: Window): number => ids.get(passage.source.url) ?? 0
  const all = windowsOf(query, passages, { most: IN_SUMMARY + MOST_SECTIONS * IN_SECTION, perSource: IN_SECTION })
  const summary = windowsOf(query, passages, { most: IN_SUMMARY, perSource: 1, longest: SUMMARY_WINDOW })
  const parts = facets.length > 1 ? sectionsByFacet(facets.slice(1), sources, idOf) : []
  return {
    title: line(query, LONGEST_TITLE),
    summary: summary.map((window) => quoted(window, idOf(window))).join(' '),
    sections: [...parts, ...sectionsBySource(all, idOf)].slice(0, MOST_SECTIONS),
    key_findings: all.slice(0, FINDINGS).map((window) => marked(bestSentence(window, query), idOf(window))),
  }
}

function sectionsByFacet(
  facets: readonly Facet[],
  sources: readonly NumberedSource[],
  idOf: (window: Window) => number,
): Report['sections'] {
  return facets.flatMap(({ question }) => {
    const windows = windowsOf(question, scoredPassages(question, sources), { most: IN_SECTION, perSource: PER_SOURCE })
    const content = windows.map((window) => quoted(window, idOf(window))).join('\n\n')
    return content === '' ? [] : [{ heading: line(question, LONGEST_TITLE), content }]
  })
}

function sectionsBySource(windows: readonly Window[], idOf: (window: Window) => number): Report['sections'] {
  const bySource = new Map<number, Window[]>()
  for (const window of windows) bySource.set(idOf(window), [...(bySource.get(idOf(window)) ?? []), window])
  return [...bySource].map(([id, own]) => ({
    heading: line(own[0]?.passage.source.title ?? '', LONGEST_TITLE),
    content: own
      .slice(0, IN_SECTION)
      .map((window) => quoted(window, id))
      .join('\n\n'),
  }))
}

/** Each sentence with its marker. */
function quoted({ sentences }: Window, id: number): string {
  return sentences.map((sentence) => marked(sentence, id)).join(' ')
}
