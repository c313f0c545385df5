import { httpProvider, nullable, Type } from '../../../core/sdk/index.js'
import { tavily as vendor } from '../../_vendors/tavily.js'
import { vendorAnswer } from '../answer/vendor-answer.js'
import { answer } from '../contract.js'
import { tavilyRequest, TavilyResults, tavilyServes } from '../tavily-request.js'

/** Fewer sources than this make a poor answer, however few results are wanted. */
const FEWEST = 5

/** Tavily searches and answers in one request. */
export const tavilyAnswer = httpProvider(answer, {
  vendor,
  rank: 10,
  timeoutMs: 15_000,
  serves: tavilyServes,
  request: (input) => tavilyRequest(input, 'advanced', Math.max(input.num_results, FEWEST)),
  reply: Type.Object({ answer: Type.Optional(nullable(Type.String())), results: TavilyResults }),
  map: (reply, input) =>
    vendorAnswer(
      reply.answer ?? '',
      reply.results.map(({ url, title, content }) => ({ url, title, snippet: content })),
      input,
    ),
})
