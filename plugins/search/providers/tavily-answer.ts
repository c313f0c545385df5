import { nullable, provider, Type } from '../../../core/sdk/index.js'
import { tavily as vendor } from '../../_vendors/tavily.js'
import { vendorAnswer } from '../answer/vendor-answer.js'
import { answer } from '../contract.js'
import { tavilyCredits, tavilyRequest, TavilyResults, tavilyServes, TavilyUsage } from '../tavily-request.js'

/** Fewer sources than this make a poor answer, however few results are wanted. */
const FEWEST = 5

const reply = Type.Object({ answer: Type.Optional(nullable(Type.String())), results: TavilyResults, usage: TavilyUsage })

/** Tavily searches and answers in one request. */
export const tavilyAnswer = provider(answer, {
  vendor,
  rank: 10,
  timeoutMs: 15_000,
  serves: tavilyServes,
  run: async (input, ctx) => {
    const found = await ctx.api.json(tavilyRequest(input, 'advanced', Math.max(input.num_results, FEWEST)), reply)
    const credits = tavilyCredits(found.usage)
    if (credits > 0) ctx.cost(credits, 'credits')
    return vendorAnswer(
      found.answer ?? '',
      found.results.map(({ url, title, content }) => ({ url, title, snippet: content })),
      input,
    )
  },
})
