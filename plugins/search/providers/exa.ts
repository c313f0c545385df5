import { httpProvider, nullable, Type } from '../../../core/sdk/index.js'
import { exa as vendor } from '../../_vendors/exa.js'
import { serp } from '../contract.js'
import { isoCountry } from '../region.js'
import { resultsOf } from '../result.js'

const DAYS = { any: 0, day: 1, week: 7, month: 31 }
const SNIPPET = 300

/** The earliest publishing date wanted, in ISO 8601, or undefined for any. */
function since(freshness: keyof typeof DAYS): string | undefined {
  return freshness === 'any' ? undefined : new Date(Date.now() - DAYS[freshness] * 86_400_000).toISOString()
}

const text = Type.Optional(nullable(Type.String()))

/** Exa's own index; pages without a date drop out when freshness is asked for. */
export const exaSerp = httpProvider(serp, {
  vendor,
  rank: 50,
  request: ({ query, num_results, country, freshness }) => ({
    method: 'POST',
    path: '/search',
    json: {
      query,
      type: 'auto',
      numResults: num_results,
      userLocation: isoCountry(country).toUpperCase(),
      startPublishedDate: since(freshness),
      contents: { highlights: true },
    },
  }),
  reply: Type.Object({
    results: Type.Array(
      Type.Object({ url: Type.String(), title: text, highlights: Type.Optional(nullable(Type.Array(Type.String()))), summary: text, text }),
    ),
  }),
  map: ({ results }, { num_results }) =>
    resultsOf(
      results.map((hit) => ({
        url: hit.url,
        title: hit.title,
        snippet: hit.highlights?.[0] ?? hit.summary ?? hit.text?.slice(0, SNIPPET),
      })),
      num_results,
    ),
})
