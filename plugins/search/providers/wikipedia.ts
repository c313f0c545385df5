import { Fault, provider, Type, type ProviderContext } from '../../../core/sdk/index.js'
import { textAt } from '../../_vendors/text-at.js'
import { wikipedia as vendor, WIKIPEDIA_LANGUAGES } from '../../_vendors/wikipedia.js'
import { serp } from '../contract.js'
import { languageOf } from '../region.js'
import { resultsOf, type RawKnowledge } from '../result.js'
import { line, plain } from '../text.js'

/** Maximum characters accepted by the search. */
const LONGEST = 300

const reply = Type.Object({
  query: Type.Object({ search: Type.Array(Type.Object({ title: Type.String(), snippet: Type.Optional(Type.String()) })) }),
})
const summary = Type.Object({ type: Type.String(), title: Type.String() })

/** Articles of the Wikipedia in the country's language; it has no publication dates, so freshness is not supported. */
export const wikipediaSerp = provider(serp, {
  vendor,
  rank: 80,
  timeoutMs: 10_000,
  serves: ({ freshness }) => freshness === 'any',
  // A missing article does not mean that the web has none.
  inconclusive: ({ organic_results }) => organic_results.length === 0,
  run: async ({ query, num_results, country }, ctx) => {
    const wanted = languageOf(country) ?? 'en'
    const edition = {
      language: WIKIPEDIA_LANGUAGES.includes(wanted) ? wanted : 'en',
      headers: { 'user-agent': `Capstan/1.0 (${ctx.settings.contact}) node/${process.versions.node}` },
    }
    const searched = query.length > LONGEST ? query.slice(0, LONGEST).trimEnd() : query
    if (searched !== query) ctx.note(`wikipedia received only the first ${LONGEST} characters of the query`)
    const { query: found } = await ctx.api.json(
      {
        host: edition.language,
        path: '/w/api.php',
        query: {
          action: 'query',
          list: 'search',
          format: 'json',
          formatversion: 2,
          srsearch: searched,
          srlimit: num_results,
          srprop: 'snippet',
        },
        headers: edition.headers,
      },
      reply,
    )
    const hits = found.search.map(({ title, snippet }) => ({
      url: articleUrl(edition.language, title),
      title,
      snippet: plain(snippet ?? ''),
    }))
    const [first] = found.search
    const named = first !== undefined && first.title.toLowerCase() === line(query, LONGEST).toLowerCase()
    return resultsOf(hits, num_results, { knowledge: named ? await articleSummary(ctx, edition, first.title) : null })
  },
})

interface Edition {
  readonly language: string
  readonly headers: Readonly<Record<string, string>>
}

function slug(title: string): string {
  return encodeURIComponent(title.replaceAll(' ', '_'))
}

function articleUrl(language: string, title: string): string {
  return `https://${language}.wikipedia.org/wiki/${slug(title)}`
}

/** The summary of an article; null for a disambiguation page, or when unavailable. */
async function articleSummary(ctx: ProviderContext, { language, headers }: Edition, title: string): Promise<RawKnowledge | null> {
  try {
    const page = await ctx.api.json({ host: language, path: `/api/rest_v1/page/summary/${slug(title)}`, headers }, summary)
    if (page.type !== 'standard') return null
    const url = textAt(page, 'content_urls', 'desktop', 'page') || articleUrl(language, title)
    return {
      title: page.title,
      type: textAt(page, 'description'),
      description: textAt(page, 'extract'),
      url,
      image_url: textAt(page, 'thumbnail', 'source'),
    }
  } catch (error) {
    if (!Fault.is(error) || ctx.signal.aborted) throw error
    ctx.log('the summary of an article could not be fetched', { kind: error.kind })
    return null
  }
}
