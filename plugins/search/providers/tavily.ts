import { httpProvider, nullable, Type } from '../../../core/sdk/index.js'
import { tavily as vendor } from '../../_vendors/tavily.js'
import { serp } from '../contract.js'
import { countryName } from '../country-name.js'
import { resultsOf } from '../result.js'

const MOST = 20

/** Tavily's search without an answer; it gives at most 20 results and takes at most 400 characters. */
export const tavilySerp = httpProvider(serp, {
  vendor,
  rank: 40,
  serves: ({ query }) => query.length <= 400,
  request: ({ query, num_results, country, freshness }) => ({
    method: 'POST',
    path: '/search',
    json: {
      query,
      search_depth: 'basic',
      topic: 'general',
      max_results: Math.min(num_results, MOST),
      include_answer: false,
      time_range: freshness === 'any' ? undefined : freshness,
      country: countryName(country),
    },
  }),
  reply: Type.Object({
    results: Type.Array(
      Type.Object({ url: Type.String(), title: Type.Optional(nullable(Type.String())), content: Type.Optional(nullable(Type.String())) }),
    ),
  }),
  map: ({ results }, { num_results }) =>
    resultsOf(
      results.map(({ url, title, content }) => ({ url, title, snippet: content })),
      num_results,
    ),
})
