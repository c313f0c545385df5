import { nullable, provider, Type } from '../../../core/sdk/index.js'
import { crtSh as vendor } from '../../_vendors/crt-sh.js'
import { sitesParts } from '../contract.js'
import { loggedLabels } from '../parts/subdomains/logged-names.js'

const text = () => Type.Optional(nullable(Type.String()))

/** One row for each certificate; the matched names are on separate lines. */
const reply = Type.Array(Type.Object({ common_name: text(), name_value: text(), result_count: Type.Optional(nullable(Type.Number())) }))
const kept = Type.Object({ labels: Type.Array(Type.String()), cut: Type.Boolean() })
const DAY_SECONDS = 86_400

/** Names below a domain in currently valid certificates, cached for a day. */
export const crtSh = provider(sitesParts, {
  vendor,
  rank: 50,
  timeoutMs: 20_000,
  serves: ({ part }) => part === 'names',
  run: async ({ domain }, ctx) => {
    const { labels, cut } = await ctx.cache.get(['names', domain], { shape: kept, seconds: DAY_SECONDS }, async (load) =>
      loggedLabels(
        domain,
        await load.api.json(
          {
            path: '/',
            query: { dNSName: `%.${domain}`, exclude: 'expired', deduplicate: 'Y', output: 'json' },
            headers: { accept: 'application/json' },
          },
          reply,
        ),
      ),
    )
    if (cut) ctx.note('certificates: There are more names than crt.sh returns.')
    return { dns: null, tls: null, page: null, technologies: null, subdomains: null, names: labels }
  },
})
