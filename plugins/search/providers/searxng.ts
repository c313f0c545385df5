import { Fault, nullable, provider, Type } from '../../../core/sdk/index.js'
import { textAt } from '../../_vendors/text-at.js'
import { searxng as vendor } from '../../_vendors/searxng.js'
import { serp } from '../contract.js'
import { paged } from '../paging.js'
import { isoCountry, languageOf } from '../region.js'
import { resultsOf } from '../result.js'

/** A page has about ten results of each engine. */
const PAGES = 10

const text = Type.Optional(nullable(Type.String()))
const reply = Type.Object({
  query: Type.String(),
  results: Type.Array(Type.Object({ url: text, title: text, content: text })),
  answers: Type.Optional(Type.Array(Type.Unknown())),
  infoboxes: Type.Optional(Type.Array(Type.Unknown())),
  unresponsive_engines: Type.Optional(Type.Array(Type.Unknown())),
})

/** The query without SearXNG's command syntax (`!engine`, `!!redirect`, `:language`, `?engine`, `<timeout`). */
export function withoutCommands(query: string): string {
  return query
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/^(?:[!:?]+|<(?=\d))/, ''))
    .filter((word) => word !== '')
    .join(' ')
}

/** An own SearXNG instance, page by page. If no engine answers, that is a failure, not an empty result. */
export const searxngSerp = provider(serp, {
  vendor,
  rank: 60,
  timeoutMs: ({ num_results }) => (num_results > 20 ? 25_000 : 12_000),
  serves: ({ query }) => withoutCommands(query) !== '',
  run: async ({ query, num_results, country, freshness }, ctx) => {
    const language = languageOf(country)
    const fixed = {
      q: withoutCommands(query),
      format: 'json',
      language: language === undefined ? 'all' : `${language}-${isoCountry(country).toUpperCase()}`,
      time_range: freshness === 'any' ? undefined : freshness,
    }
    const extras: { infobox: unknown; answer: unknown } = { infobox: null, answer: null }
    const hits = await paged(ctx, num_results, PAGES, async (index) => {
      const page = await ctx.api.json({ path: '/search', query: { ...fixed, pageno: index + 1 } }, reply)
      if (index === 0) {
        if (page.results.length === 0 && (page.unresponsive_engines ?? []).length > 0)
          throw new Fault('busy', 'None of the engines behind SearXNG answered.')
        Object.assign(extras, { infobox: page.infoboxes?.[0], answer: page.answers?.[0] })
      }
      return { hits: page.results.map(({ url, title, content }) => ({ url: url ?? '', title, snippet: content })), more: true }
    })
    return resultsOf(hits, num_results, { knowledge: knowledgeOf(extras.infobox), featured: featuredOf(extras.answer) })
  },
})

function knowledgeOf(box: unknown) {
  const facts: unknown = typeof box === 'object' && box !== null && 'attributes' in box ? box.attributes : []
  return {
    title: textAt(box, 'infobox'),
    description: textAt(box, 'content'),
    url: textAt(box, 'urls', '0', 'url') || textAt(box, 'id'),
    image_url: textAt(box, 'img_src'),
    attributes: Array.isArray(facts) ? facts.map((fact: unknown) => [textAt(fact, 'label'), textAt(fact, 'value')] as const) : [],
  }
}

/** Older instances return an answer only as a string. */
function featuredOf(answer: unknown) {
  return typeof answer === 'string' ? { text: answer } : { text: textAt(answer, 'answer'), url: textAt(answer, 'url') }
}
