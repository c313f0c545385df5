import { Fault, nullable, provider, Type, type ProviderContext } from '../../../core/sdk/index.js'
import { firecrawl as vendor } from '../../_vendors/firecrawl.js'
import { scrapeRender, scrapeStealth, type Question, type ReadPage } from '../contract.js'
import { readHtml } from '../page/html.js'
import { pageOfMarkdown, webLinks } from '../page/vendor-markdown.js'
import { keepPicture, PICTURES } from '../page/picture.js'
import { refusePrivate, remoteTimeout } from '../page/vendor-request.js'
import { statusFault } from '../page/status.js'

const text = Type.Optional(nullable(Type.Union([Type.String(), Type.Array(Type.String())])))
const reply = Type.Object({
  success: Type.Boolean(),
  data: Type.Optional(
    Type.Object({
      markdown: Type.Optional(nullable(Type.String())),
      rawHtml: Type.Optional(nullable(Type.String())),
      links: Type.Optional(nullable(Type.Array(Type.String()))),
      screenshot: Type.Optional(nullable(Type.String())),
      metadata: Type.Optional(
        Type.Object({
          title: text,
          description: text,
          url: Type.Optional(nullable(Type.String())),
          statusCode: Type.Optional(nullable(Type.Integer())),
        }),
      ),
    }),
  ),
})

export const firecrawl = provider(scrapeRender, {
  vendor,
  rank: 40,
  timeoutMs: remoteTimeout,
  run: (input, context) => read(input, context, {}),
})

export const firecrawlStealth = provider(scrapeStealth, {
  vendor,
  rank: 60,
  timeoutMs: remoteTimeout,
  run: (input, context) => read(input, context, { proxy: 'enhanced', maxAge: 0 }),
})

async function read(input: Question, context: ProviderContext, stealth: { proxy?: string; maxAge?: number }): Promise<ReadPage> {
  refusePrivate(input.url)
  const formats = [
    input.output === 'markdown' ? 'markdown' : 'rawHtml',
    'links',
    ...(input.screenshot ? [{ type: 'screenshot', fullPage: true }] : []),
  ]
  const actions = input.wait_for === null ? {} : { actions: [{ type: 'wait', selector: input.wait_for }] }
  const { success, data } = await context.api.json(
    { method: 'POST', path: '/scrape', json: { url: input.url, formats, timeout: input.timeout * 1000, ...actions, ...stealth } },
    reply,
  )
  if (!success || data === undefined) throw new Fault('broken', 'Firecrawl returned no page.')
  const status = data.metadata?.statusCode ?? 200
  const refused = statusFault(status)
  if (refused !== null) throw refused
  const screenshot_url = await picture(data.screenshot ?? null, input, context)
  if (input.output === 'html') {
    const page = await readHtml(
      context,
      { html: data.rawHtml ?? '', url: data.metadata?.url ?? input.url, status },
      { url: input.url, output: 'html', selector: input.wait_for },
    )
    return { ...page, links: data.links == null ? page.links : webLinks(data.links), screenshot_url }
  }
  return pageOfMarkdown({
    markdown: data.markdown ?? '',
    title: first(data.metadata?.title),
    description: first(data.metadata?.description),
    links: data.links ?? [],
    screenshot_url,
    asked: input.url,
    url: data.metadata?.url ?? input.url,
  })
}

/** The vendor keeps its picture for only a day, so it is stored here; without it the page is still valid. */
async function picture(address: string | null, input: Question, context: ProviderContext): Promise<string | null> {
  if (!input.screenshot || address === null || !/^https?:\/\//.test(address)) return null
  try {
    return await keepPicture(context, await context.api.download(address, { kinds: PICTURES }), input.url)
  } catch (error) {
    if (!Fault.is(error)) throw error
    context.log('the picture of the page could not be fetched', { reason: error.message })
    return null
  }
}

function first(value: string | string[] | null | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null
}
