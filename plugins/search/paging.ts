import { Fault, type ProviderContext } from '../../core/sdk/index.js'
import { pageKey, type Hit } from './result.js'
import { link } from './text.js'

/** With less time left of the call no further page is requested, in milliseconds. */
const LEAST_MS = 3_000

interface PageOfHits {
  readonly hits: readonly Hit[]
  /** False when the engine reports that this was the last page. */
  readonly more: boolean
}

/**
 * Requests pages 0, 1, … until there are enough distinct results, a page adds nothing new, or the limit is reached. A
 * failure of the first page is the provider's; that of a later page ends the list with the results so far and is
 * logged.
 */
export async function paged(
  ctx: ProviderContext,
  wanted: number,
  limit: number,
  page: (index: number) => Promise<PageOfHits>,
): Promise<Hit[]> {
  const hits: Hit[] = []
  const pages = new Set<string>()
  for (let index = 0; index < limit; index++) {
    const before = pages.size
    const next = index === 0 ? await page(0) : await laterPage(ctx, page, index)
    hits.push(...next.hits)
    for (const { url } of next.hits) {
      const address = link(url)
      if (address !== null) pages.add(pageKey(address))
    }
    if (pages.size >= wanted || pages.size === before || !next.more || ctx.timeLeft() < LEAST_MS) break
  }
  return hits
}

async function laterPage(ctx: ProviderContext, page: (index: number) => Promise<PageOfHits>, index: number): Promise<PageOfHits> {
  try {
    return await page(index)
  } catch (error) {
    if (!Fault.is(error) || ctx.signal.aborted) throw error
    ctx.log('a further page of results could not be fetched', { page: index + 1, kind: error.kind })
    return { hits: [], more: false }
  }
}
