import { Fault, nullable, provider, Type, type ProviderContext } from '../../../core/sdk/index.js'
import { scrapingbee as vendor } from '../../_vendors/scrapingbee.js'
import { scrapeRender, scrapeStealth, type Question, type ReadPage } from '../contract.js'
import { readHtml } from '../page/html.js'
import { storePicture } from '../page/picture.js'
import { refusePrivate, remoteTimeout } from '../page/vendor-request.js'

const text = Type.Optional(nullable(Type.String()))
const reply = Type.Object({
  'initial-status-code': Type.Optional(nullable(Type.Integer())),
  'resolved-url': text,
  body: Type.Optional(Type.Unknown()),
  content: Type.Optional(Type.Unknown()),
  screenshot: text,
  cost: Type.Optional(Type.Unknown()),
})

export const scrapingbee = provider(scrapeRender, {
  vendor,
  rank: 44,
  timeoutMs: remoteTimeout,
  run: (input, context) => read(input, context, { timeout: input.timeout * 1000 }),
})

export const scrapingbeeStealth = provider(scrapeStealth, {
  vendor,
  rank: 42,
  timeoutMs: remoteTimeout,
  run: (input, context) => read(input, context, { stealth_proxy: true }),
})

async function read(input: Question, context: ProviderContext, how: Readonly<Record<string, number | boolean>>): Promise<ReadPage> {
  refusePrivate(input.url)
  const seen = await context.api.json(
    {
      path: '/',
      query: {
        url: input.url,
        render_js: true,
        json_response: true,
        ...(input.wait_for === null ? {} : { wait_for: input.wait_for }),
        ...(input.screenshot ? { screenshot_full_page: true } : {}),
        ...how,
      },
    },
    reply,
  )
  if (typeof seen.cost === 'number' && seen.cost > 0) context.cost(seen.cost, 'credits')
  const html = seen.body ?? seen.content
  if (typeof html !== 'string') throw new Fault('broken', 'ScrapingBee returned no page.')
  const got = { html, url: seen['resolved-url'] ?? input.url, status: seen['initial-status-code'] ?? 200 }
  const page = await readHtml(context, got, { url: input.url, output: input.output, selector: input.wait_for })
  return { ...page, screenshot_url: input.screenshot ? await storePicture(context, seen.screenshot, input.url) : null }
}
