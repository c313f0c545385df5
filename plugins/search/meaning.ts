import { Fault, resource, type Services } from '../../core/sdk/index.js'
import { embed, likeness, sentencesEmbed } from '../sentences/contract.js'
import type { Organic } from './contract.js'
import { fused } from './fusion.js'
import { within } from './within.js'

/** Results whose meaning is looked at, from the first. */
const MOST = 50
/** Characters of a title and snippet that are. */
const SHOWN = 400

/** An encoder that has to start first, or is slow, is not waited for longer than this. */
const PATIENCE_MS = 1_500
/** So long after that no call waits for it. */
const REST_MS = 60_000

type Context = Pick<Services, 'call' | 'has' | 'log' | 'signal' | 'use'>

/** When the encoder was late last, in milliseconds of the process; calls share it, so that a slow machine does not slow each of them. */
const encoderLate = resource<{ at: number }>({ id: 'search.encoder-late', open: () => Promise.resolve({ at: -Infinity }) })

/**
 * Lists of results merged into one by reciprocal rank. Where the engine pack `sentences` is installed, one more list counts: the same pages in the order of
 * how near in meaning their title and snippet are to the query. Without it, or when it fails or is slow, the lists alone decide.
 */
export async function reranked(query: string, lists: readonly (readonly Organic[])[], wanted: number, ctx: Context): Promise<Organic[]> {
  const near = await byMeaning(query, fused(lists, MOST), ctx)
  return fused(near === null ? lists : [...lists, near], wanted)
}

async function byMeaning(query: string, pages: readonly Organic[], ctx: Context): Promise<Organic[] | null> {
  if (pages.length < 2) return null
  const texts = pages.map(({ title, snippet }) => `${title}. ${snippet ?? ''}`.slice(0, SHOWN))
  const vectors = await vectorsOf([query, ...texts], ctx)
  const [asked, ...said] = vectors ?? []
  if (asked === undefined) return null
  return pages
    .map((page, at) => ({ page, score: likeness(asked, said[at] ?? new Float32Array()) }))
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
