import { provider, Type } from '../../../core/sdk/index.js'
import { dollarsOf, exa as vendor } from '../../_vendors/exa.js'
import { serp } from '../contract.js'
import { exaHits, exaRequest, ExaResults } from '../exa-request.js'
import { resultsOf } from '../result.js'

const reply = Type.Object({ results: ExaResults, costDollars: Type.Optional(Type.Unknown()) })

/** Exa's own index; pages without a date are dropped when freshness is requested. */
export const exaSerp = provider(serp, {
  vendor,
  rank: 50,
  timeoutMs: 10_000,
  run: async (input, ctx) => {
    const { results, costDollars } = await ctx.api.json(exaRequest(input, 'auto'), reply)
    const cost = dollarsOf(costDollars)
    if (cost > 0) ctx.cost(cost, 'USD')
    return resultsOf(exaHits(results), input.num_results)
  },
})
