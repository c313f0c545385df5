import { httpProvider, nullable, Type } from '../../../core/sdk/index.js'
import { exa as vendor } from '../../_vendors/exa.js'
import { vendorAnswer } from '../answer/vendor-answer.js'
import { answer } from '../contract.js'
import { isoCountry } from '../region.js'

const text = Type.Optional(nullable(Type.String()))

/** Exa searches and answers in one request; it cannot limit that to recent pages. */
export const exaAnswer = httpProvider(answer, {
  vendor,
  rank: 20,
  timeoutMs: 15_000,
  serves: ({ freshness }) => freshness === 'any',
  request: ({ query, country }) => ({
    method: 'POST',
    path: '/answer',
    json: { query, text: false, userLocation: isoCountry(country).toUpperCase() },
  }),
  reply: Type.Object({ answer: Type.String(), citations: Type.Array(Type.Object({ url: Type.String(), title: text, text })) }),
  map: (reply, input) =>
    vendorAnswer(
      reply.answer,
      reply.citations.map(({ url, title, text: snippet }) => ({ url, title, snippet })),
      input,
    ),
})
