import { Fault, nullable, provider, Type, type Call, type ProviderContext, type Static } from '../../../core/sdk/index.js'
import { scrapfly as vendor, scrapflyFault } from '../../_vendors/scrapfly.js'
import { textAt } from '../../_vendors/text-at.js'
import { scrapeRender, scrapeStealth, type Question, type ReadPage } from '../contract.js'
import { readHtml } from '../page/html.js'
import { keepPicture, PICTURES } from '../page/picture.js'
import { refusePrivate, remoteTimeout } from '../page/vendor-request.js'
import { statusFault } from '../page/status.js'
import { parseUrl } from '../../../core/sdk/url.js'

const result = Type.Object({
  success: Type.Optional(Type.Boolean()),
  status_code: Type.Optional(nullable(Type.Integer())),
  url: Type.Optional(nullable(Type.String())),
  content: Type.Optional(nullable(Type.String())),
  format: Type.Optional(nullable(Type.String())),
  error: Type.Optional(nullable(Type.Object({ code: Type.Optional(nullable(Type.String())) }))),
  screenshots: Type.Optional(nullable(Type.Record(Type.String(), Type.Object({ url: Type.String() })))),
})
const reply = Type.Object({ result, context: Type.Optional(Type.Unknown()) })

export const scrapfly = provider(scrapeRender, {
  vendor,
  rank: 43,
  timeoutMs: remoteTimeout,
  run: (input, context) => read(input, context, {}),
})

export const scrapflyStealth = provider(scrapeStealth, {
  vendor,
  rank: 41,
  timeoutMs: remoteTimeout,
  run: (input, context) => read(input, context, { asp: true, proxy_pool: 'public_residential_pool' }),
})

async function read(input: Question, context: ProviderContext, stealth: Readonly<Record<string, string | boolean>>): Promise<ReadPage> {
  refusePrivate(input.url)
  const { result: seen, context: about } = await context.api.json(
    {
      path: '/scrape',
      query: {
        url: input.url,
        render_js: true,
        // The waterfall is the retry; the vendor's own would exceed the requested time.
        retry: false,
        timeout: input.timeout * 1000,
        ...(input.wait_for === null ? {} : { wait_for_selector: input.wait_for }),
        ...(input.scroll ? { auto_scroll: true } : {}),
        ...(input.screenshot ? { 'screenshots[main]': 'fullpage' } : {}),
        ...stealth,
      },
    },
    reply,
  )
  const credits = Number(textAt(about, 'cost', 'total'))
  if (credits > 0) context.cost(credits, 'credits')
  const status = seen.status_code ?? 200
  const refused = statusFault(status)
  if (refused !== null) throw refused
  if (seen.success === false) throw scrapflyFault(seen.error?.code ?? '') ?? new Fault('broken', 'Scrapfly returned no page.')
  const got = { html: await content(seen, context), url: seen.url ?? input.url, status }
  const page = await readHtml(context, got, { url: input.url, output: input.output, selector: input.wait_for })
  return { ...page, screenshot_url: await picture(seen, input, context) }
}

/** Large pages are returned as an address that requires the key; it is requested at the vendor's configured address. */
async function content({ content, format }: Static<typeof result>, context: ProviderContext): Promise<string> {
  if (format === 'binary') throw new Fault('blocked', 'the address holds a file, which is not text')
  if (format !== 'clob' && format !== 'blob') return content ?? ''
  return context.api.text({ ...requestOf(content ?? '', context), reads: 'text' })
}

async function picture({ screenshots }: Static<typeof result>, input: Question, context: ProviderContext): Promise<string | null> {
  const address = screenshots?.['main']?.url
  if (!input.screenshot || address === undefined) return null
  return await keepPicture(context, await context.api.file(requestOf(address, context), { kinds: PICTURES }), input.url)
}

/** Such an address as a request to the vendor; a key in it is replaced by the one that signing adds. */
function requestOf(address: string, { baseUrl }: ProviderContext): Pick<Call, 'path' | 'query'> {
  const url = parseUrl(address)
  const own = [vendor.baseUrl, baseUrl].some((one) => parseUrl(one)?.host === url?.host)
  if (url === null || !own) throw new Fault('broken', 'Scrapfly returned an address outside its domain.')
  const names = [...new Set(url.searchParams.keys())].filter((name) => name !== 'key')
  return { path: url.pathname, query: Object.fromEntries(names.map((name) => [name, url.searchParams.getAll(name)])) }
}
