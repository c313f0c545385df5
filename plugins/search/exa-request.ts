import { nullable, Type, type Call, type Static } from '../../core/sdk/index.js'
import type { Question } from './contract.js'
import { isoCountry } from './region.js'
import type { Hit } from './result.js'

const DAYS = { any: 0, day: 1, week: 7, month: 31 }
const SNIPPET = 300

/** The earliest publication date requested, in ISO 8601, or undefined for any. */
function since(freshness: keyof typeof DAYS): string | undefined {
  return freshness === 'any' ? undefined : new Date(Date.now() - DAYS[freshness] * 86_400_000).toISOString()
}

/** The common request to Exa's search endpoint; `deep` generates an answer from the results. */
export function exaRequest({ query, num_results, country, freshness }: Question, type: 'auto' | 'deep'): Call {
  return {
    method: 'POST',
    path: '/search',
    json: {
      query,
      type,
      numResults: num_results,
      userLocation: isoCountry(country).toUpperCase(),
      startPublishedDate: since(freshness),
      contents: { highlights: true },
    },
  }
}

const text = Type.Optional(nullable(Type.String()))

export const ExaResults = Type.Array(
  Type.Object({ url: Type.String(), title: text, highlights: Type.Optional(nullable(Type.Array(Type.String()))), summary: text, text }),
)

export function exaHits(results: Static<typeof ExaResults>): Hit[] {
  return results.map((hit) => ({
    url: hit.url,
    title: hit.title,
    snippet: hit.highlights?.[0] ?? hit.summary ?? hit.text?.slice(0, SNIPPET),
  }))
}
