import { nullable, Type, type Call } from '../../core/sdk/index.js'
import { textAt } from '../_vendors/text-at.js'
import { countryName } from './country-name.js'
import type { Question } from './contract.js'

const MOST = 20

/** What both uses of Tavily's one search endpoint send; it takes at most 400 characters and gives at most 20 results. */
export function tavilyRequest(input: Question, answer: false | 'advanced', results: number): Call {
  return {
    method: 'POST',
    path: '/search',
    json: {
      query: input.query,
      search_depth: 'basic',
      topic: 'general',
      max_results: Math.min(results, MOST),
      include_answer: answer,
      time_range: input.freshness === 'any' ? undefined : input.freshness,
      country: countryName(input.country),
      include_usage: true,
    },
  }
}

/** What a reply says of credits, as it was asked to. */
export const TavilyUsage = Type.Optional(Type.Unknown())

/** Credits of a search; 0 where the reply does not say. */
export function tavilyCredits(usage: unknown): number {
  return Number(textAt(usage, 'credits')) || 0
}

export const tavilyServes = ({ query }: Question): boolean => query.length <= 400

export const TavilyResults = Type.Array(
  Type.Object({ url: Type.String(), title: Type.Optional(nullable(Type.String())), content: Type.Optional(nullable(Type.String())) }),
)
