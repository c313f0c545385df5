import { nullable, provider, Type } from '../../../core/sdk/index.js'
import { dollarsOf, exa as vendor } from '../../_vendors/exa.js'
import { vendorAnswer } from '../answer/vendor-answer.js'
import { answer } from '../contract.js'
import { isoCountry } from '../region.js'

const text = Type.Optional(nullable(Type.String()))
const reply = Type.Object({
  answer: Type.String(),
  citations: Type.Array(Type.Object({ url: Type.String(), title: text, text })),
  costDollars: Type.Optional(Type.Unknown()),
})

/** Exa searches and answers in one request; it cannot limit that to recent pages. */
export const exaAnswer = provider(answer, {
  vendor,
  rank: 20,
  timeoutMs: 15_000,
  serves: ({ freshness }) => freshness === 'any',
  run: async (input, ctx) => {
    const json = { query: input.query, text: false, userLocation: isoCountry(input.country).toUpperCase() }
    const found = await ctx.api.json({ method: 'POST', path: '/answer', json }, reply)
    const cost = dollarsOf(found.costDollars)
    if (cost > 0) ctx.cost(cost, 'USD')
    return vendorAnswer(
      found.answer,
      found.citations.map(({ url, title, text: snippet }) => ({ url, title, snippet })),
      input,
    )
  },
})
