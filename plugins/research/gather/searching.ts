import { type Fault, type HandlerContext } from '../../../core/sdk/index.js'
import { academicSearch, mergedWorks, type Work } from '../../academic/contract.js'
import { serp, type Organic } from '../../search/contract.js'
import type { Budget } from '../budget.js'
import type { SourceType } from '../contract.js'
import { inParallel } from './in-parallel.js'

/** Results used of one search. */
const RESULTS = 10
/** Time limit of one search. */
const SEARCH_MS = 15_000
const ENOUGH_LISTS = 2
const DAYS = { day: 1, week: 7, month: 31 } as const
const DAY_MS = 86_400_000

export type Freshness = 'any' | 'day' | 'week' | 'month'

/** A search to run. */
export interface Search {
  readonly type: SourceType
  readonly query: string
}

/** A result of a search. */
export interface Hit {
  readonly url: string
  readonly title: string
  readonly snippet: string | null
  readonly type: SourceType
  /** Rank, from 1. */
  readonly place: number
  /** The abstract of a paper, whose page need not be read; null for pages. */
  readonly abstract: string | null
  /** ISO 8601 or a part of it. */
  readonly published: string | null
}

export interface SearchOptions {
  readonly budget: Budget
  readonly freshness: Freshness
  readonly atOnce: number
  readonly withinMs: number
  /** Milliseconds since 1970. */
  readonly now: number
}

export interface Searched {
  readonly hits: readonly Hit[]
  /** One for each failed search. */
  readonly failures: readonly Fault[]
  /** Number of searches sent. */
  readonly made: number
}

/** Runs searches in parallel, each within the limit of searches, and returns their results in the order of the questions. */
export async function searchAll(searches: readonly Search[], ctx: HandlerContext, options: SearchOptions): Promise<Searched> {
  const { budget, atOnce, withinMs } = options
  const failures: Fault[] = []
  const found: (readonly Hit[])[] = searches.map(() => [])
  let made = 0
  let done = 0
  await inParallel(searches.entries(), atOnce, async ([at, search]) => {
    if (withinMs <= 0 || !budget.take('searches')) return budget.exhaust()
    made++
    const limits = { withinMs: Math.min(SEARCH_MS, withinMs), onFailure: (fault: Fault) => void failures.push(fault) }
    found[at] = (await ctx.aside((context) => hitsOf(search, context, options), limits)) ?? []
    ctx.progress('web_search', search.query, ++done, searches.length)
  })
  return { hits: found.flat(), failures, made }
}

async function hitsOf({ type, query }: Search, ctx: HandlerContext, { freshness, now }: SearchOptions): Promise<Hit[]> {
  if (type === 'academic') {
    const between = freshness === 'any' ? null : { from: dayOf(now - DAYS[freshness] * DAY_MS), until: dayOf(now) }
    // Two lists are enough: arXiv answers once in three seconds.
    const until = (answers: readonly { readonly data: { readonly works: readonly Work[] } }[]): boolean =>
      answers.filter(({ data }) => data.works.length > 0).length >= ENOUGH_LISTS
    const answers = await ctx.gather(academicSearch, { query, num_results: RESULTS, between }, { until })
    return mergedWorks(answers.map(({ data }) => data.works)).map(hitOfWork)
  }
  const isNews = type === 'news'
  const question = {
    query: isNews ? `${query} news` : query,
    num_results: RESULTS,
    freshness: isNews && freshness === 'any' ? ('month' as const) : freshness,
  }
  const { organic_results: results } = await ctx.call(serp, question)
  return results.map((result) => hitOfPage(result, type))
}

function hitOfPage({ url, title, snippet, position }: Organic, type: SourceType): Hit {
  return { url, title, snippet, type, place: position, abstract: null, published: null }
}

function hitOfWork({ url, title, snippet, published, venue, authors }: Work, at: number): Hit {
  const by = authors.length === 0 ? '' : ` By ${authors.slice(0, 3).join(', ')}${authors.length > 3 ? ' and others' : ''}.`
  const about = [published === null ? '' : `Published ${published}.`, venue === null ? '' : `In ${venue}.`]
    .filter((part) => part !== '')
    .join(' ')
  const abstract = snippet === null ? null : `# ${title}\n\n${snippet}\n\n${about}${by}`
  return { url, title, snippet, type: 'academic', place: at + 1, abstract, published }
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
