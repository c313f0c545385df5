import type { HandlerContext } from '../../../core/sdk/index.js'
import { embed, likeness } from '../../sentences/contract.js'
import type { ScoredPassage } from './rank.js'

/** Number of best passages by words that are also compared by embeddings. */
const MOST = 80
/** Weight of embedding similarity relative to words. */
const WEIGHT = 0.4
const LONGEST = 600
const LIMIT_MS = 3_000

/**
 * Passages reordered by a combination of the word score and the similarity of sentence embeddings, if installed;
 * otherwise unchanged. Passages without matching words stay last.
 */
export async function byMeaning(
  question: string,
  passages: readonly ScoredPassage[],
  ctx: HandlerContext,
  withinMs: number,
): Promise<readonly ScoredPassage[]> {
  const best = passages.slice(0, MOST)
  if (best.length < 2 || withinMs <= 0) return passages
  const texts = [question, ...best.map(({ passage }) => passage.text.slice(0, LONGEST))]
  const vectors = await ctx.aside((context) => embed(texts, context), { withinMs: Math.min(LIMIT_MS, withinMs) })
  const [wanted, ...own] = vectors ?? []
  if (wanted === undefined) return passages
  const like = own.map((vector) => Math.max(0, likeness(wanted, vector)))
  const most = Math.max(Number.EPSILON, ...like)
  const scored = best.map((one, at) => ({ ...one, score: (1 - WEIGHT) * one.score + (WEIGHT * (like[at] ?? 0)) / most }))
  return [
    ...scored.sort((one, other) => other.score - one.score),
    ...passages.slice(MOST).map((one) => ({ ...one, score: (1 - WEIGHT) * one.score })),
  ]
}
