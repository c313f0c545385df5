import { nullable, provider, Type } from '../../../core/sdk/index.js'
import { dollarsOf, exa as vendor } from '../../_vendors/exa.js'
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

const reply = Type.Object({
  results: Type.Array(
    Type.Object({ url: Type.String(), title: text, highlights: Type.Optional(nullable(Type.Array(Type.String()))), summary: text, text }),
  ),
  costDollars: Type.Optional(Type.Unknown()),
})

/** Exa's own index; pages without a date drop out when freshness is asked for. */
export const exaSerp = provider(serp, {
  vendor,
  rank: 50,
  timeoutMs: 10_000,
  run: async ({ query, num_results, country, freshness }, ctx) => {
    const json = {
      query,
      type: 'auto',
      numResults: num_results,
      userLocation: isoCountry(country).toUpperCase(),
      startPublishedDate: since(freshness),
      contents: { highlights: true },
    }
    const { results, costDollars } = await ctx.api.json({ method: 'POST', path: '/search', json }, reply)
    const cost = dollarsOf(costDollars)
    if (cost > 0) ctx.cost(cost, 'USD')
    return resultsOf(
      results.map((hit) => ({
        url: hit.url,
        title: hit.title,
        snippet: hit.highlights?.[0] ?? hit.summary ?? hit.text?.slice(0, SNIPPET),
      })),
      num_results,
    )
  },
})
