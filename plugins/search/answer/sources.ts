import { Fault, type ProviderContext } from '../../../core/sdk/index.js'
import { scrapeFetch } from '../../scrape/contract.js'
import { serp, type Question, type Results } from '../contract.js'
import { reranked } from '../meaning.js'
import { lines } from '../text.js'
import { within } from '../within.js'
import { prose } from './prose.js'
import type { ReadSource } from './extract.js'

/** Pages read for one answer. */
const PAGES = 5
const PAGE_SECONDS = 5
/** Characters read of one page. */
const PAGE_CHARACTERS = 30_000

interface Gathered {
  readonly results: Results
  readonly sources: readonly ReadSource[]
}

/** Whether a vendor that answers from results can be used: it does not search by itself. */
export function overResults({ own_search }: { readonly own_search: boolean | null }): boolean {
  return own_search !== true
}

/** The results to answer from, requested unless given, and the text of the first pages; an unreadable page is replaced by its snippet. */
export async function gathered(
  { results: given, query, num_results, country, freshness }: Question & { readonly results: Results | null },
  ctx: ProviderContext,
): Promise<Gathered> {
  const results = given ?? (await ordered(await ownResults({ query, num_results, country, freshness }, ctx), query, num_results, ctx))
  const top = results.organic_results.slice(0, PAGES)
  const texts = await Promise.all(top.map(({ url }) => pageText(url, ctx)))
  const sources = results.organic_results.map((result, at) => {
    const snippet = result.snippet ?? ''
    const text = texts[at] ?? ''
    return { url: result.url, title: result.title, snippet: result.snippet, text: text === '' ? snippet : `${text}\n${snippet}` }
  })
  return { results, sources }
}

/** Pages ordered by similarity to the query, if available: only a few are read. */
async function ordered(found: Results, query: string, wanted: number, ctx: ProviderContext): Promise<Results> {
  return { ...found, organic_results: await reranked(query, [found.organic_results], wanted, ctx) }
}

/** Failed engines are not this vendor's fault, so it must not be suspended for longer than a moment. */
async function ownResults(question: Question, ctx: ProviderContext): Promise<Results> {
  try {
    return await ctx.call(serp, question)
  } catch (error) {
    if (!Fault.is(error) || error.kind === 'invalid' || error.kind === 'missing') throw error
    throw new Fault('busy', 'No search engine answered, so there was nothing to answer from.', {
      retryAfterSeconds: error.retryAfterSeconds ?? 1,
      cause: error,
    })
  }
}

async function pageText(url: string, ctx: ProviderContext): Promise<string> {
  try {
    const page = await within(PAGE_SECONDS * 1000 + 500, ctx.call(scrapeFetch, { url, output: 'markdown', timeout: PAGE_SECONDS }))
    return page === null ? '' : lines(prose(page.content.slice(0, PAGE_CHARACTERS)), PAGE_CHARACTERS)
  } catch (error) {
    if (ctx.signal.aborted) throw error
    ctx.log('a page was not read for the answer', { url, reason: error instanceof Error ? error.message : String(error) })
    return ''
  }
}
