import { nullable, provider, Type } from '../../../core/sdk/index.js'
import { textAt } from '../../_vendors/text-at.js'
import { serper as vendor } from '../../_vendors/serper.js'
import { serp } from '../contract.js'
import { isoCountry } from '../region.js'
import { entriesOf, resultsOf, type RawKnowledge } from '../result.js'

/** Supported page sizes; more than ten results cost a second credit. */
const SIZES = [10, 20, 30, 40, 50, 100]
const PAST = { any: undefined, day: 'qdr:d', week: 'qdr:w', month: 'qdr:m' }

const text = Type.Optional(nullable(Type.String()))

const reply = Type.Object({
  searchParameters: Type.Object({}),
  organic: Type.Optional(Type.Array(Type.Object({ link: Type.String(), title: text, snippet: text }))),
  knowledgeGraph: Type.Optional(Type.Unknown()),
  answerBox: Type.Optional(Type.Unknown()),
  credits: Type.Optional(Type.Unknown()),
})

/** Google results by Serper: one request for any number, which states its cost. */
export const serperSerp = provider(serp, {
  vendor,
  rank: 10,
  timeoutMs: 10_000,
  run: async ({ query, num_results, country, freshness }, ctx) => {
    const json = { q: query, gl: isoCountry(country), num: SIZES.find((size) => size >= num_results) ?? 100, tbs: PAST[freshness] }
    const { organic = [], knowledgeGraph, answerBox: box, credits } = await ctx.api.json({ method: 'POST', path: '/search', json }, reply)
    if (typeof credits === 'number' && credits > 0) ctx.cost(credits, 'credits')
    return resultsOf(
      organic.map(({ link, title, snippet }) => ({ url: link, title, snippet })),
      num_results,
      {
        knowledge: knowledgeOf(knowledgeGraph),
        featured: { title: textAt(box, 'title'), text: textAt(box, 'answer') || textAt(box, 'snippet'), url: textAt(box, 'link') },
      },
    )
  },
})

function knowledgeOf(known: unknown): RawKnowledge {
  return {
    title: textAt(known, 'title'),
    type: textAt(known, 'type'),
    description: textAt(known, 'description'),
    url: textAt(known, 'website') || textAt(known, 'descriptionLink'),
    image_url: textAt(known, 'imageUrl'),
    attributes: entriesOf(entriesOf(known).find(([name]) => name === 'attributes')?.[1]),
  }
}
