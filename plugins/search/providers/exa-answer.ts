import { nullable, provider, Type, type Call, type ProviderContext, type Static } from '../../../core/sdk/index.js'
import { dollarsOf, exa as vendor } from '../../_vendors/exa.js'
import { vendorAnswer } from '../answer/vendor-answer.js'
import { answer, type Answered, type Question } from '../contract.js'
import { exaHits, exaRequest, ExaResults } from '../exa-request.js'
import { isoCountry } from '../region.js'
import { pageKey, ranked } from '../result.js'

const costDollars = Type.Optional(Type.Unknown())
const text = Type.Optional(nullable(Type.String()))
const shortReply = Type.Object({
  answer: Type.String(),
  citations: Type.Array(Type.Object({ url: Type.String(), title: text, text })),
  costDollars,
})
const cited = Type.Object({ citations: Type.Optional(nullable(Type.Array(Type.Object({ url: Type.String(), title: text })))) })
const deepReply = Type.Object({
  results: ExaResults,
  /** `content` is text unless a schema was requested. */
  output: Type.Optional(nullable(Type.Object({ content: text, grounding: Type.Optional(nullable(Type.Array(cited))) }))),
  costDollars,
})

/** Exa searches and answers in one request. The short answer cannot be limited to recent pages, the deep one can. */
export const exaAnswer = provider(answer, {
  vendor,
  rank: 20,
  timeoutMs: 15_000,
  serves: ({ freshness, mode, own_search }) => own_search !== false && (mode === 'deep' || freshness === 'any'),
  run: async (input, ctx) => (input.mode === 'deep' ? await deepAnswer(input, ctx) : await shortAnswer(input, ctx)),
})

async function shortAnswer(input: Question, ctx: ProviderContext): Promise<Answered | null> {
  const json = { query: input.query, text: false, userLocation: isoCountry(input.country).toUpperCase() }
  const found = await paid({ method: 'POST', path: '/answer', json }, shortReply, ctx)
  const sources = found.citations.map(({ url, title, text: snippet }) => ({ url, title, snippet }))
  return vendorAnswer(found.answer, sources, input)
}

async function deepAnswer(input: Question, ctx: ProviderContext): Promise<Answered | null> {
  const { results, output } = await paid(exaRequest(input, 'deep'), deepReply, ctx)
  const hits = exaHits(results)
  const snippets = new Map(hits.map(({ url, snippet }) => [pageKey(url), snippet]))
  const sources = (output?.grounding ?? []).flatMap(({ citations }) => citations ?? [])
  const answered = vendorAnswer(
    output?.content ?? '',
    sources.map(({ url, title }) => ({ url, title, snippet: snippets.get(pageKey(url)) })),
    input,
  )
  return answered === null ? null : { ...answered, organic_results: ranked(hits, input.num_results) }
}

async function paid<R extends typeof shortReply | typeof deepReply>(call: Call, reply: R, ctx: ProviderContext): Promise<Static<R>> {
  const found = await ctx.api.json(call, reply)
  const cost = dollarsOf(found.costDollars)
  if (cost > 0) ctx.cost(cost, 'USD')
  return found
}
