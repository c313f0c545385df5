import { provider } from '../../../core/sdk/index.js'
import { tavily as vendor } from '../../_vendors/tavily.js'
import { serp } from '../contract.js'
import { tavilyResults, tavilyServes } from '../tavily-request.js'

/** Tavily's search without an answer. */
export const tavilySerp = provider(serp, { vendor, rank: 40, timeoutMs: 10_000, serves: tavilyServes, run: tavilyResults })
