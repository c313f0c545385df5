import { Fault, provider, type ProviderContext, type SettingsOf } from '../../../core/sdk/index.js'
import { arxiv as vendor } from '../../_vendors/arxiv.js'
import { academicSearch, type AcademicQuestion } from '../contract.js'
import { queryWords } from '../query.js'
import type { ArxivEntry, ArxivFeed } from '../work/arxiv.js'
import { workOf } from '../work-of.js'

const READER = new URL('../work/arxiv.js', import.meta.url)
/** New papers appear once a day, so a search is repeated at most daily. */
const DAY_SECONDS = 86_400

/** arXiv papers that contain all distinctive words of the query. */
export const arxiv = provider(academicSearch, {
  vendor,
  rank: 40,
  timeoutMs: 15_000,
  // The other vendors cover papers of all subjects.
  inconclusive: ({ works }) => works.length === 0,
  serves: ({ query }) => queryWords(query).length > 0,
  run: ({ query, num_results, between }, ctx) => {
    const search = expressionOf(query, between)
    return ctx.cache.get(['search', search, num_results], { shape: academicSearch.output, seconds: DAY_SECONDS }, async (load) => {
      const ask = () => feedOf(search, num_results, ctx.settings.contact, load)
      const first = await ask()
      // arXiv sometimes returns an empty page although papers match.
      const feed = first.entries.length === 0 && first.total > 0 ? await ask() : first
      return { works: feed.entries.flatMap((entry) => workOf(rawOf(entry)) ?? []) }
    })
  },
})

type Loading = Pick<ProviderContext<SettingsOf<typeof vendor>>, 'api' | 'work'>

async function feedOf(search: string, most: number, contact: string, ctx: Loading): Promise<ArxivFeed> {
  const xml = await ctx.api.text({
    path: '/api/query',
    query: { search_query: search, start: 0, max_results: most, sortBy: 'relevance', sortOrder: 'descending' },
    headers: { 'user-agent': `Capstan/1.0 (${contact})`, accept: 'application/atom+xml' },
  })
  const feed = await ctx.work<ArxivFeed>(READER, xml, { timeoutMs: 5_000 })
  if (!feed.understood) throw new Fault('broken', 'arXiv replied with something other than a feed.')
  return feed
}

/** Words without a field prefix are not documented by arXiv; dates are those of the first version, in GMT. */
function expressionOf(query: string, between: AcademicQuestion['between']): string {
  const words = queryWords(query)
    .map((word) => `all:${word}`)
    .join(' AND ')
  if (between === null || between === undefined) return words
  const [from, until] = [between.from, between.until].map((day) => day.replaceAll('-', ''))
  return `(${words}) AND submittedDate:[${from ?? ''}0000 TO ${until ?? ''}2359]`
}

function rawOf(entry: ArxivEntry) {
  const secure = (address: string) => address.replace(/^http:/, 'https:')
  return {
    title: entry.title,
    urls: [secure(entry.page), secure(entry.id)],
    abstract: entry.summary,
    authors: entry.authors,
    published: entry.published.slice(0, 10),
    doi: entry.doi,
    venue: entry.journal || 'arXiv',
    citations: null,
    pdfs: [secure(entry.pdf)],
  }
}
