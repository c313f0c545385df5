import { nullable, provider, Type } from '../../../core/sdk/index.js'
import { textAt } from '../../_vendors/text-at.js'
import { serpapi as vendor } from '../../_vendors/serpapi.js'
import { serp } from '../contract.js'
import { paged } from '../paging.js'
import { isoCountry } from '../region.js'
import { entriesOf, resultsOf, type RawKnowledge } from '../result.js'

const PAGE = 10
const PAST = { any: undefined, day: 'd1', week: 'w1', month: 'm1' }
/** Fields of a knowledge graph that are not facts. */
const NO_FACTS = new Set([
  'title',
  'type',
  'description',
  'website',
  'image',
  'thumbnail',
  'kgmid',
  'entity_type',
  'serpapi_knowledge_graph_search_link',
])

const text = Type.Optional(nullable(Type.String()))
const reply = Type.Object({
  search_metadata: Type.Object({ status: Type.String() }),
  organic_results: Type.Optional(Type.Array(Type.Object({ link: Type.Optional(nullable(Type.String())), title: text, snippet: text }))),
  knowledge_graph: Type.Optional(Type.Unknown()),
  answer_box: Type.Optional(Type.Unknown()),
  serpapi_pagination: Type.Optional(Type.Object({ next: Type.Optional(nullable(Type.String())) })),
})

/** Google results by SerpApi, ten per page, each page a search of the plan. No results are a reply without a list. */
export const serpapiSerp = provider(serp, {
  vendor,
  rank: 30,
  timeoutMs: ({ num_results }) => (num_results > 20 ? 25_000 : 15_000),
  run: async ({ query, num_results, country, freshness }, ctx) => {
    const code = isoCountry(country)
    const fixed = { engine: 'google', q: query, gl: code === 'gb' ? 'uk' : code, as_qdr: PAST[freshness] }
    const extras: { knowledge: unknown; box: unknown } = { knowledge: null, box: null }
    const hits = await paged(ctx, num_results, Math.ceil(num_results / PAGE), async (index) => {
      const page = await ctx.api.json({ path: '/search.json', query: { ...fixed, ...(index === 0 ? {} : { start: index * PAGE }) } }, reply)
      ctx.cost(1, 'searches')
      if (index === 0) Object.assign(extras, { knowledge: page.knowledge_graph, box: page.answer_box })
      const results = page.organic_results ?? []
      return {
        hits: results.map(({ link, title, snippet }) => ({ url: link ?? '', title, snippet })),
        more: typeof page.serpapi_pagination?.next === 'string',
      }
    })
    return resultsOf(hits, num_results, { knowledge: knowledgeOf(extras.knowledge), featured: featuredOf(extras.box) })
  },
})

function knowledgeOf(known: unknown): RawKnowledge {
  return {
    title: textAt(known, 'title'),
    type: textAt(known, 'type') || textAt(known, 'entity_type'),
    description: textAt(known, 'description'),
    url: textAt(known, 'website') || textAt(known, 'source', 'link'),
    image_url: textAt(known, 'image') || textAt(known, 'thumbnail'),
    attributes: entriesOf(known).filter(([name]) => !NO_FACTS.has(name) && !name.endsWith('_link') && !name.endsWith('_links')),
  }
}

function featuredOf(box: unknown) {
  return {
    title: textAt(box, 'title'),
    text: textAt(box, 'answer') || textAt(box, 'result') || textAt(box, 'snippet'),
    url: textAt(box, 'link'),
  }
}
