import { Fault, resource, type Services } from '../../core/sdk/index.js'
import { embed, likeness, sentencesEmbed } from '../sentences/contract.js'
import type { Organic } from './contract.js'
import { fused } from './fusion.js'
import { within } from './within.js'

/** Number of first results that are compared by embeddings. */
const MOST = 50
/** Characters of a title and snippet used. */
const SHOWN = 400

/** Maximum wait for an encoder that is starting or slow. */
const PATIENCE_MS = 1_500
/** Time after that in which no call waits for it. */
const REST_MS = 60_000

type Context = Pick<Services, 'call' | 'has' | 'log' | 'signal' | 'use'>

/**
 * When the encoder was last too slow, in milliseconds of the process; shared by all calls, so that a slow machine
 * does not delay each of them.
 */
const encoderLate = resource<{ at: number }>({ id: 'search.encoder-late', open: () => Promise.resolve({ at: -Infinity }) })

/**
 * Merges lists of results by reciprocal rank. If the engine pack `sentences` is installed, another list is added: the
 * same pages ordered by the similarity of title and snippet to the query. Without it, or when it fails or is slow,
 * only the lists count.
 */
export async function reranked(query: string, lists: readonly (readonly Organic[])[], wanted: number, ctx: Context): Promise<Organic[]> {
  const near = await byMeaning(query, fused(lists, MOST), ctx)
  return fused(near === null ? lists : [...lists, near], wanted)
}

async function byMeaning(query: string, pages: readonly Organic[], ctx: Context): Promise<Organic[] | null> {
  if (pages.length < 2) return null
  const texts = pages.map(({ title, snippet }) => `${title}. ${snippet ?? ''}`.slice(0, SHOWN))
  const vectors = await vectorsOf([query, ...texts], ctx)
  const [queryVector, ...resultVectors] = vectors ?? []
  if (queryVector === undefined) return null
  return pages
    .map((page, at) => ({ page, score: likeness(queryVector, resultVectors[at] ?? new Float32Array()) }))
    .sort((one, other) => other.score - one.score)
    .map(({ page }) => page)
}

async function vectorsOf(texts: readonly string[], ctx: Context): Promise<readonly Float32Array[] | null> {
  if (!ctx.has(sentencesEmbed)) return null
  const late = await ctx.use(encoderLate)
  if (performance.now() - late.at < REST_MS) return null
  try {
    const vectors = await within(PATIENCE_MS, embed(texts, ctx))
    if (vectors === null) late.at = performance.now()
    return vectors
  } catch (error) {
    if (!Fault.is(error) || ctx.signal.aborted) throw error
    ctx.log('results were not ordered by meaning', { kind: error.kind })
    return null
  }
}
