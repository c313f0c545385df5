import { provider, Type } from '../../../core/sdk/index.js'
import { wikidata as vendor } from '../../_vendors/wikidata.js'
import { userAgent, wikidataWebsite } from '../contract.js'

/** The query service may take 60 s for one query; callers have an alternative, so they do not wait for it. */
const TRY_MS = 5_000
/** Maximum items returned. */
const MOST = 10

const bindings = Type.Object({
  results: Type.Object({ bindings: Type.Array(Type.Object({ item: Type.Optional(Type.Object({ value: Type.String() })) })) }),
})

/** Official websites (P856) with http and https, with and without `www.` and a trailing slash. */
export const wikidata = provider(wikidataWebsite, {
  vendor,
  timeoutMs: TRY_MS,
  run: async ({ domain }, ctx) => {
    const { results } = await ctx.api.json(
      {
        host: 'query',
        path: '/sparql',
        query: { format: 'json', query: queryOf(domain) },
        headers: { ...userAgent(ctx.settings.contact), accept: 'application/sparql-results+json' },
      },
      bindings,
    )
    const ids = results.bindings.flatMap(({ item }) => /\/entity\/(Q\d+)$/.exec(item?.value ?? '')?.[1] ?? [])
    return ids.length === 0 ? null : { ids: [...new Set(ids)].slice(0, MOST) }
  },
})

function queryOf(domain: string): string {
  const sites = ['https', 'http'].flatMap((scheme) =>
    ['', 'www.'].flatMap((prefix) => ['', '/'].map((end) => `<${scheme}://${prefix}${domain}${end}>`)),
  )
  return `SELECT DISTINCT ?item WHERE { VALUES ?site { ${sites.join(' ')} } ?item wdt:P856 ?site } LIMIT ${String(MOST)}`
}
