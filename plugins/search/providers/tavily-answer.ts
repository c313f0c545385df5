import { httpProvider, nullable, Type } from '../../../core/sdk/index.js'
import { tavily as vendor } from '../../_vendors/tavily.js'
import { vendorAnswer } from '../answer/vendor-answer.js'
import { answer } from '../contract.js'
import { countryName } from '../country-name.js'

const MOST = 20
/** Fewer sources than this make a poor answer, however few results are wanted. */
const FEWEST = 5

/** Tavily searches and answers in one request. */
export const tavilyAnswer = httpProvider(answer, {
  vendor,
  rank: 10,
  timeoutMs: 15_000,
  serves: ({ query }) => query.length <= 400,
  request: ({ query, num_results, country, freshness }) => ({
    method: 'POST',
    path: '/search',
    json: {
      query,
      search_depth: 'basic',
      topic: 'general',
      max_results: Math.min(Math.max(num_results, FEWEST), MOST),
      include_answer: 'advanced',
      time_range: freshness === 'any' ? undefined : freshness,
      country: countryName(country),
    },
  }),
  reply: Type.Object({
    answer: Type.Optional(nullable(Type.String())),
    results: Type.Array(
      Type.Object({ url: Type.String(), title: Type.Optional(nullable(Type.String())), content: Type.Optional(nullable(Type.String())) }),
    ),
  }),
  map: (reply, input) =>
    vendorAnswer(
      reply.answer ?? '',
      reply.results.map(({ url, title, content }) => ({ url, title, snippet: content })),
      input,
    ),
})
