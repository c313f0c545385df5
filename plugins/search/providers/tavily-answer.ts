import { provider } from '../../../core/sdk/index.js'
import { tavily as vendor } from '../../_vendors/tavily.js'
import { answer } from '../contract.js'
import { tavilyAnswered, tavilyServes } from '../tavily-request.js'

/** Tavily searches and answers in one request. */
export const tavilyAnswer = provider(answer, {
  vendor,
  rank: 10,
  timeoutMs: 15_000,
  serves: (input) => input.own_search !== false && tavilyServes(input),
  run: tavilyAnswered,
})
