import { Fault, nullable, provider, Type, type ProviderContext } from '../../../core/sdk/index.js'
import { zyte as vendor } from '../../_vendors/zyte.js'
import { scrapeRender, scrapeStealth, type Question, type ReadPage } from '../contract.js'
import { readHtml } from '../page/html.js'
import { storePicture } from '../page/picture.js'
import { refusePrivate, remoteTimeout } from '../page/remote-vendor.js'

const reply = Type.Object({
  url: Type.Optional(Type.String()),
  statusCode: Type.Integer(),
  browserHtml: Type.String(),
  screenshot: Type.Optional(nullable(Type.String())),
  actions: Type.Optional(nullable(Type.Array(Type.Object({ action: Type.Optional(Type.String()), status: Type.Optional(Type.String()) })))),
})
/** The longest a wait action may take, in seconds. */
const LONGEST_WAIT = 15

export const zyte = provider(scrapeRender, {
  vendor,
  rank: 42,
  timeoutMs: remoteTimeout,
  run: (input, context) => read(input, context, {}),
})

export const zyteStealth = provider(scrapeStealth, {
  vendor,
  rank: 40,
  timeoutMs: remoteTimeout,
  run: (input, context) => read(input, context, { ipType: 'residential' }),
})

async function read(input: Question, context: ProviderContext, stealth: { ipType?: string }): Promise<ReadPage> {
  refusePrivate(input.url)
  const wait = {
    action: 'waitForSelector',
    selector: { type: 'css', value: input.wait_for, state: 'visible' },
    timeout: Math.min(input.timeout, LONGEST_WAIT),
    onError: 'return',
  }
  const seen = await context.api.json(
    {
      method: 'POST',
      path: '/extract',
      json: {
        url: input.url,
        browserHtml: true,
        ...(input.screenshot ? { screenshot: true, screenshotOptions: { fullPage: true } } : {}),
        ...(input.wait_for === null ? {} : { actions: [wait] }),
        ...stealth,
      },
    },
    reply,
  )
  const got = { html: seen.browserHtml, url: seen.url ?? input.url, status: seen.statusCode }
  const page = await readHtml(context, got, { url: input.url, output: input.output, selector: null })
  if (seen.actions?.some(({ status }) => status !== undefined && status !== 'success') === true)
    throw new Fault('missing', `wait_for: no element of the page matched ${JSON.stringify(input.wait_for)} in time`)
  return { ...page, screenshot_url: input.screenshot ? await storePicture(context, seen.screenshot, input.url) : null }
}
