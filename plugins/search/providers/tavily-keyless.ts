import { provider } from '../../../core/sdk/index.js'
import { tavilyKeyless as vendor } from '../../_vendors/tavily-keyless.js'
import { answer, serp } from '../contract.js'
import { tavilyAnswered, tavilyResults, tavilyServes } from '../tavily-request.js'

/** Tavily without a key, after all others. */
export const tavilyKeylessSerp = provider(serp, { vendor, rank: 100, timeoutMs: 10_000, serves: tavilyServes, run: tavilyResults })

export const tavilyKeylessAnswer = provider(answer, {
  vendor,
  rank: 100,
  timeoutMs: 15_000,
  serves: (input) => input.own_search !== false && tavilyServes(input),
  run: tavilyAnswered,
})
