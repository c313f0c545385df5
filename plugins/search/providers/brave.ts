import { nullable, provider, Type } from '../../../core/sdk/index.js'
import { brave as vendor } from '../../_vendors/brave.js'
import { textAt } from '../../_vendors/text-at.js'
import { serp } from '../contract.js'
import { paged } from '../paging.js'
import { isoCountry } from '../region.js'
import { resultsOf } from '../result.js'
import { plain } from '../text.js'

/** Maximum results per page; pages are numbered from 0 to 9, so a hundred results are possible. */
const PAGE = 20
const COUNTRIES = new Set(
  'AR AU AT BE BR CA CL DK FI FR DE HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US'.split(' '),
)
const PAST = { any: undefined, day: 'pd', week: 'pw', month: 'pm' }

const text = Type.Optional(nullable(Type.String()))
const reply = Type.Object({
  type: Type.Literal('search'),
  query: Type.Object({ more_results_available: Type.Optional(Type.Boolean()) }),
  web: Type.Optional(Type.Object({ results: Type.Array(Type.Object({ url: Type.String(), title: text, description: text })) })),
  infobox: Type.Optional(Type.Object({ results: Type.Array(Type.Unknown()) })),
  faq: Type.Optional(Type.Object({ results: Type.Array(Type.Unknown()) })),
})

/** Brave's own index; at most 400 characters and 50 words, 20 results per page. */
export const braveSerp = provider(serp, {
  vendor,
  rank: 20,
  timeoutMs: 15_000,
  serves: ({ query }) => query.length <= 400 && query.trim().split(/\s+/).length <= 50,
  run: async ({ query, num_results, country, freshness }, ctx) => {
    const code = isoCountry(country).toUpperCase()
    const fixed = {
      q: query,
      country: COUNTRIES.has(code) ? code : 'ALL',
      count: Math.min(num_results, PAGE),
      freshness: PAST[freshness],
      text_decorations: false,
    }
    const extras: { infobox: unknown; faq: unknown } = { infobox: null, faq: null }
    const hits = await paged(ctx, num_results, Math.ceil(num_results / PAGE), async (offset) => {
      const page = await ctx.api.json(
        { path: '/web/search', query: { ...fixed, ...(offset === 0 ? {} : { offset }) }, headers: { accept: 'application/json' } },
        reply,
      )
      extras.infobox ??= page.infobox?.results[0] ?? null
      extras.faq ??= page.faq?.results[0] ?? null
      const results = page.web?.results ?? []
      return {
        hits: results.map(({ url, title, description }) => ({ url, title: plain(title ?? ''), snippet: plain(description ?? '') })),
        more: page.query.more_results_available !== false,
      }
    })
    return resultsOf(hits, num_results, { knowledge: knowledgeOf(extras.infobox), featured: featuredOf(extras.faq) })
  },
})

function knowledgeOf(box: unknown) {
  return {
    title: plain(textAt(box, 'title')),
    type: textAt(box, 'category') || textAt(box, 'label'),
    description: plain(textAt(box, 'long_desc') || textAt(box, 'description')),
    url: textAt(box, 'website_url') || textAt(box, 'url'),
    image_url: textAt(box, 'images', '0', 'original') || textAt(box, 'images', '0', 'src') || textAt(box, 'images', '0'),
    attributes: pairs(box),
  }
}

function pairs(box: unknown): [string, unknown][] {
  const list: unknown = typeof box === 'object' && box !== null && 'attributes' in box ? box.attributes : []
  return Array.isArray(list) ? list.map((pair: unknown) => [plain(textAt(pair, '0')), plain(textAt(pair, '1'))]) : []
}

function featuredOf(faq: unknown) {
  return { title: plain(textAt(faq, 'question')), text: plain(textAt(faq, 'answer')), url: textAt(faq, 'url') }
}
