import { nullable, Type, type Call, type ProviderContext, type Static } from '../../core/sdk/index.js'
import { textAt } from '../_vendors/text-at.js'
import { vendorAnswer } from './answer/vendor-answer.js'
import { countryName } from './country-name.js'
import type { Answered, Question, Results } from './contract.js'
import { resultsOf, type Hit } from './result.js'

const MOST = 20
/** Minimum sources for a good answer, even when fewer results are wanted. */
const FEWEST_SOURCES = 5

const Text = Type.Optional(nullable(Type.String()))
const reply = Type.Object({
  answer: Text,
  results: Type.Array(Type.Object({ url: Type.String(), title: Text, content: Text })),
  usage: Type.Optional(Type.Unknown()),
})

type Found = Static<typeof reply>

/** Queries are limited to 400 characters. */
export const tavilyServes = ({ query }: Question): boolean => query.length <= 400

/** Results of Tavily's only search endpoint. */
export async function tavilyResults(input: Question, ctx: ProviderContext): Promise<Results> {
  const found = await sent(tavilyRequest(input, false, input.num_results), ctx)
  return resultsOf(hitsOf(found), input.num_results)
}

/** Its answer from its results, in the same request. */
export async function tavilyAnswered(input: Question, ctx: ProviderContext): Promise<Answered | null> {
  const found = await sent(tavilyRequest(input, 'advanced', Math.max(input.num_results, FEWEST_SOURCES)), ctx)
  return vendorAnswer(found.answer ?? '', hitsOf(found), input)
}

function tavilyRequest(input: Question, answer: false | 'advanced', results: number): Call {
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

/** Reports the credits of the search if the reply has them, as requested. */
async function sent(call: Call, ctx: ProviderContext): Promise<Found> {
  const found = await ctx.api.json(call, reply)
  const credits = Number(textAt(found.usage, 'credits')) || 0
  if (credits > 0) ctx.cost(credits, 'credits')
  return found
}

function hitsOf({ results }: Found): Hit[] {
  return results.map(({ url, title, content }) => ({ url, title, snippet: content }))
}
