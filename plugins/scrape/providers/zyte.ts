import { Fault, nullable, provider, Type, type ProviderContext } from '../../../core/sdk/index.js'
import { zyte as vendor } from '../../_vendors/zyte.js'
import { scrapeRender, scrapeStealth, type Question, type ReadPage } from '../contract.js'
import { extractHtml, toPage } from '../page/html.js'
import { storePicture } from '../page/picture.js'
import { refusePrivate, remoteTimeout } from '../page/vendor-request.js'

const reply = Type.Object({
  url: Type.Optional(Type.String()),
  statusCode: Type.Integer(),
  browserHtml: Type.String(),
  screenshot: Type.Optional(nullable(Type.String())),
})
/** Maximum duration of a wait action, in seconds. */
const LONGEST_WAIT_S = 15

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
  const waitS = Math.min(input.timeout, LONGEST_WAIT_S)
  const wait = {
    action: 'waitForSelector',
    selector: { type: 'css', value: input.wait_for, state: 'attached' },
    timeout: waitS,
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
  // Whether the element is present is read from the markup: an action has the same status for other errors.
  const wanted = { url: input.url, output: input.output, selector: input.wait_for }
  const found = await extractHtml(context, got, wanted)
  if (found.matched === false)
    throw new Fault(
      'missing',
      `wait_for: no element of the page matched ${JSON.stringify(input.wait_for)} in the ${waitS} s that Zyte waits`,
    )
  const page = toPage(context, found, wanted)
  return { ...page, screenshot_url: input.screenshot ? await storePicture(context, seen.screenshot, input.url) : null }
}
