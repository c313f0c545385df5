import { httpProvider, Type } from '../../../core/sdk/index.js'
import { tavily as vendor } from '../../_vendors/tavily.js'
import { serp } from '../contract.js'
import { resultsOf } from '../result.js'
import { tavilyRequest, TavilyResults, tavilyServes } from '../tavily-request.js'

/** Tavily's search without an answer. */
export const tavilySerp = httpProvider(serp, {
  vendor,
  rank: 40,
  serves: tavilyServes,
  request: (input) => tavilyRequest(input, false, input.num_results),
  reply: Type.Object({ results: TavilyResults }),
  map: ({ results }, { num_results }) =>
    resultsOf(
      results.map(({ url, title, content }) => ({ url, title, snippet: content })),
      num_results,
    ),
})
