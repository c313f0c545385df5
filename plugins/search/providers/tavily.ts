import { provider, Type } from '../../../core/sdk/index.js'
import { tavily as vendor } from '../../_vendors/tavily.js'
import { serp } from '../contract.js'
import { resultsOf } from '../result.js'
import { tavilyCredits, tavilyRequest, TavilyResults, tavilyServes, TavilyUsage } from '../tavily-request.js'

const reply = Type.Object({ results: TavilyResults, usage: TavilyUsage })

/** Tavily's search without an answer. */
export const tavilySerp = provider(serp, {
  vendor,
  rank: 40,
  serves: tavilyServes,
  timeoutMs: 10_000,
  run: async (input, ctx) => {
    const { results, usage } = await ctx.api.json(tavilyRequest(input, false, input.num_results), reply)
    const credits = tavilyCredits(usage)
    if (credits > 0) ctx.cost(credits, 'credits')
    return resultsOf(
      results.map(({ url, title, content }) => ({ url, title, snippet: content })),
      input.num_results,
    )
  },
})
