import { Fault, provider, type ProviderContext, type SettingsOf } from '../../../core/sdk/index.js'
import { duckduckgo as vendor, turnedAway } from '../../_vendors/duckduckgo.js'
import { serp } from '../contract.js'
import { instantAnswer } from '../instant-answer.js'
import { paged } from '../paging.js'
import { isoCountry } from '../region.js'
import { NOTHING, resultsOf } from '../result.js'
import { duckduckgoQueue } from '../queue.js'
import type { ResultPage } from '../work/duckduckgo.js'

const READER = new URL('../work/duckduckgo.js', import.meta.url)
/** Maximum characters accepted by the form. */
const LONGEST = 499
const PAGES = 7
const PAST = { any: '', day: 'd', week: 'w', month: 'm' }
/** Region codes of the form; unusual ones are DuckDuckGo's own. */
const REGIONS = new Map(
  `ar-es au-en at-de be-fr br-pt bg-bg ca-en cl-es cn-zh co-es hr-hr cz-cs dk-da ee-et fi-fi fr-fr de-de gr-el hk-tzh hu-hu is-is in-en id-en ie-en
  il-en it-it jp-jp kr-kr lv-lv lt-lt my-en mx-es nl-nl nz-en no-no pk-en pe-es ph-en pl-pl pt-pt ro-ro ru-ru sg-en sk-sk za-en es-es se-sv ch-de
  tw-tzh th-en tr-tr us-en vn-en`
    .split(/\s+/)
    .map((region) => [region.slice(0, 2), region] as const),
)
const OWN = new Map([
  ['gb', 'uk-en'],
  ['ua', 'ua-uk'],
  ['si', 'sl-sl'],
  ...'sa ae eg ma dz tn jo lb kw qa om bh iq'.split(' ').map((country) => [country, 'xa-ar'] as const),
])
const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en-US,en;q=0.5',
  referer: 'https://html.duckduckgo.com/',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'same-origin',
  'sec-fetch-user': '?1',
}

/** DuckDuckGo's HTML page: one search at a time, with pauses, and suspended for minutes at any sign of a block. */
export const duckduckgoSerp = provider(serp, {
  vendor,
  rank: 70,
  timeoutMs: ({ num_results }) => (num_results > 25 ? 25_000 : 12_000),
  run: async ({ query, num_results, country, freshness }, ctx) => {
    const searched = query.slice(0, LONGEST).trim()
    if (query.length > LONGEST) ctx.note(`duckduckgo received only the first ${LONGEST} characters of the query`)
    const code = isoCountry(country)
    const search = { q: searched, kl: OWN.get(code) ?? REGIONS.get(code) ?? 'wt-wt', df: PAST[freshness] }
    const state: { vqd: string; instant: ResultPage['instant'] } = { vqd: '', instant: null }
    try {
      const hits = await paged(ctx, num_results, PAGES, async (index) => {
        const page = await resultPage(ctx, search, index === 0 ? { b: '' } : next(index, state.vqd))
        if (index === 0) state.instant = page.instant
        state.vqd = page.vqd
        return { hits: page.hits, more: page.vqd !== '' }
      })
      const { knowledge, featured } = await instantAnswer(ctx, searched)
      return resultsOf(hits, num_results, { knowledge, featured: state.instant ?? featured })
    } catch (error) {
      // The reply for "nothing to show" is an empty result, not a failure.
      if (Fault.is(error) && error.kind === 'missing') return NOTHING
      throw error
    }
  },
})

/** Fields of a later page: the second starts at 10, each further one adds 15. */
function next(index: number, vqd: string): Record<string, string> {
  const offset = 10 + (index - 1) * 15
  return { b: '', nextParams: '', api: 'd.js', o: 'json', v: 'l', s: String(offset), dc: String(offset + 1), vqd }
}

async function resultPage(
  ctx: ProviderContext<SettingsOf<typeof vendor>>,
  search: { q: string; kl: string; df: string },
  more: Record<string, string>,
): Promise<ResultPage> {
  const queue = await ctx.use(duckduckgoQueue)
  const cookie = `kl=${search.kl}${search.df === '' ? '' : `; df=${search.df}`}`
  const html = await queue.run(ctx.settings.pause_ms, ctx.signal, () =>
    ctx.api.text({
      method: 'POST',
      path: '/html/',
      form: { ...search, ...more },
      headers: { ...BROWSER, cookie },
      maxBytes: 3 * 1024 * 1024,
    }),
  )
  const page = await ctx.work<ResultPage>(READER, html, { timeoutMs: 3000 })
  if (page.challenge) throw turnedAway()
  if (!page.understood) throw new Fault('broken', 'duckduckgo replied with a page that was not understood.')
  return page
}
