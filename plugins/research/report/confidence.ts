import { coverage, type ScoredPassage } from '../rank/rank.js'
import type { NumberedSource } from '../run-state.js'

/** Sites that speak of the question, beyond which more add nothing. */
const ENOUGH_SITES = 4
const BEST_PASSAGES = 10
/** Where no page was read. */
const FROM_SNIPPETS = 0.4

/** How well sources cover a question, from 0 to 1: 0.7 for the part of its telling words that the best passages hold, 0.3 for how many sites they are of. */
export function confidenceOf(query: string, passages: readonly ScoredPassage[], cited: readonly NumberedSource[]): number {
  const best = passages.slice(0, BEST_PASSAGES)
  const held = new Set(best.flatMap(({ passage }) => passage.terms))
  const covered = coverage(query, held, cited)
  const sites = Math.min(1, new Set(cited.map(({ domain }) => domain)).size / ENOUGH_SITES)
  const factor = cited.some(({ text }) => text !== null) ? 1 : FROM_SNIPPETS
  return Math.round(100 * factor * (0.7 * covered + 0.3 * sites)) / 100
}
